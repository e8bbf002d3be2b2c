package io.tidegate.guard;

import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Listens to an operation, and tells its attempt of the first end. */
final class OperationEnd<T>
        implements BiConsumer<@Nullable T, @Nullable Throwable>,
                BiFunction<@Nullable T, @Nullable Throwable, @Nullable Void> {
    /*
     * An operation may never end, and keeps this object until then. So an attempt that has ended is let go of, and with
     * it the value or error that the caller got; only bound permits are kept, if there are any.
     */
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<OperationEnd> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(OperationEnd.class, "ended");

    private volatile @Nullable Attempt<T> attempt;
    private final @Nullable BoundPermits bound;
    private volatile @Nullable Future<?> cancellable;
    private volatile boolean cancelled;

    @SuppressWarnings("unused") // written through ENDED
    private volatile int ended;

    OperationEnd(Attempt<T> attempt, @Nullable BoundPermits bound) {
        this.attempt = attempt;
        this.bound = bound;
    }

    /** @param mayBeCancelled whether {@link #cancelOperation} may come */
    void follow(CompletionStage<T> operation, boolean mayBeCancelled) {
        if (mayBeCancelled && operation instanceof Future<?> future) {
            cancellable = future;
        }
        Stages.observe(operation, this);
        if (cancelled) { // perhaps before the operation was here to be cancelled
            cancelOperation();
        }
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        StackRoom.require(); // before anything happens: the thread that ends the stage leaves the layers
        if (!ENDED.compareAndSet(this, 0, 1)) {
            return;
        }
        Attempt<T> told = attempt;
        try {
            if (bound != null) {
                bound.release(value, error);
            }
        } finally {
            if (told != null) {
                told.operationEnded(value, error);
            }
        }
    }

    @Override
    public @Nullable Void apply(@Nullable T value, @Nullable Throwable error) {
        accept(value, error);
        return null;
    }

    /** The attempt has ended. */
    void letGo() {
        attempt = null;
    }

    /** Cancels the operation, if its stage can be cancelled. */
    void cancelOperation() {
        cancelled = true;
        Future<?> future = cancellable;
        if (future != null) {
            try {
                future.cancel(true);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }
}
