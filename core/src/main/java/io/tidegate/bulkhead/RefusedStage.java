package io.tidegate.bulkhead;

import java.util.concurrent.CompletableFuture;

/** The one stage that answers every refusal of a bulkhead. Shared, therefore immune to all who hold it. */
final class RefusedStage<T> extends CompletableFuture<T> {
    RefusedStage(BulkheadRejectedException refusal) {
        completeExceptionally(refusal);
    }

    @Override
    public void obtrudeValue(T value) {}

    @Override
    public void obtrudeException(Throwable error) {}
}
