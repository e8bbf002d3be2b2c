package io.tidegate.bulkhead;

import io.tidegate.stage.DecidedFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The returned future of an admitted submission under {@link PermitLifetime#RETURNED_STAGE}. */
class BulkheadSubmission<T> extends DecidedFuture<T> {
    /*
     * The future holds its own permit: `permit` is
     *
     *   the bulkhead    open; one compare-and-set from it to RELEASING is the decision that ends this submission
     *   RELEASING       decided; the winner is about to give the permit back
     *   null            the permit is back
     *
     * The winner gives the permit back, notifies the listener, and only then publishes the result (see DecidedFuture).
     * So the permit is free before anyone can see the end.
     *
     * A thread that ends an operation may be at the end of its stack; then any call in here may throw. Giving back
     * takes effect in its last step: if it throws, the permit is still out, and the future is open again. The field is
     * repaired by a plain write, which needs no stack.
     *
     * The constructor's write needs no fence: another thread gets the future through the operation's own atomic
     * registration of the hook, or from this thread.
     */
    private static final Object RELEASING = new Object();

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<BulkheadSubmission, @Nullable Object> PERMIT =
            AtomicReferenceFieldUpdater.newUpdater(BulkheadSubmission.class, Object.class, "permit");

    @SuppressWarnings("unused") // written through PERMIT
    private volatile @Nullable Object permit;

    BulkheadSubmission(PermitBulkhead bulkhead) {
        PERMIT.lazySet(this, bulkhead);
    }

    @Override
    protected final boolean settle(@Nullable Throwable error) {
        if (!(permit instanceof PermitBulkhead bulkhead) || !PERMIT.compareAndSet(this, bulkhead, RELEASING)) {
            return false;
        }
        try {
            bulkhead.giveBack(error);
        } catch (Throwable outOfStack) {
            permit = bulkhead;
            throw outOfStack;
        }
        try {
            PERMIT.lazySet(this, null);
            bulkhead.tellReleased(error);
            released(bulkhead, error);
        } catch (Throwable outOfStack) {
            permit = null;
        }
        return true;
    }

    /** Called when the permit is back and the listener was notified. */
    void released(PermitBulkhead bulkhead, @Nullable Throwable error) {}

    @Override
    protected final boolean isReturned() {
        return permit == null;
    }
}
