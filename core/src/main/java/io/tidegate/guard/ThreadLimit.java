package io.tidegate.guard;

import io.tidegate.stage.Stages;
import io.tidegate.time.Timekeeper;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A time limit on a call that runs on its caller's thread. */
final class ThreadLimit extends Timekeeper.Alarm implements Deadline {
    /*
     * Whether a call ended in time is one decision, between the clock and the thread:
     *
     *   ARMED    the call runs
     *   HELD     the call has ended in time; a retry may make another one
     *   LATE     as HELD, but the time is up: there is no other call
     *   FIRED    the time was up first
     *   OVER     the limit has been left
     *
     * The thread holds all limits of its call as soon as the call has ended, so that a breaker inside a limit counts
     * what the limit then answers.
     *
     * An interrupt has no sender. So nested limits on a thread, of one guard or of several, share a ledger, the
     * outermost limit: it knows whether an interrupt is one of theirs. When a limit that has fired is left, that
     * interrupt is cleared, unless a limit further out has fired whose call still runs. The clock interrupts only under
     * the ledger's lock and only a limit that was not left, so that no interrupt comes afterwards.
     */
    private static final int ARMED = 0;
    private static final int HELD = 1;
    private static final int LATE = 2;
    private static final int FIRED = 3;
    private static final int OVER = 4;

    private static final AtomicIntegerFieldUpdater<ThreadLimit> STATE =
            AtomicIntegerFieldUpdater.newUpdater(ThreadLimit.class, "state");

    private final @Nullable Deadline outer;
    private final Thread thread = Thread.currentThread();
    private final long at;
    private volatile int state = ARMED;

    // Guarded by the ledger's lock
    private boolean interrupted;

    // The ledger's own, guarded by its lock
    private boolean fromLimit;
    private short fired;

    /** @param outer the thread's deadline before */
    ThreadLimit(long at, @Nullable Deadline outer) {
        this.at = Deadline.earlier(at, outer);
        this.outer = outer;
    }

    /** The outermost limit on this thread. */
    private ThreadLimit ledger() {
        ThreadLimit outermost = this;
        for (Deadline next = outer; next != null; ) {
            if (next instanceof ThreadLimit limit) {
                outermost = limit;
                next = limit.outer;
            } else {
                next = ((Plain) next).around();
            }
        }
        return outermost;
    }

    @Override
    public long at() {
        return at;
    }

    /** The time is up. */
    @Override
    public void run() {
        for (; ; ) {
            if (STATE.compareAndSet(this, ARMED, FIRED)) {
                interrupt();
                return;
            }
            if (state != ARMED && (state != HELD || STATE.compareAndSet(this, HELD, LATE))) {
                return;
            }
        }
    }

    private void interrupt() {
        ThreadLimit ledger = ledger();
        synchronized (ledger) {
            if (state == OVER) {
                return;
            }
            interrupted = true;
            ledger.fired++;
            if (!thread.isInterrupted()) { // an interrupt of its caller's stays
                ledger.fromLimit = true;
                thread.interrupt();
            }
        }
    }

    /**
     * The call has ended, or none is being made. Returns whether no limit has fired before.
     *
     * @param depth how many limits are around the call
     */
    static boolean hold(@Nullable Deadline innermost, int depth) {
        boolean inTime = true;
        Deadline next = innermost;
        for (int i = 0; i < depth && next instanceof ThreadLimit limit; i++) {
            STATE.compareAndSet(limit, ARMED, HELD);
            inTime &= limit.state != FIRED;
            next = limit.outer;
        }
        return inTime;
    }

    /** Another call follows. Returns whether there is time for one. */
    static boolean resume(@Nullable Deadline innermost, int depth) {
        boolean inTime = true;
        Deadline next = innermost;
        for (int i = 0; i < depth && next instanceof ThreadLimit limit; i++) {
            STATE.compareAndSet(limit, HELD, ARMED);
            inTime &= limit.state == ARMED;
            next = limit.outer;
        }
        return inTime;
    }

    static boolean hasFired(@Nullable Deadline innermost, int depth) {
        boolean fired = false;
        Deadline next = innermost;
        for (int i = 0; i < depth && next instanceof ThreadLimit limit; i++) {
            fired |= limit.state == FIRED;
            next = limit.outer;
        }
        return fired;
    }

    /** Called when the time of one of the limits is up. Returns whether that limit has yet to fire. */
    boolean isAboutToFire() {
        ThreadLimit owner = this;
        Deadline next = outer;
        while (next instanceof ThreadLimit limit && limit.at == at) {
            owner = limit;
            next = limit.outer;
        }
        boolean ofOther = next != null && next.at() == at;
        return !ofOther && owner.state == ARMED;
    }

    /**
     * Leaves the limit, on its thread. Returns whether it has fired; its interrupt is gone then.
     *
     * @param error what the call ended with; an interrupt in it that was there before the limit's is the caller's
     */
    boolean leave(@Nullable Throwable error) {
        for (int seen = state; seen != FIRED; seen = state) {
            if (STATE.compareAndSet(this, seen, OVER)) {
                return false;
            }
        }
        ThreadLimit ledger = ledger();
        synchronized (ledger) {
            state = OVER;
            if (interrupted) {
                takeBack(ledger, Stages.bare(error) instanceof InterruptedException);
            }
        }
        return true;
    }

    private void takeBack(ThreadLimit ledger, boolean interruptedCall) {
        ledger.fired--;
        if (ledger.fromLimit) {
            Thread.interrupted();
            ledger.fromLimit = ledger.fired > 0;
            if (ledger.fromLimit) {
                thread.interrupt();
            }
        } else if (interruptedCall) {
            thread.interrupt();
        }
    }
}
