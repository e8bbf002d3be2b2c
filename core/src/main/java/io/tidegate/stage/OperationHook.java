package io.tidegate.stage;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Holds a permit for as long as an operation lasts, however the returned future ends: the operation's first signal
 * gives the permit back and then ends that future, unless the caller has already ended it.
 */
public abstract class OperationHook<T> extends Hook<T> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<OperationHook> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(OperationHook.class, "ended");

    @SuppressWarnings("unused") // written through ENDED
    private volatile int ended;

    protected OperationHook(DecidedFuture<T> returned) {
        super(returned);
    }

    /**
     * Called once: gives the permit back, and calls the listeners that come before the end is visible. What it throws
     * delays no end.
     */
    protected abstract void release(@Nullable T value, @Nullable Throwable error);

    /** Called once the returned future has ended. */
    protected void afterEnd() {}

    @Override
    public final void accept(@Nullable T value, @Nullable Throwable error) {
        if (!ENDED.compareAndSet(this, 0, 1)) {
            return;
        }
        try {
            release(value, error);
        } finally {
            end(value, error);
        }
    }

    private void end(@Nullable T value, @Nullable Throwable error) {
        DecidedFuture<T> future = returned();
        if (future != null) {
            future.end(value, error);
        }
        afterEnd();
    }
}
