package io.tidegate.cluster;

import java.util.random.RandomGenerator;

/**
 * Decides how often a member claims. Only one claim runs at a time; that alone guards the fields that no other thread
 * reads.
 */
final class ClaimPace {
    /*
     * A member looks at the engine often enough that within a tenth of a lease it learns what others need, gives it
     * back, and the others get it: that takes three looks. A member with permits to give back or to gain asks sooner;
     * after fruitless claims it backs off.
     *
     * The engine runs all members' claims one after the other, and each claim reads all members. So a member that holds
     * less than a hundredth of the cap looks less often, in proportion, down to what its lease needs: it has little to
     * give. However many members there are, their looks are as many as those of a hundred members, and the renewals.
     * After a gain such a member asks for more less often, in the same proportion.
     *
     * A strict member takes each permit when a request asks for it. While one waits, it claims twice in the time that
     * permits are held, so a returned permit is idle for a quarter of that time, and few claims come in it; after each
     * fruitless claim a little less often. While others have their turn it need not claim. It must do so now and then,
     * because the engine keeps nothing for a member that does not ask.
     */
    private static final int LOOKS_PER_LEASE = 30;
    private static final long QUICKEST_LOOK_MS = 10;
    private static final int QUICK_PER_LEASE = 100;
    private static final long SLOWEST_QUICK_MS = 100;
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int OFTEN_LOOKING = 100;
    private static final int TRIES_PER_LOOK = 3;
    private static final int ASKED_PER_HOLD = 2;
    private static final int IN_VAIN_BY = 4; // each time longer by one part in so many
    private static final long TURN_MS = 50;
    private static final long SLOWEST_POLL_MS = 500;
    private static final long LONGEST_WAIT_MS = 1_000;
    private static final int SPREAD_OVER = 5; // one part in so many

    /** The pause with something to give or to gain. */
    final long quickMs;

    /** The pause of a member that holds much, between looks at whether others need something. */
    final long leastLookMs;

    /** The pause after which the lease must be renewed. */
    final long renewMs;

    private final RandomGenerator random;
    private volatile long betweenMs; // between two claims for more
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

    /** The least pause after a claim before the next one, if a request found no room. */
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

    /** The engine did not answer: several tries fit into the rest of the lease. */
    long failed() {
        return slower(Math.max(leastLookMs, lookMs / TRIES_PER_LOOK));
    }

    private long slower(long slowestMs) {
        long now = Math.max(quickMs, Math.min(betweenMs, slowestMs));
        betweenMs = Math.max(quickMs, Math.min(2 * now, slowestMs));
        return now;
    }

    /** The pause of a member with this slice, between looks at whether others need something. */
    long look(int slice, int cap) {
        long littleMs = leastLookMs * cap / (OFTEN_LOOKING * Math.max(1L, slice));
        lookMs = Math.max(leastLookMs, Math.min(littleMs, renewMs));
        return lookMs;
    }

    /** Every request has its permit, so the next request causes a claim without a pause. */
    long satisfied() {
        inVain = 0;
        betweenMs = 0;
        return renewMs;
    }

    /** The member has its share while others wait, and asks for more when permits of it come back. */
    long inTurn() {
        inVain = 0;
        betweenMs = renewMs;
        return betweenMs;
    }

    /**
     * A request waits for a permit of a strict member.
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

    /** Varies the delay, so that members that started together do not claim together. */
    long spread(long delayMs) {
        return delayMs - random.nextLong(delayMs / SPREAD_OVER + 1);
    }
}
