package io.tidegate.cluster;

import java.util.random.RandomGenerator;

/**
 * Decides how often a member claims. The fields need no lock, because only one claim runs at a time; other threads read
 * only the volatile field.
 */
final class ClaimPace {
    /*
     * A member looks at the engine so often that a permit moves within a tenth of a lease. That takes three looks: the
     * member learns that others need the permit, the member gives it back, and another member gets it. A member with
     * permits to give back or to gain asks sooner; after fruitless claims it backs off.
     *
     * The engine runs all members' claims one after the other, and each claim reads all members. So a member that holds
     * less than a hundredth of the cap looks less often, in proportion, down to what its lease needs: it has little to
     * give. So however many members there are, they look as often as a hundred members would, apart from renewals.
     * After a gain such a member asks for more permits less often, in the same proportion.
     *
     * A strict member takes each permit when a request asks for it. While a request waits, the member claims twice in
     * the time for which permits are held; so a returned permit is idle for a quarter of that time on average, at the
     * cost of few claims. After each fruitless claim it claims a little less often. While other members have their turn
     * it need not claim, except now and then, because the engine keeps nothing for a member that does not ask.
     */
    private static final int LOOKS_PER_LEASE = 30;
    private static final long QUICKEST_LOOK_MS = 10;
    private static final int QUICK_PER_LEASE = 100;
    private static final long SLOWEST_QUICK_MS = 100;
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int OFTEN_LOOKING = 100;
    private static final int TRIES_PER_LOOK = 3;
    private static final int ASKED_PER_HOLD = 2;
    private static final int IN_VAIN_BY = 4; // each fruitless claim makes the pause longer by a quarter
    private static final long TURN_MS = 50;
    private static final long SLOWEST_POLL_MS = 500;
    private static final long LONGEST_WAIT_MS = 1_000;
    private static final int SPREAD_OVER = 5; // delays vary by up to a fifth

    /** The pause between claims while there are permits to give back or to gain. */
    final long quickMs;

    /** The pause between looks at what others need, for a member that holds much of the cap. */
    final long leastLookMs;

    /** After how long the lease must be renewed. */
    final long renewMs;

    private final RandomGenerator random;
    private volatile long betweenMs; // the pause between two claims for more permits
    private long lookMs;
    private int inVain;

    ClaimPace(long leaseMs, RandomGenerator random) {
        this.quickMs = Math.max(1, Math.min(leaseMs / QUICK_PER_LEASE, SLOWEST_QUICK_MS));
        this.leastLookMs = Math.max(QUICKEST_LOOK_MS, leaseMs / LOOKS_PER_LEASE);
        this.lookMs = leastLookMs;
        this.renewMs = leaseMs / RENEWALS_PER_LEASE;
        this.random = random;
        this.betweenMs = quickMs;
    }

    /** Returns the least pause between a claim and the next one, if a request found no permit. */
    long betweenMs() {
        return betweenMs;
    }

    /** Notes that a claim gained permits. Returns the pause before the next claim for more. */
    long quick() {
        betweenMs = quickMs * lookMs / leastLookMs;
        return betweenMs;
    }

    /** Notes that a claim gained nothing. Returns the pause before the next claim for more. */
    long slower() {
        return slower(lookMs);
    }

    /**
     * Notes that the engine did not answer. Returns a pause with which several tries fit into the rest of the lease.
     */
    long failed() {
        return slower(Math.max(leastLookMs, lookMs / TRIES_PER_LOOK));
    }

    private long slower(long slowestMs) {
        long now = Math.max(quickMs, Math.min(betweenMs, slowestMs));
        betweenMs = Math.max(quickMs, Math.min(2 * now, slowestMs));
        return now;
    }

    /** Returns the pause between looks at what others need, for a member with this slice. */
    long look(int slice, int cap) {
        long littleMs = leastLookMs * cap / (OFTEN_LOOKING * Math.max(1L, slice));
        lookMs = Math.max(leastLookMs, Math.min(littleMs, renewMs));
        return lookMs;
    }

    /**
     * Notes that every request has its permit, so that the next request causes a claim without a pause. Returns the
     * pause until the lease must be renewed.
     */
    long satisfied() {
        inVain = 0;
        betweenMs = 0;
        return renewMs;
    }

    /**
     * Notes that the member has its share while others wait: it asks for more when permits of its own come back.
     * Returns the pause until then.
     */
    long inTurn() {
        inVain = 0;
        betweenMs = renewMs;
        return betweenMs;
    }

    /**
     * Notes that a request waits for a permit of a strict member. Returns the pause before the next claim.
     *
     * @param holdMs how long permits are held
     * @param waitMs how long others have their turn, by the engine's answer, for operations that are short
     */
    long inLine(boolean gained, long holdMs, long waitMs) {
        inVain = gained ? 0 : inVain + 1;
        long pollMs = Math.min(holdMs * (IN_VAIN_BY + inVain) / IN_VAIN_BY / ASKED_PER_HOLD, SLOWEST_POLL_MS);
        long turnsMs = Math.min(waitMs * Math.max(holdMs, TURN_MS) / TURN_MS, LONGEST_WAIT_MS);
        betweenMs = Math.max(1, Math.min(Math.max(pollMs, turnsMs), renewMs));
        return betweenMs;
    }

    /** Varies the delay, so that members that started together do not claim together. */
    long spread(long delayMs) {
        return delayMs - random.nextLong(delayMs / SPREAD_OVER + 1);
    }
}
