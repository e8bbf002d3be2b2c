package io.tidegate.stage;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A future whose every end is decided before it becomes visible. */
public abstract class DecidedFuture<T> extends CompletableFuture<T> {
    /*
     * Every way in which a CompletableFuture can be ended from outside is overridden to ask `settle` first. The winner
     * has done everything that must come before the end, and only then lets the superclass publish the result. So
     * listeners get exactly the end that is published, because no other thread publishes.
     *
     * A loser returns false. If the end is visible already, the loser first helps to run the dependents, as the JDK's
     * own futures do, so that no dependent waits behind one that blocks. While the winner is between its two steps
     * there is nothing to help with, and a loser that waited for the winner would wait for a listener.
     *
     * Obtruding is the exception, because it must take effect even on a future that has ended. A thread that obtrudes
     * and loses waits until the winner has given back what it holds, so that obtruding, too, never shows an end whose
     * permit is still taken. That wait is limited to some seconds, because the winner may be stopped between its steps
     * for any time.
     *
     * At the end of the stack the winner may fail to publish. It then replaces the hook by UNPUBLISHED, by a write that
     * needs no stack, and from then on any thread may end the future.
     */
    private static final Hook<?> UNPUBLISHED = new EndHook<>();

    private static final int SPINS = 100;
    private static final long LONGEST_WAIT_NANOS = 2_000_000_000L;

    private @Nullable Hook<T> hook;

    /**
     * Decides the end, and does everything that must come before the end is visible. Returns whether this caller won,
     * and so may publish the end.
     */
    protected abstract boolean settle(@Nullable Throwable error);

    /** Called by the winner once the end is visible. */
    protected void afterEnd() {}

    /** Returns whether the winner of {@link #settle} has given back what it holds. */
    protected abstract boolean isReturned();

    /** Registers the hook with the operation, so that the operation's end ends this future. */
    public final void follow(CompletionStage<T> operation, Hook<T> hook) {
        VarHandle.releaseFence(); // other threads see the hook's fields, however they get the hook
        this.hook = hook;
        Stages.observe(operation, hook);
        if (isDone()) { // perhaps since before `hook` was set
            hook.letGo();
        }
    }

    /**
     * Ends this future with the end of the operation, or of the wait for it; does nothing if this future has ended
     * already.
     */
    public final void end(@Nullable T value, @Nullable Throwable error) {
        tryEnd(value, error);
    }

    /* Both steps are in one frame, so that no failure of a call between them goes unnoticed. */
    @SuppressWarnings({"ReferenceEquality", "unchecked"}) // UNPUBLISHED is only a marker
    private boolean tryEnd(@Nullable T value, @Nullable Throwable error) {
        if (!settle(error) && hook != UNPUBLISHED) {
            return helpDependents();
        }
        try {
            return publish(value, error);
        } catch (Throwable outOfStack) {
            hook = (Hook<T>) UNPUBLISHED;
            throw outOfStack;
        }
    }

    /** Publishes a decided end. If that fails for lack of stack, any thread may end this future. */
    @SuppressWarnings("unchecked") // as above
    protected final void publishDecided(@Nullable T value, @Nullable Throwable error) {
        try {
            publish(value, error);
        } catch (Throwable outOfStack) {
            hook = (Hook<T>) UNPUBLISHED;
            throw outOfStack;
        }
    }

    /** Publishes a decided end; returns whether this call did it. */
    protected final boolean publish(@Nullable T value, @Nullable Throwable error) {
        boolean published = error != null ? super.completeExceptionally(error) : super.complete(value);
        letGo();
        afterEnd();
        return published;
    }

    private void letGo() {
        Hook<T> seen = hook;
        if (seen != null) {
            seen.letGo();
        }
    }

    @Override
    public final boolean complete(@Nullable T value) {
        return tryEnd(value, null);
    }

    @Override
    public final boolean completeExceptionally(Throwable error) {
        return tryEnd(null, requireNonNull(error, "error"));
    }

    /* The superclass runs the remaining dependents, and answers false because it has a result. */
    private boolean helpDependents() {
        return isDone() && super.complete(null);
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            helpDependents();
            return isCancelled();
        }
        return completeExceptionally(new CancellationException()) || isCancelled();
    }

    @Override
    public final CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        requireNonNull(supplier, "supplier");
        requireNonNull(executor, "executor").execute(() -> completeFrom(supplier));
        return this;
    }

    private void completeFrom(Supplier<? extends T> supplier) {
        if (isDone()) {
            return;
        }
        T value;
        try {
            value = supplier.get();
        } catch (Throwable thrown) {
            completeExceptionally(thrown instanceof CompletionException ? thrown : new CompletionException(thrown));
            return;
        }
        complete(value);
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public final void obtrudeValue(@Nullable T value) {
        boolean won = settleForObtruding(null);
        try {
            super.obtrudeValue(value);
        } catch (Throwable outOfStack) {
            hook = (Hook<T>) UNPUBLISHED;
            throw outOfStack;
        }
        afterObtruding(won);
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public final void obtrudeException(Throwable error) {
        requireNonNull(error, "error");
        boolean won = settleForObtruding(error);
        try {
            super.obtrudeException(error);
        } catch (Throwable outOfStack) {
            hook = (Hook<T>) UNPUBLISHED;
            throw outOfStack;
        }
        afterObtruding(won);
    }

    @SuppressWarnings("ThreadPriorityCheck") // lets the winner run if it waits for this processor
    private boolean settleForObtruding(@Nullable Throwable error) {
        if (settle(error)) {
            return true;
        }
        long began = System.nanoTime();
        for (int i = 0; !isReturned() && System.nanoTime() - began < LONGEST_WAIT_NANOS; i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        return false;
    }

    private void afterObtruding(boolean won) {
        letGo();
        if (won) {
            afterEnd();
        }
    }
}
