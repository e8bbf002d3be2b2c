package io.tidegate.remote;

import io.tidegate.remote.BulkheadError.NoLease;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a slice: what a bulkhead is told and tells whose cap is a slice of a greater one. Guarded by the
 * bulkhead's lock, but for what the keeper of the slice reads.
 */
final class SliceLease {
    private static final NoLease ENDED = new NoLease("the lease has ended");

    /** How soon the keeper should look. */
    enum Call {
        /** Nothing has happened. */
        NONE,
        /** Somebody found no room. */
        SOON,
        /** There is something to give back that others may wait for. */
        NOW
    }

    /**
     * A time without a break in which there was a lease, renewed however often.
     *
     * @param afterPermit the last permit before it: permits with a greater number were given in this term
     */
    record Term(long afterPermit, long untilMs) {
        /** Whether what was admitted with this permit may start. */
        boolean covers(BulkheadPermit permit, long nowMs) {
            return permit.permitId() > afterPermit && nowMs < untilMs;
        }
    }

    /** Whether each permit is taken for a request that asks, so that none is left over. */
    final boolean strict;

    /** Another try does no better before somebody has asked for more. */
    final long leastRetryMs;

    private final Consumer<Call> keeper;
    private volatile Call called = Call.NONE;
    private volatile Call told = Call.NONE; // how much of it the keeper knows
    private volatile Term term = new Term(0, 0);
    private volatile int cap;
    private volatile BulkheadError noLease = new NoLease("the engine has not answered yet");
    private volatile @Nullable Throwable lastFailure;
    private int peak;
    private int turnedAway;

    /**
     * Of a slice that is not leased yet.
     *
     * @param keeper runs when it should look, with nothing held
     */
    SliceLease(boolean strict, long leastRetryMs, Consumer<Call> keeper) {
        this.strict = strict;
        this.leastRetryMs = leastRetryMs;
        this.keeper = keeper;
    }

    boolean isLeased(long nowMs) {
        return nowMs < term.untilMs;
    }

    /** The present one, or the last. Ask for the time afterwards: a thread that stops in between finds it over. */
    Term term() {
        return term;
    }

    /** For how long the lease goes on; 0 when it has ended. */
    long leftMs(long nowMs) {
        return Math.max(0, term.untilMs - nowMs);
    }

    /** The cap of all, as last heard; 0 before. */
    int cap() {
        return cap;
    }

    void heard(int newCap) {
        cap = newCap;
        noLease = ENDED;
        lastFailure = null;
    }

    /** The engine could not be asked. */
    void failed(Throwable failure) {
        noLease = new NoLease(failure.toString());
        lastFailure = failure;
    }

    /** What to say for want of a lease. */
    BulkheadError noLease() {
        return noLease;
    }

    /** Why the engine could not be asked, if that was so when it was last tried. */
    @Nullable
    Throwable lastFailure() {
        return lastFailure;
    }

    /**
     * Others may have had the slice in a break, and the engine knows nothing of permits from before it that have not
     * started: so they never do.
     */
    void renew(long untilMs, long nowMs, long lastPermit) {
        term = new Term(isLeased(nowMs) ? term.afterPermit : lastPermit, untilMs);
    }

    void count(int wanted, int refused) {
        peak = Math.max(peak, wanted);
        turnedAway += refused;
    }

    void call(Call call) {
        if (called.compareTo(call) < 0) {
            called = call;
        }
    }

    /** What was counted; begins anew. */
    Demand take(int limit, int inFlight, int waiting, long arrivals, boolean closing) {
        Demand demand = new Demand(limit, inFlight, waiting, arrivals, closing, peak, turnedAway);
        peak = inFlight + waiting;
        turnedAway = 0;
        called = Call.NONE;
        told = Call.NONE;
        return demand;
    }

    /** How the keeper was called since it last took what was counted. */
    Call called() {
        return called;
    }

    /** Whoever comes next tells it again: a scheduler or a ticker of the user's has thrown. */
    void keeperFailed() {
        told = Call.NONE;
        call(Call.SOON);
    }

    /* Outside the lock. Two that tell it at once do no harm; that one is forgotten because another was told is seen after the next claim. */
    void tellKeeper() {
        Call call = called;
        if (told.compareTo(call) < 0) {
            told = call;
            try {
                keeper.accept(call);
            } catch (Throwable broken) {
                keeperFailed(); // that is nothing to whoever happens to tell it
            }
        }
    }
}
