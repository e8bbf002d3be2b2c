package io.tidegate.bulkhead;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Holds the permit of a submission under {@link PermitLifetime#OPERATION}: the operation's first signal gives it back and
 * then ends the returned future, unless its caller has done so already.
 */
final class OperationHook<T> implements Hook<T> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<OperationHook> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(OperationHook.class, "ended");

    private final PermitBulkhead bulkhead;
    private final CompletableFuture<T> returned;

    @SuppressWarnings("unused") // written through ENDED
    private volatile int ended;

    OperationHook(PermitBulkhead bulkhead, CompletableFuture<T> returned) {
        this.bulkhead = bulkhead;
        this.returned = returned;
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        if (!ENDED.compareAndSet(this, 0, 1)) {
            return;
        }
        bulkhead.giveBack();
        bulkhead.tellReleased(error);
        if (error != null) {
            returned.completeExceptionally(error);
        } else {
            returned.complete(value);
        }
    }
}
