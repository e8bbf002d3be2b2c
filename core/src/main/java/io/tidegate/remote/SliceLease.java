package io.tidegate.remote;

/**
 * The lease of a slice: what a bulkhead is told and tells whose cap is a slice of a greater one. Guarded by the
 * bulkhead's lock, but for what the keeper of the slice reads.
 */
final class SliceLease {
    /** Stands for having no lease, which only a cluster knows: this very object. */
    static final BulkheadError NO_LEASE = new BulkheadError.AtCapacity(0, 0);

    private enum Mood {
        QUIET,
        RESTLESS, // something has happened that the keeper should look at
        TOLD // and it knows
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
    final boolean exact;

    /** Another try does no better before somebody has asked for more. */
    final long leastRetryMs;

    private final Runnable keeper;
    private volatile Mood mood = Mood.QUIET;
    private volatile Term term = new Term(0, 0);
    private volatile int cap;
    private int peak;
    private int turnedAway;

    /**
     * Of a slice that is not leased yet.
     *
     * @param keeper runs when it should look, with nothing held
     */
    SliceLease(boolean exact, long leastRetryMs, Runnable keeper) {
        this.exact = exact;
        this.leastRetryMs = leastRetryMs;
        this.keeper = keeper;
    }

    /** Of a refusal by the cluster. */
    static String codeOf(BulkheadError error) {
        return isNoLease(error) ? NoLeaseException.CODE : error.code();
    }

    @SuppressWarnings("ReferenceEquality") // another one means what it says
    static boolean isNoLease(BulkheadError error) {
        return error == NO_LEASE;
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

    void callKeeper() {
        if (mood == Mood.QUIET) {
            mood = Mood.RESTLESS;
        }
    }

    /** What was counted; begins anew. */
    Demand take(int limit, int inFlight, int waiting, long arrivals, boolean closing) {
        Demand demand = new Demand(limit, inFlight, waiting, arrivals, closing, peak, turnedAway);
        peak = inFlight + waiting;
        turnedAway = 0;
        mood = Mood.QUIET;
        return demand;
    }

    /** Whether the keeper was called since it last took what was counted. */
    boolean isKeeperCalled() {
        return mood != Mood.QUIET;
    }

    /** Whoever comes next tells it again: a scheduler or a ticker of the user's has thrown. */
    void keeperFailed() {
        mood = Mood.RESTLESS;
    }

    /* Outside the lock. Two that tell it at once do no harm; that one is forgotten because another was told is seen after the next claim. */
    void tellKeeper() {
        if (mood == Mood.RESTLESS) {
            mood = Mood.TOLD;
            try {
                keeper.run();
            } catch (Throwable broken) {
                keeperFailed(); // that is nothing to whoever happens to tell it
            }
        }
    }
}
