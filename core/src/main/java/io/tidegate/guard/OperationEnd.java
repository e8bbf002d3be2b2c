package io.tidegate.guard;

import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The callback for the end of an operation: passes the first end on to the attempt. */
final class OperationEnd<T>
        implements BiConsumer<@Nullable T, @Nullable Throwable>,
                BiFunction<@Nullable T, @Nullable Throwable, @Nullable Void> {
    /*
     * An operation may never end, and keeps this object alive until then. So this object lets go of an attempt that has
     * ended, and with it of the value or error that the caller got. It keeps only the permits that the operation holds,
     * if there are any.
     */
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<OperationEnd> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(OperationEnd.class, "ended");

    private volatile @Nullable Attempt<T> attempt;
    private final @Nullable OperationPermits permits;
    private volatile @Nullable Future<?> cancellable;
    private volatile boolean cancelled;

    @SuppressWarnings("unused") // written through ENDED
    private volatile int ended;

    OperationEnd(Attempt<T> attempt, @Nullable OperationPermits permits) {
        this.attempt = attempt;
        this.permits = permits;
    }

    /** @param mayBeCancelled whether {@link #cancelOperation} may be called */
    void follow(CompletionStage<T> operation, boolean mayBeCancelled) {
        if (mayBeCancelled && operation instanceof Future<?> future) {
            cancellable = future;
        }
        Stages.observe(operation, this);
        if (cancelled) { // perhaps before `cancellable` was set
            cancelOperation();
        }
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        StackRoom.require(); // first, because the thread that ends the stage leaves the layers
        if (!ENDED.compareAndSet(this, 0, 1)) {
            return;
        }
        Attempt<T> notified = attempt;
        try {
            if (permits != null) {
                permits.release(value, error);
            }
        } finally {
            if (notified != null) {
                notified.operationEnded(value, error);
            }
        }
    }

    @Override
    public @Nullable Void apply(@Nullable T value, @Nullable Throwable error) {
        accept(value, error);
        return null;
    }

    /** Called when the attempt has ended. */
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
