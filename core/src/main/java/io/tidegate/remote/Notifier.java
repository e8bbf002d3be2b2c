package io.tidegate.remote;

import io.tidegate.slice.SliceLease;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.time.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a section of the bulkhead has left to tell: waiters, users, the sink, the keeper of a slice. With nothing
 * held.
 */
final class Notifier {
    private final BackoffLock lock;
    private final Admission admission;
    private final @Nullable SinkFeed feed;
    private final @Nullable SliceLease lease;
    private final Runnable left = this::tellLeft; // linked here, where there is stack for it

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

    /** The rest, after {@link #handOver}. */
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
     * One let in whom nobody told would be a permit lost. Where there is no stack to tell it, another thread does, or
     * whoever comes next. Being told twice changes nothing.
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
            // whoever comes next
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
