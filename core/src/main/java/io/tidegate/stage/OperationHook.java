package io.tidegate.stage;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Holds a place for as long as an operation lasts, whatever becomes of the returned future: the operation's first
 * signal gives it back and then ends that future, unless its caller has done so already.
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
     * Called once: gives the place back and tells who must know before the end is seen. What it throws delays no end.
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
