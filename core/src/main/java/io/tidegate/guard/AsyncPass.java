package io.tidegate.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A place at a remote bulkhead. */
final class AsyncPass extends RemotePass {
    /*
     * `place` is the client's future; null until it has returned it, and LEFT if the attempt ended before.
     */
    private static final Object LEFT = "LEFT";

    private static final AtomicReferenceFieldUpdater<AsyncPass, @Nullable Object> PLACE =
            AtomicReferenceFieldUpdater.newUpdater(AsyncPass.class, Object.class, "place");

    private volatile @Nullable Attempt<?> attempt; // until it has left
    private @Nullable Thread submitter = Thread.currentThread();
    private boolean atOnce;

    @SuppressWarnings("unused") // written and read through PLACE
    private volatile @Nullable Object place;

    AsyncPass(Attempt<?> attempt) {
        this.attempt = attempt;
    }

    @Override
    void admitted() {
        if (Thread.currentThread().equals(submitter)) {
            atOnce = true;
        } else {
            Attempt<?> waiting = attempt;
            if (waiting == null) {
                giveBack();
            } else {
                waiting.admitted(this);
            }
        }
    }

    /** The client has answered: whether it was let in at once. */
    boolean keep(CompletableFuture<@Nullable Object> answer) {
        submitter = null;
        if (!PLACE.compareAndSet(this, null, answer)) {
            answer.cancel(false);
        }
        return atOnce;
    }

    /** The permit goes back now, unless it is bound to the operation; or the place in the queue does. */
    void leave(@Nullable Throwable error) {
        attempt = null;
        Object seen = PLACE.getAndSet(this, LEFT);
        if (seen instanceof CompletableFuture<?> future) {
            if (error == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(error);
            }
        }
    }

    /** The permit goes back now; nothing was started with it. */
    void giveBack() {
        endOperation(null);
        leave(null);
    }

    /** Nothing runs any more for which a permit might be bound. */
    void endOperation(@Nullable Throwable error) {
        if (error == null) {
            complete(null);
        } else {
            completeExceptionally(error);
        }
    }
}
