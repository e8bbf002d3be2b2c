package io.tidegate.bulkhead;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Counts permits: at most {@code limit} are out at once.
 */
final class Permits {
    /*
     * Two counters that only rise: `taken` and `returned`. What is out is their difference, so the two of them are the
     * whole state, and the totals for the stats come for free.
     *
     * tryTake reads `taken` first and `returned` second.
     *
     *   Refusing is right: at the second read taken may have risen further, so what is out then is at least the
     *   difference read. If that is at the limit, the gate was full at that instant.
     *
     *   Admitting is right: the compare-and-set succeeds only if `taken` is still the value read (it only rises, so
     *   there is no way back to it), and `returned` can only have risen since, so what is out at that instant is at most
     *   the difference read, which is below the limit.
     *
     * Read the other way round, a return followed by a take between the two reads would make a gate that always had room
     * look full.
     *
     * The refusing path writes nothing. Giving back is one unconditional add, which cannot fail or be retried. The
     * counters are neighbours, mostly on one cache line: every taker needs both.
     *
     * giveBack does not check that a permit is out: whoever calls it has just won the one atomic decision that ends a
     * submission, and that is where a permit's identity lives (see Submission and OperationHook).
     */
    private static final AtomicLongFieldUpdater<Permits> TAKEN =
            AtomicLongFieldUpdater.newUpdater(Permits.class, "taken");
    private static final AtomicLongFieldUpdater<Permits> RETURNED =
            AtomicLongFieldUpdater.newUpdater(Permits.class, "returned");

    private final int limit;
    private volatile long taken;
    private volatile long returned;

    Permits(int limit) {
        this.limit = limit;
    }

    boolean tryTake() {
        for (; ; ) {
            long seen = taken;
            if (seen - returned >= limit) {
                return false;
            }
            if (TAKEN.compareAndSet(this, seen, seen + 1)) {
                return true;
            }
        }
    }

    void giveBack() {
        RETURNED.getAndIncrement(this);
    }

    int limit() {
        return limit;
    }

    /** How many are out: exact at the instant of the read of {@code taken}. */
    int out() {
        for (; ; ) {
            long before = returned;
            long seen = taken;
            if (returned == before) {
                return (int) (seen - before);
            }
        }
    }

    long taken() {
        return taken;
    }

    long returned() {
        return returned;
    }
}
