package io.tidegate.jcstress.bulkhead;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** An empty bulkhead and operations that never end: the start of all races about its permits. */
abstract class Submitters {
    private final AsyncBulkhead bulkhead;
    private final AtomicInteger peak = new AtomicInteger();

    Submitters(BulkheadFactory factory, int limit) {
        bulkhead = factory.create(limit, new Releases());
    }

    /** Returns how many were admitted: 1 or 0. */
    final int submit() {
        CompletionStage<String> stage = bulkhead.submit(() -> {
            peak.accumulateAndGet(bulkhead.inFlight(), Math::max);
            return new CompletableFuture<>();
        });
        return stage.toCompletableFuture().isDone() ? 0 : 1;
    }

    /** Returns the greatest number in flight that a supplier has seen. */
    final int peak() {
        return peak.get();
    }
}
