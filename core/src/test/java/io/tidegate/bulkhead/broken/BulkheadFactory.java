package io.tidegate.bulkhead.broken;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;

/** Makes the bulkhead that a check runs on: Tidegate's own, or a broken one. */
@FunctionalInterface
public interface BulkheadFactory {
    BulkheadFactory TIDEGATE =
            (limit, listener) -> AsyncBulkhead.builder(limit).listener(listener).build();

    AsyncBulkhead create(int limit, BulkheadListener listener);
}
