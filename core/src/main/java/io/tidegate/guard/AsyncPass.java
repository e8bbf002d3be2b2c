package io.tidegate.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The request of an attempt to a remote bulkhead, from its submission until its permit is back. */
final class AsyncPass extends RemotePass {
    /*
     * `admission` is the future that the client has returned: null before that, and LEFT once the attempt has left.
     */
    private static final Object LEFT = "LEFT";

    private static final AtomicReferenceFieldUpdater<AsyncPass, @Nullable Object> ADMISSION =
            AtomicReferenceFieldUpdater.newUpdater(AsyncPass.class, Object.class, "admission");

    private volatile @Nullable Attempt<?> attempt; // null once the attempt has left
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

    /** Called when the client has answered. Returns whether it admitted the request at once. */
    boolean keep(CompletableFuture<@Nullable Object> answer) {
        submitter = null;
        if (!ADMISSION.compareAndSet(this, null, answer)) {
            answer.cancel(false);
        }
        return atOnce;
    }

    /** Gives up the wait; or gives the permit back, unless the operation holds it. */
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

    /** Gives the permit back when nothing was started with it. */
    void giveBack() {
        endOperation(null);
        leave(null);
    }

    /** Called when no operation runs any more that may hold the permit. */
    void endOperation(@Nullable Throwable error) {
        if (error == null) {
            complete(null);
        } else {
            completeExceptionally(error);
        }
    }
}
