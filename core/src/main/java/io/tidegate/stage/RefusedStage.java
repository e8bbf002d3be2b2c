package io.tidegate.stage;

import java.util.concurrent.CompletableFuture;

/** A stage that answers every refusal of a bulkhead. Shared, therefore immune to all who hold it. */
public final class RefusedStage<T> extends CompletableFuture<T> {
    public RefusedStage(Throwable refusal) {
        completeExceptionally(refusal);
    }

    @Override
    public void obtrudeValue(T value) {}

    @Override
    public void obtrudeException(Throwable error) {}
}
