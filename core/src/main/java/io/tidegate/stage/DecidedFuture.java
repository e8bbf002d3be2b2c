package io.tidegate.stage;

import static java.util.Objects.requireNonNull;

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
     * Every way in which a CompletableFuture can be made terminal from outside is overridden to ask `settle` first. Its
     * winner has done all that must come before the end, and only then lets the superclass publish the result: so what
     * was notified is the state published, because no other thread publishes.
     *
     * A loser returns false. Where the end can be seen already it first helps to run the dependents, as the JDK's own
     * futures do, so that none waits behind one that blocks. While the winner is between its two steps there is nothing
     * to help with; waiting there would make the loser wait for a listener.
     *
     * Obtruding is the exception, since it must take effect even on a future that has ended. If it loses, it waits
     * until what the winner gives back is back, so that it, too, never shows an end whose place is taken. That wait is
     * bounded, by some seconds: the winner may have been stopped in between for any time.
     *
     * With the stack at its end the winner may fail to publish. It then leaves UNPUBLISHED in place of the hook, by a
     * write that needs no stack, and from there on any thread may end the future.
     */
    private static final Hook<?> UNPUBLISHED = new EndHook<>();

    private static final int SPINS = 100;
    private static final long LONGEST_WAIT_NANOS = 2_000_000_000L;

    private @Nullable Hook<T> hook;

    /** Whether this caller may publish the end; all that must come before the end is seen has then been done. */
    protected abstract boolean settle(@Nullable Throwable error);

    /** Called by the winner once the end can be seen. */
    protected void afterEnd() {}

    /** Whether what the winner of {@link #settle} gives back is back. */
    protected abstract boolean isReturned();

    /** Ends when the hook, which is registered with the operation, ends it. */
    public final void follow(CompletionStage<T> operation, Hook<T> hook) {
        this.hook = hook;
        Stages.observe(operation, hook);
        if (isDone()) { // perhaps before there was a hook to let go of this
            hook.letGo();
        }
    }

    /** The operation's end, or that of the wait for it; nothing if this has ended otherwise. */
    public final void end(@Nullable T value, @Nullable Throwable error) {
        tryEnd(value, error);
    }

    /* One frame holds both steps, so that no call between them can fail unseen. */
    @SuppressWarnings({"ReferenceEquality", "unchecked"}) // it is only a marker
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

    /**
     * Publishes a decided end. If that fails for lack of stack, any thread may end this future.
     */
    @SuppressWarnings("unchecked") // as above
    protected final void publishDecided(@Nullable T value, @Nullable Throwable error) {
        try {
            publish(value, error);
        } catch (Throwable outOfStack) {
            hook = (Hook<T>) UNPUBLISHED;
            throw outOfStack;
        }
    }

    /** The end, once it is decided; whether it was this one. */
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

    /* The superclass runs what dependents are left, and answers false as it has a result. */
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

    @SuppressWarnings("ThreadPriorityCheck") // a winner that waits for this very processor goes on
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
