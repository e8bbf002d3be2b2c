package io.tidegate.lease;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The next step of a domain, on its way to the executor. One thread takes it: to run it, to send it again, or to cancel
 * it.
 */
final class DomainTurn implements Runnable {
    /** What a turn waits for, if it waits. */
    enum Wait {
        /** The time of a retry. */
        RETRY,
        /** The end of a pause after a setback. New work in the domain ends the pause. */
        SETBACK,
        /** A thread, because the executor had none. */
        THREAD,
        /** Another try to report an attempt's outcome to the lease; the attempt is inside the gate until then. */
        REPORT
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

    /** Returns the same turn again, for the thread that has taken this one. */
    DomainTurn again() {
        return new DomainTurn(domain, wait, body);
    }

    /** As {@link #again}, if the executor had no thread for the turn. */
    DomainTurn refused() {
        return new DomainTurn(domain, wait == Wait.REPORT ? wait : Wait.THREAD, body);
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
