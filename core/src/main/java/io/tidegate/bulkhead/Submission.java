package io.tidegate.bulkhead;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The returned future of an admitted submission under {@link PermitLifetime#RETURNED_STAGE}. */
final class Submission<T> extends CompletableFuture<T> implements Hook<T> {
    /*
     * The future is its own hook on the operation, and holds its own permit: `permit` is
     *
     *   the bulkhead    open; one compare-and-set away from it is the decision that ends this submission
     *   RELEASING       decided; the winner is about to give the permit back
     *   null            the permit is back
     *
     * Every way in which a CompletableFuture can be made terminal from outside is overridden to go through settle. The
     * winner gives the permit back, tells the listener, and only then lets the superclass publish the result: so the kind
     * told is the state published (nobody else gets to publish), and a place is free before anyone can see the end.
     *
     * A loser returns at once and may see the future not yet done, while the winner is between the two steps. Waiting
     * there would make the loser wait for the listener.
     *
     * Obtruding is the exception, since it must take effect even on a future that has ended. It takes the permit if that is
     * still there. Otherwise it waits until the permit is back (a few instructions of the winner, no user code), so that
     * it, too, never shows an end whose place is taken.
     *
     * The constructor's write needs no fence: a thread gets hold of the future through the operation's own atomic
     * registration of the hook, or from this thread.
     */
    private static final Object RELEASING = new Object();

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<Submission, @Nullable Object> PERMIT =
            AtomicReferenceFieldUpdater.newUpdater(Submission.class, Object.class, "permit");

    @SuppressWarnings("unused") // written through PERMIT
    private volatile @Nullable Object permit;

    Submission(PermitBulkhead bulkhead) {
        PERMIT.lazySet(this, bulkhead);
    }

    private boolean settle(@Nullable Throwable error) {
        if (!(permit instanceof PermitBulkhead bulkhead) || !PERMIT.compareAndSet(this, bulkhead, RELEASING)) {
            return false;
        }
        try {
            bulkhead.giveBack();
        } catch (Throwable outOfStack) {
            PERMIT.lazySet(this, bulkhead); // undecided again, rather than impossible to end
            throw outOfStack;
        }
        PERMIT.lazySet(this, null);
        bulkhead.tellReleased(error);
        return true;
    }

    private void settleOrAwaitRelease(@Nullable Throwable error) {
        if (!settle(error)) {
            while (permit != null) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        if (settle(error)) {
            if (error != null) {
                super.completeExceptionally(error);
            } else {
                super.complete(value);
            }
        }
    }

    @Override
    public boolean complete(@Nullable T value) {
        return settle(null) && super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        requireNonNull(error, "error");
        return settle(error) && super.completeExceptionally(error);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return (!isDone() && completeExceptionally(new CancellationException())) || isCancelled();
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
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
    public void obtrudeValue(@Nullable T value) {
        settleOrAwaitRelease(null);
        super.obtrudeValue(value);
    }

    @Override
    public void obtrudeException(Throwable error) {
        requireNonNull(error, "error");
        settleOrAwaitRelease(error);
        super.obtrudeException(error);
    }
}
