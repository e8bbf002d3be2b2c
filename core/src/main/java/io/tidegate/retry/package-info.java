/** Trying again: {@link io.tidegate.retry.Retry}, {@link io.tidegate.retry.Hedge} and what bounds both. */
@NullMarked
package io.tidegate.retry;

import org.jspecify.annotations.NullMarked;
