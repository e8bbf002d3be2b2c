package io.tidegate.lease;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A lease on an engine while a runner holds it, from the answer that granted it to the answer that ends it. */
final class HeldLease {
    private static final int UNKNOWN = -1;

    final String domainId;
    final String token;

    /** Called once, if the lease is lost before this runner has ended it. */
    private final Runnable whenLost;

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable IllegalStateException refusal;

    /**
     * Whether an outcome was reported and the engine has not answered yet: until then only that answer decides about
     * the lease.
     */
    private volatile boolean ending;

    /** Whether it is unknown how much of the lease's time is left. */
    private volatile boolean doubtful;

    /** The time just before the last call that the engine has confirmed. */
    private volatile long confirmedAt;

    /** The time just before the last call. */
    private volatile long askedAt;

    /** How many failures the engine knows with this token. Only the domain's turn uses this. */
    private int failures;

    /** The thread of the attempt, if it is to be interrupted when the lease is lost. Guarded by this object's lock. */
    private @Nullable Thread runsOn;

    private boolean interrupted;

    /** @param fresh whether the engine has just given out the token, so that no failure was reported with it */
    HeldLease(String domainId, String token, boolean fresh, long askedAt, Runnable whenLost) {
        this.domainId = domainId;
        this.token = token;
        this.failures = fresh ? 0 : UNKNOWN;
        this.doubtful = !fresh;
        this.confirmedAt = askedAt;
        this.askedAt = askedAt;
        this.whenLost = whenLost;
    }

    // ---- time ----

    /** Returns whether no renewal was asked for within that time. */
    boolean isDue(long now, long nanos) {
        return doubtful || now - askedAt >= nanos;
    }

    /** Returns whether the engine has not confirmed the lease within that time. */
    boolean isOld(long now, long nanos) {
        return doubtful || now - confirmedAt >= nanos;
    }

    void asked(long at) {
        askedAt = at;
    }

    void confirmed(long before) {
        confirmedAt = before;
        doubtful = false;
    }

    // ---- end ----

    /**
     * Ends the lease for this runner: later answers to renewals do not matter. Returns whether it had not ended before.
     */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    boolean isOver() {
        return over.get();
    }

    /** Sets whether an outcome was reported that the engine has not answered yet. */
    void setEnding(boolean ending) {
        this.ending = ending;
    }

    void lose(IllegalStateException why) {
        if (!ending && end()) {
            refusal = why;
            interruptAttempt();
            whenLost.run();
        }
    }

    boolean isLost() {
        return refusal != null;
    }

    /** Returns why the lease is lost; null if it is not. */
    @Nullable
    IllegalStateException refusal() {
        return refusal;
    }

    // ---- attempt ----

    /** Makes a loss of the lease interrupt this thread from now on. */
    synchronized void attemptBegins(Thread thread) {
        runsOn = thread;
        if (isLost()) {
            interruptAttempt();
        }
    }

    /**
     * Undoes {@link #attemptBegins}: a loss no longer interrupts the thread, and an interrupt that was sent does not
     * reach what the thread does next. Returns whether one was sent.
     */
    synchronized boolean attemptEnds() {
        runsOn = null;
        if (interrupted) {
            Thread.interrupted();
        }
        return interrupted;
    }

    private synchronized void interruptAttempt() {
        if (runsOn != null && !interrupted) {
            interrupted = true;
            runsOn.interrupt();
        }
    }

    /** Returns the number of the next failure with this token, or 0 if that is not known. */
    int nextFailure() {
        return failures == UNKNOWN ? 0 : failures + 1;
    }

    void failureReported() {
        if (failures != UNKNOWN) {
            failures++;
        }
    }
}
