package io.tidegate.remote;

import io.tidegate.slice.SliceLease;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.time.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the notifications that a locked section has collected: to waiters, users, the event sink and the keeper of
 * a slice. It holds nothing meanwhile.
 */
final class Notifier {
    private final BackoffLock lock;
    private final Admission admission;
    private final @Nullable SinkFeed feed;
    private final @Nullable SliceLease lease;
    private final Runnable left = this::tellLeft; // linked here, where there is enough stack

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
     * An admitted request that is not notified would be a lost permit. If there is no stack to notify it, another
     * thread does it, or the next thread that comes. Notifying it twice changes nothing.
     */
    private void leave(PendingNotifications rest) {
        lock.take();
        try {
            admission.leave(rest);
        } finally {
            lock.state = BackoffLock.FREE;
        }
        try {
            Timekeeper.now(left);
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
