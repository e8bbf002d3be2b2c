package io.tidegate.stage;

import java.util.concurrent.CompletableFuture;

/** A stage that answers every refusal of a bulkhead. It is shared, so no holder can change it. */
public final class RefusedStage<T> extends CompletableFuture<T> {
    public RefusedStage(Throwable refusal) {
        completeExceptionally(refusal);
    }

    @Override
    public void obtrudeValue(T value) {}

    @Override
    public void obtrudeException(Throwable error) {}
}
