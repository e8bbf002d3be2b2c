package io.tidegate.lease;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A lease on an engine while a runner holds it, from the answer that granted it to the answer that ends it. */
final class LeaseRenewal {
    private static final int UNKNOWN = -1;

    final String domainId;
    final String token;

    /** Called once, when it is lost before this runner has ended it. */
    private final Runnable whenLost;

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable IllegalStateException refusal;

    /** Whether an outcome was reported to the engine and not answered yet: only its answer decides. */
    private volatile boolean ending;

    /** Whether it is unknown how much of its time is left. */
    private volatile boolean doubtful;

    /** Just before the call that the engine confirmed last, and just before the last call. */
    private volatile long confirmedAt;

    private volatile long askedAt;

    /** The number of failures that the engine knows with this token. Only the domain's turn uses it. */
    private int failures;

    /** The thread of the attempt, if a lost lease interrupts it. Guarded by this object's lock. */
    private @Nullable Thread runsOn;

    private boolean interrupted;

    /** @param fresh whether its token was given by this answer, so that no failure was reported with it */
    LeaseRenewal(String domainId, String token, boolean fresh, long askedAt, Runnable whenLost) {
        this.domainId = domainId;
        this.token = token;
        this.failures = fresh ? 0 : UNKNOWN;
        this.doubtful = !fresh;
        this.confirmedAt = askedAt;
        this.askedAt = askedAt;
        this.whenLost = whenLost;
    }

    // ---- time ----

    /** Returns whether no renewal was asked for in that time. */
    boolean isDue(long now, long nanos) {
        return doubtful || now - askedAt >= nanos;
    }

    /** Returns whether the engine has not confirmed it for that long. */
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

    /** Ends it here: later answers to renewals do not matter. Returns whether it had not ended before. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    boolean isOver() {
        return over.get();
    }

    /** From now until the engine has answered, its answer decides. */
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

    /** Why the lease is lost, if it is lost. */
    @Nullable
    IllegalStateException refusal() {
        return refusal;
    }

    // ---- attempt ----

    /** From now on the thread is interrupted when the lease is lost. */
    synchronized void attemptBegins(Thread thread) {
        runsOn = thread;
        if (isLost()) {
            interruptAttempt();
        }
    }

    /**
     * From now on it is not interrupted, and an interrupt from here does not reach what the thread does next. Returns
     * whether there was one.
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

    /** The number of the next failure with this token, or 0 if that is not known. */
    int nextFailure() {
        return failures == UNKNOWN ? 0 : failures + 1;
    }

    void failureTold() {
        if (failures != UNKNOWN) {
            failures++;
        }
    }
}
