package io.tidegate.stage;

import java.util.concurrent.CompletableFuture;

/** The stage that a bulkhead returns for every refusal. It is shared, so its holders cannot change it. */
public final class RefusedStage<T> extends CompletableFuture<T> {
    public RefusedStage(Throwable refusal) {
        completeExceptionally(refusal);
    }

    @Override
    public void obtrudeValue(T value) {}

    @Override
    public void obtrudeException(Throwable error) {}
}
