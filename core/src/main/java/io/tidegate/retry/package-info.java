/** Retries: {@link io.tidegate.retry.Retry}, {@link io.tidegate.retry.Hedge} and the budget that bounds both. */
@NullMarked
package io.tidegate.retry;

import org.jspecify.annotations.NullMarked;
