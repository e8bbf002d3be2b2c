package io.tidegate.slice;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a slice: what a bulkhead may do whose cap is a slice of a larger cap, and what the keeper of the slice
 * must know about the bulkhead. It knows the bulkhead only by numbers. The bulkhead's lock guards everything except
 * what the keeper reads.
 */
public final class SliceLease {
    private static final String ENDED = "the lease has ended";

    /** How soon the keeper should claim. */
    public enum Urgency {
        /** Nothing has happened. */
        NONE,
        /** A request found no permit. */
        SOON,
        /** There are permits to give back that others may wait for. */
        NOW
    }

    /**
     * A time of unbroken lease, however often renewed.
     *
     * @param afterPermit the last permit before it: permits with a greater number were given in this term
     */
    public record Term(long afterPermit, long untilMs) {
        /** Returns whether a request that was admitted with this permit may start. */
        public boolean covers(long permitId, long nowMs) {
            return permitId > afterPermit && nowMs < untilMs;
        }
    }

    private final boolean strict;
    private final long leastRetryMs;
    private final Consumer<Urgency> keeper;
    private final CompletableFuture<Void> givenBack = new CompletableFuture<>();
    private volatile Urgency called = Urgency.NONE;
    private volatile Urgency told = Urgency.NONE; // how much the keeper knows of `called`
    private volatile Term term = new Term(0, 0);
    private volatile int cap;
    private volatile String whyNone = "the engine has not answered yet";
    private volatile @Nullable Throwable lastFailure;
    private int peak;
    private int turnedAway;

    /**
     * Makes the lease of a slice that is not leased yet.
     *
     * @param strict whether each permit is taken for one request, so that none is left over
     * @param leastRetryMs a retry cannot succeed sooner than this, because a claim must come first
     * @param keeper called when it should claim, with no lock held
     */
    public SliceLease(boolean strict, long leastRetryMs, Consumer<Urgency> keeper) {
        this.strict = strict;
        this.leastRetryMs = leastRetryMs;
        this.keeper = keeper;
    }

    // What it allows

    /** Whether there is a lease; nothing is admitted without one. */
    public boolean isLeased(long nowMs) {
        return nowMs < term.untilMs;
    }

    /**
     * The present term, or the last one. Read the time afterwards: a thread that stops in between then finds the term
     * over.
     */
    public Term term() {
        return term;
    }

    /** How much time of the lease is left; 0 when it has ended. */
    public long leftMs(long nowMs) {
        return Math.max(0, term.untilMs - nowMs);
    }

    /**
     * How much of the slice remains after all possible admissions: a permit taken for one request does not serve the
     * next one.
     */
    public int kept(int slice, int inFlight) {
        return strict ? Math.min(slice, inFlight) : slice;
    }

    /** The least time after which a retry may succeed. */
    public long leastRetryMs() {
        return leastRetryMs;
    }

    /**
     * Prolongs the lease. During a break other processes may have had the slice, and the engine does not know of
     * permits from before the break that have not started: these never start.
     */
    public void renew(long untilMs, long nowMs, long lastPermit) {
        term = new Term(isLeased(nowMs) ? term.afterPermit : lastPermit, untilMs);
    }

    // What is counted for the keeper

    /** A request was admitted, waits, or was refused. */
    public void count(int slice, int inFlight, int waiting, int refused) {
        peak = Math.max(peak, inFlight + waiting);
        turnedAway += refused;
        boolean wantsMore = strict ? waiting > 0 : slice < cap;
        if (inFlight >= slice && wantsMore) {
            call(Urgency.SOON);
        }
    }

    /** A request found no lease. */
    public void missed() {
        call(Urgency.SOON);
    }

    /** A permit came back. */
    public void returned(boolean closed) {
        if (strict || closed) {
            call(Urgency.NOW);
        }
    }

    /** Returns what was counted, and the bulkhead's present figures; counting starts over. */
    public Demand take(int slice, int inFlight, int waiting, long arrivals, boolean closed) {
        Demand demand = new Demand(slice, inFlight, waiting, arrivals, closed, peak, turnedAway);
        peak = inFlight + waiting;
        turnedAway = 0;
        called = Urgency.NONE;
        told = Urgency.NONE;
        return demand;
    }

    private void call(Urgency urgency) {
        if (called.compareTo(urgency) < 0) {
            called = urgency;
        }
    }

    /** How urgently the keeper was called since it last took the demand. */
    public Urgency called() {
        return called;
    }

    /** The user's scheduler or ticker has thrown: the next thread calls the keeper again. */
    public void keeperFailed() {
        told = Urgency.NONE;
        call(Urgency.SOON);
    }

    /**
     * Calls the keeper, if something has happened that it does not know, with no lock held. Two concurrent calls do no
     * harm; if one is missed because of the other, the next claim finds it.
     */
    public void tellKeeper() {
        Urgency urgency = called;
        if (told.compareTo(urgency) < 0) {
            told = urgency;
            try {
                keeper.accept(urgency);
            } catch (Throwable broken) {
                keeperFailed(); // that must not reach the thread that happens to notify it
            }
        }
    }

    // What the engine has answered to the keeper

    /** The cap of all processes, by the engine's last answer; 0 before the first one. */
    public int cap() {
        return cap;
    }

    /** The engine has answered with this cap. */
    public void heard(int newCap) {
        cap = newCap;
        whyNone = ENDED;
        lastFailure = null;
    }

    /** A claim failed. */
    public void failed(Throwable failure) {
        whyNone = failure.toString();
        lastFailure = failure;
    }

    /** The reason for a refusal without a lease. */
    public String whyNone() {
        return whyNone;
    }

    /** Why the last claim failed, if it did. */
    public @Nullable Throwable lastFailure() {
        return lastFailure;
    }

    /** Completes when the engine has all of the slice back, or the lease has ended and no other follows. */
    public CompletionStage<Void> givenBack() {
        return givenBack;
    }

    /** Completes {@link #givenBack}. */
    public void giveBack() {
        givenBack.complete(null);
    }
}
