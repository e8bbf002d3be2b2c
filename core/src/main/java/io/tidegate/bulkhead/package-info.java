/**
 * The async bulkhead: bounds how many asynchronous operations are in flight, and admits or refuses each one at once.
 *
 * <p>Start at {@link io.tidegate.bulkhead.AsyncBulkhead}.
 */
@NullMarked
package io.tidegate.bulkhead;

import org.jspecify.annotations.NullMarked;
