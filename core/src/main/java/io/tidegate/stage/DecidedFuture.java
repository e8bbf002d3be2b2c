package io.tidegate.stage;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A future that is also the hook on its operation, and of which every end is decided once, before it can be seen. */
public abstract class DecidedFuture<T> extends CompletableFuture<T> implements Hook<T> {
    /*
     * Every way in which a CompletableFuture can be made terminal from outside is overridden to ask `settle` first. Its one
     * winner has done all that must come before the end, and only then lets the superclass publish the result: so what was
     * told is the state published, as nobody else gets to publish.
     *
     * A loser returns at once and may see the future not yet done, while the winner is between the two steps. Waiting
     * there would make the loser wait for a listener.
     *
     * Obtruding is the exception, since it must take effect even on a future that has ended. If it loses, it waits until
     * what the winner gives back is back, so that it, too, never shows an end whose place is taken.
     */

    /** Whether this caller decided the end; all that must come before the end is seen has then been done. */
    protected abstract boolean settle(@Nullable Throwable error);

    /** Called by the winner once the end can be seen. */
    protected void afterEnd() {}

    /** Waits for what an earlier winner of {@link #settle} gives back: a few instructions, no user code. */
    protected abstract void awaitReturn();

    @Override
    public final void accept(@Nullable T value, @Nullable Throwable error) {
        if (settle(error)) {
            publish(value, error);
        }
    }

    /** The end, once it is decided. */
    protected final void publish(@Nullable T value, @Nullable Throwable error) {
        if (error != null) {
            super.completeExceptionally(error);
        } else {
            super.complete(value);
        }
        afterEnd();
    }

    @Override
    public final boolean complete(@Nullable T value) {
        if (!settle(null)) {
            return false;
        }
        boolean done = super.complete(value);
        afterEnd();
        return done;
    }

    @Override
    public final boolean completeExceptionally(Throwable error) {
        requireNonNull(error, "error");
        if (!settle(error)) {
            return false;
        }
        boolean done = super.completeExceptionally(error);
        afterEnd();
        return done;
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        return (!isDone() && completeExceptionally(new CancellationException())) || isCancelled();
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
    public final void obtrudeValue(@Nullable T value) {
        boolean won = settle(null);
        if (!won) {
            awaitReturn();
        }
        super.obtrudeValue(value);
        if (won) {
            afterEnd();
        }
    }

    @Override
    public final void obtrudeException(Throwable error) {
        requireNonNull(error, "error");
        boolean won = settle(error);
        if (!won) {
            awaitReturn();
        }
        super.obtrudeException(error);
        if (won) {
            afterEnd();
        }
    }
}
