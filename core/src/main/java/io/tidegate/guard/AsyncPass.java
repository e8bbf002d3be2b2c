package io.tidegate.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A request of an attempt at a remote bulkhead, from its submission until its permit is back. */
final class AsyncPass extends RemotePass {
    /*
     * `admission` is the client's future: null until the client has returned it, and LEFT if the attempt ended first.
     */
    private static final Object LEFT = "LEFT";

    private static final AtomicReferenceFieldUpdater<AsyncPass, @Nullable Object> ADMISSION =
            AtomicReferenceFieldUpdater.newUpdater(AsyncPass.class, Object.class, "admission");

    private volatile @Nullable Attempt<?> attempt; // until it has left
    private @Nullable Thread submitter = Thread.currentThread();
    private boolean atOnce;

    @SuppressWarnings("unused") // written and read through ADMISSION
    private volatile @Nullable Object admission;

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

    /** The client has answered; returns whether it admitted the request at once. */
    boolean keep(CompletableFuture<@Nullable Object> answer) {
        submitter = null;
        if (!ADMISSION.compareAndSet(this, null, answer)) {
            answer.cancel(false);
        }
        return atOnce;
    }

    /** Gives up the wait, or gives the permit back, unless the permit is bound to the operation. */
    void leave(@Nullable Throwable error) {
        attempt = null;
        Object seen = ADMISSION.getAndSet(this, LEFT);
        if (seen instanceof CompletableFuture<?> future) {
            if (error == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(error);
            }
        }
    }

    /** Gives the permit back; nothing was started with it. */
    void giveBack() {
        endOperation(null);
        leave(null);
    }

    /** Nothing runs any more to which a permit might be bound. */
    void endOperation(@Nullable Throwable error) {
        if (error == null) {
            complete(null);
        } else {
            completeExceptionally(error);
        }
    }
}
