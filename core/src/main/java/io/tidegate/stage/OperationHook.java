package io.tidegate.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Holds a place for as long as an operation lasts, whatever becomes of the returned future: the operation's first signal
 * gives it back and then ends that future, unless its caller has done so already.
 */
public abstract class OperationHook<T> implements Hook<T> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<OperationHook> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(OperationHook.class, "ended");

    private final CompletableFuture<T> returned;

    @SuppressWarnings("unused") // written through ENDED
    private volatile int ended;

    protected OperationHook(CompletableFuture<T> returned) {
        this.returned = returned;
    }

    /** Called once: gives the place back and tells who must know before the end is seen. */
    protected abstract void release(@Nullable T value, @Nullable Throwable error);

    /** Called once the returned future has ended. */
    protected void afterEnd() {}

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        if (!ENDED.compareAndSet(this, 0, 1)) {
            return;
        }
        release(value, error);
        if (error != null) {
            returned.completeExceptionally(error);
        } else {
            returned.complete(value);
        }
        afterEnd();
    }
}
