package io.tidegate.guard;

import io.tidegate.stage.Stages;
import io.tidegate.time.Timekeeper;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A time limit on a call that runs on its caller's thread, which it interrupts. */
final class SyncTimeLimit extends Timekeeper.Alarm implements Deadline {
    /*
     * Whether a call ended in time is one decision, between the clock and the thread:
     *
     *   ARMED    the call runs
     *   HELD     the call has ended in time; a retry may make another call
     *   LATE     as HELD, but the time is up: no other call follows
     *   FIRED    the time was up first
     *   OVER     the limit has been left
     *
     * As soon as a call has ended, its thread holds all limits around it. So a breaker inside a limit counts the
     * outcome that the limit reports.
     *
     * An interrupt does not show its sender. So nested limits on a thread, of one guard or of several, share a ledger,
     * which is the outermost limit: the ledger knows whether an interrupt came from one of them. When a limit that has
     * fired is left, the interrupt is cleared, unless a limit further out has fired, too, and its call still runs. The
     * clock interrupts only under the ledger's lock, and only for a limit that was not left, so that no interrupt comes
     * afterwards.
     */
    private static final int ARMED = 0;
    private static final int HELD = 1;
    private static final int LATE = 2;
    private static final int FIRED = 3;
    private static final int OVER = 4;

    private static final AtomicIntegerFieldUpdater<SyncTimeLimit> STATE =
            AtomicIntegerFieldUpdater.newUpdater(SyncTimeLimit.class, "state");

    private final @Nullable Deadline outer;
    private final Thread thread = Thread.currentThread();
    private final long at;
    private volatile int state = ARMED;

    // Guarded by the ledger's lock
    private boolean interrupted;

    // Used in the ledger only; guarded by its lock
    private boolean fromLimit;
    private short fired;

    /** @param outer the thread's deadline before */
    SyncTimeLimit(long at, @Nullable Deadline outer) {
        this.at = Deadline.earlier(at, outer);
        this.outer = outer;
    }

    /** The outermost limit on this thread. */
    private SyncTimeLimit ledger() {
        SyncTimeLimit outermost = this;
        for (Deadline next = outer; next != null; ) {
            if (next instanceof SyncTimeLimit limit) {
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

    /** Called when the time is up. */
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
        SyncTimeLimit ledger = ledger();
        synchronized (ledger) {
            if (state == OVER) {
                return;
            }
            interrupted = true;
            ledger.fired++;
            if (!thread.isInterrupted()) { // an earlier interrupt is the caller's, and stays
                ledger.fromLimit = true;
                thread.interrupt();
            }
        }
    }

    /**
     * Holds the limits, because the call has ended or none is being made. Returns whether no limit had fired before.
     *
     * @param depth how many limits are around the call
     */
    static boolean hold(@Nullable Deadline innermost, int depth) {
        boolean inTime = true;
        Deadline next = innermost;
        for (int i = 0; i < depth && next instanceof SyncTimeLimit limit; i++) {
            STATE.compareAndSet(limit, ARMED, HELD);
            inTime &= limit.state != FIRED;
            next = limit.outer;
        }
        return inTime;
    }

    /** Arms the limits for another call. Returns whether there is time for it. */
    static boolean resume(@Nullable Deadline innermost, int depth) {
        boolean inTime = true;
        Deadline next = innermost;
        for (int i = 0; i < depth && next instanceof SyncTimeLimit limit; i++) {
            STATE.compareAndSet(limit, HELD, ARMED);
            inTime &= limit.state == ARMED;
            next = limit.outer;
        }
        return inTime;
    }

    static boolean hasFired(@Nullable Deadline innermost, int depth) {
        boolean fired = false;
        Deadline next = innermost;
        for (int i = 0; i < depth && next instanceof SyncTimeLimit limit; i++) {
            fired |= limit.state == FIRED;
            next = limit.outer;
        }
        return fired;
    }

    /** Called when the time of this limit or of one around it is up. Returns whether that limit has yet to fire. */
    boolean isAboutToFire() {
        SyncTimeLimit owner = this;
        Deadline next = outer;
        while (next instanceof SyncTimeLimit limit && limit.at == at) {
            owner = limit;
            next = limit.outer;
        }
        boolean ofOther = next != null && next.at() == at;
        return !ofOther && owner.state == ARMED;
    }

    /**
     * Leaves the limit, on its thread. Returns whether the limit has fired; its interrupt is gone then.
     *
     * @param error what the call ended with: if the thread was interrupted before the limit fired, an {@link
     * InterruptedException} shows the caller's interrupt, which stays
     */
    boolean leave(@Nullable Throwable error) {
        for (int seen = state; seen != FIRED; seen = state) {
            if (STATE.compareAndSet(this, seen, OVER)) {
                return false;
            }
        }
        SyncTimeLimit ledger = ledger();
        synchronized (ledger) {
            state = OVER;
            if (interrupted) {
                takeBack(ledger, Stages.bare(error) instanceof InterruptedException);
            }
        }
        return true;
    }

    private void takeBack(SyncTimeLimit ledger, boolean interruptedCall) {
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
