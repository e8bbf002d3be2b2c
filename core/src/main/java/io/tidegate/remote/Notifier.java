package io.tidegate.remote;

import io.tidegate.slice.SliceLease;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.time.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the notifications that a section of the bulkhead's lock has collected: to waiters, users, the event sink and
 * the keeper of a slice. It holds no lock meanwhile.
 */
final class Notifier {
    private final BackoffLock lock;
    private final Admission admission;
    private final @Nullable SinkFeed feed;
    private final @Nullable SliceLease lease;
    private final Runnable tellLeft = this::tellLeft; // linked here, where there is enough stack

    /** @param lock the bulkhead's */
    Notifier(BackoffLock lock, Admission admission, @Nullable SinkFeed feed, @Nullable SliceLease lease) {
        this.lock = lock;
        this.admission = admission;
        this.feed = feed;
        this.lease = lease;
    }

    void tell(PendingNotifications told) {
        handOver(told);
        tellEnds(told);
    }

    void handOver(PendingNotifications told) {
        try {
            told.handOver();
        } catch (Throwable outOfStack) {
            leave(told);
        }
    }

    /** Delivers the rest, after {@link #handOver}. */
    void tellEnds(PendingNotifications told) {
        try {
            told.tellEnds();
        } catch (Throwable outOfStack) {
            leave(told);
        }
        if (feed != null) {
            feed.tell();
        }
        if (lease != null) {
            lease.tellKeeper();
        }
    }

    /*
     * An admitted request that is not notified would be a lost permit. If there is too little stack to notify it, a
     * runner thread does so, or the next thread that uses the bulkhead. Notifying a request twice changes nothing.
     */
    private void leave(PendingNotifications rest) {
        lock.take();
        try {
            admission.leave(rest);
        } finally {
            lock.state = BackoffLock.FREE;
        }
        try {
            Timekeeper.now(tellLeft);
        } catch (Throwable outOfStack) {
            // the next thread does it
        }
    }

    private void tellLeft() {
        PendingNotifications told;
        lock.take();
        try {
            told = admission.settle(admission.latestMs());
        } finally {
            lock.state = BackoffLock.FREE;
        }
        tell(told);
    }
}
