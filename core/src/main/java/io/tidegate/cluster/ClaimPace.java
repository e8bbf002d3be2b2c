package io.tidegate.cluster;

import java.util.random.RandomGenerator;

/**
 * Decides how often a member claims. Only one claim runs at a time, which guards the fields that nothing else reads.
 */
final class ClaimPace {
    /*
     * A member looks at the engine often enough to hear within a tenth of a lease that others need something, to give
     * it back, and to be given it: three looks are in that. It asks sooner when it has something to give, or to gain;
     * in vain, less and less often.
     *
     * All members' claims are one after the other at the engine, and each looks at all members. So who holds less than
     * one of a hundred members would if they held the same looks less often, by as much, down to what the lease needs:
     * it has little to give. However many members there are, looks are as many as those of a hundred, and the renewals.
     * After a gain it asks for more less often by as much, too.
     *
     * One that takes each permit when it is asked for, and waits for one, asks twice in the time that permits are held:
     * so one that comes back is idle for a quarter of that, and few claims come in it; in vain, a little less often
     * each time. While others have their turn it need not ask at all. Now and then it must, as the engine keeps nothing
     * for one that does not.
     */
    private static final int LOOKS_PER_LEASE = 30;
    private static final long QUICKEST_LOOK_MS = 10;
    private static final int QUICK_PER_LEASE = 100;
    private static final long SLOWEST_QUICK_MS = 100;
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int OFTEN_LOOKING = 100;
    private static final int TRIES_PER_LOOK = 3;
    private static final int ASKED_PER_HOLD = 2;
    private static final int IN_VAIN_BY = 4; // one part in so many longer each time
    private static final long TURN_MS = 50;
    private static final long SLOWEST_POLL_MS = 500;
    private static final long LONGEST_WAIT_MS = 1_000;
    private static final int SPREAD_OVER = 5; // one part in so many

    /** With something to give or to gain. */
    final long quickMs;

    /** With nothing to do but to see whether others need something, for who holds much. */
    final long leastLookMs;

    /** So that the lease goes on. */
    final long renewMs;

    private final RandomGenerator random;
    private volatile long betweenMs; // two claims for more
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

    /** How long after a claim another one may come, because a request found no room. */
    long betweenMs() {
        return betweenMs;
    }

    /** Notes that a claim brought something. */
    long quick() {
        betweenMs = quickMs * lookMs / leastLookMs;
        return betweenMs;
    }

    /** Notes that a claim brought nothing. */
    long slower() {
        return slower(lookMs);
    }

    /** The engine did not answer: there are some tries before the lease ends. */
    long failed() {
        return slower(Math.max(leastLookMs, lookMs / TRIES_PER_LOOK));
    }

    private long slower(long slowestMs) {
        long now = Math.max(quickMs, Math.min(betweenMs, slowestMs));
        betweenMs = Math.max(quickMs, Math.min(2 * now, slowestMs));
        return now;
    }

    /** With nothing to do but to see whether others need something, for who holds this slice. */
    long look(int slice, int cap) {
        long littleMs = leastLookMs * cap / (OFTEN_LOOKING * Math.max(1L, slice));
        lookMs = Math.max(leastLookMs, Math.min(littleMs, renewMs));
        return lookMs;
    }

    /** Everybody has what was asked for, so the next one who comes is asked for at once. */
    long satisfied() {
        inVain = 0;
        betweenMs = 0;
        return renewMs;
    }

    /** It has its part while others wait, and asks for more when that comes back. */
    long inTurn() {
        inVain = 0;
        betweenMs = renewMs;
        return betweenMs;
    }

    /**
     * A request waits for a permit that is asked for when it is needed.
     *
     * @param holdMs how long permits are held
     * @param waitMs how long the engine says that others have their turn, if operations are shorter than that
     */
    long inLine(boolean gained, long holdMs, long waitMs) {
        inVain = gained ? 0 : inVain + 1;
        long pollMs = Math.min(holdMs * (IN_VAIN_BY + inVain) / IN_VAIN_BY / ASKED_PER_HOLD, SLOWEST_POLL_MS);
        long turnsMs = Math.min(waitMs * Math.max(holdMs, TURN_MS) / TURN_MS, LONGEST_WAIT_MS);
        betweenMs = Math.max(1, Math.min(Math.max(pollMs, turnsMs), renewMs));
        return betweenMs;
    }

    /** So that members that began together do not go on together. */
    long spread(long delayMs) {
        return delayMs - random.nextLong(delayMs / SPREAD_OVER + 1);
    }
}
