package io.tidegate.bulkhead;

import io.tidegate.stage.DecidedFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The returned future of an admitted submission under {@link PermitLifetime#RETURNED_STAGE}. */
class Submission<T> extends DecidedFuture<T> {
    /*
     * The future holds its own permit: `permit` is
     *
     *   the bulkhead    open; one compare-and-set away from it is the decision that ends this submission
     *   RELEASING       decided; the winner is about to give the permit back
     *   null            the permit is back
     *
     * The winner gives the permit back, notifies the listener, and only then publishes the result (see DecidedFuture).
     * So the permit is free before anyone can see the end.
     *
     * A thread that ends an operation may be at the end of its stack; then any call in here may throw. Giving back
     * takes effect as its last step: if it throws, the permit is still out, and the future is open again. A state is
     * repaired by a write to the field, which needs no stack.
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
            tell(bulkhead, error);
        } catch (Throwable outOfStack) {
            permit = null;
        }
        return true;
    }

    /** The permit is back, and the listener told. */
    void tell(PermitBulkhead bulkhead, @Nullable Throwable error) {}

    @Override
    protected final boolean isReturned() {
        return permit == null;
    }
}
