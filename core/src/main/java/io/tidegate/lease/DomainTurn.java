package io.tidegate.lease;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A turn of a domain on its way to the executor. Is taken once: to run it, to send it again, or to stop it. */
final class DomainTurn implements Runnable {
    /** What it waits for, if it waits. */
    enum Wait {
        /** The time of a retry. */
        RETRY,
        /** Better luck; new work in the domain is a reason to come at once. */
        LUCK,
        /** A thread, which the executor had not. */
        THREAD,
        /** To tell the lease the outcome of an attempt, which is inside the gate. */
        TELL
    }

    final ActiveDomain domain;
    final Wait wait;

    private final Runnable body;
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile boolean waits;
    private volatile @Nullable Future<?> timer;

    DomainTurn(ActiveDomain domain, Wait wait, Runnable body) {
        this.domain = domain;
        this.wait = wait;
        this.body = body;
    }

    boolean take() {
        return taken.compareAndSet(false, true);
    }

    @Override
    public void run() {
        if (take()) {
            body.run();
        }
    }

    /** The same turn, for who has taken this one. */
    DomainTurn again() {
        return new DomainTurn(domain, wait, body);
    }

    /** The same turn, for who has taken this one and got no thread for it. */
    DomainTurn refused() {
        return new DomainTurn(domain, wait == Wait.TELL ? wait : Wait.THREAD, body);
    }

    void setWaits(boolean waits) {
        this.waits = waits;
    }

    boolean waits() {
        return waits;
    }

    void setTimer(Future<?> timer) {
        this.timer = timer;
    }

    void cancelTimer() {
        Future<?> set = timer;
        if (set != null) {
            set.cancel(false);
        }
    }
}
