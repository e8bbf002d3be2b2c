package io.tidegate.bulkhead;

import io.tidegate.gate.MovingLimit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Counts permits: at most {@code limit} are out at once.
 */
final class Permits extends PaddedLong {
    /*
     * One word is the whole state:
     *
     *   | taken, modulo 2^33 | out, 31 bits |
     *
     * Taking adds one to both fields by one compare-and-set. Giving back subtracts one from `out` by one unconditional
     * add; a permit is out then, so nothing is borrowed from `taken`. Both act on one value of one word, so each is
     * exact at that instant. So is everything read from one word: how many permits are out, how many were ever taken
     * and, by their difference, how many were ever given back. Since `taken` only rises, the compare-and-set can miss a
     * change only after `taken` has made a whole lap.
     *
     * Refusing writes nothing. The word has its cache line to itself (see PaddedLong): every taker reads the limit, and
     * would fetch it anew after each write if it were the word's neighbour.
     *
     * Laps: `halfLaps` counts how often the top bit of `taken` has flipped; the taker that flips it counts that right
     * after. A reader reads `halfLaps` first: if its parity differs from the top bit of the word, a flip is not counted
     * yet or came between the two reads, and the reader adds it.
     *
     * The limit is read after the word, and the answer stands only if the word is still the same: an admission learns
     * that from the compare-and-set, a refusal from another look at the word. So both answers are right at the instant
     * at which the limit was read. A limit read before the word could admit too many calls, long after it was lowered.
     *
     * giveBack does not check that a permit is out: its caller has just won the one atomic decision that ends a
     * submission (see BulkheadSubmission and OperationHook).
     */
    private static final AtomicIntegerFieldUpdater<Permits> HALF_LAPS =
            AtomicIntegerFieldUpdater.newUpdater(Permits.class, "halfLaps");

    private static final int OUT_BITS = Integer.SIZE - 1;
    private static final long OUT_MASK = (1L << OUT_BITS) - 1;
    private static final long ONE_MORE = (1L << OUT_BITS) + 1;

    private volatile int limit;
    private volatile int halfLaps;

    Permits(int limit) {
        this(limit, 0);
    }

    /** Starts as if {@code taken} permits had been taken and given back. */
    Permits(int limit, long taken) {
        this.limit = limit;
        this.word = taken << OUT_BITS;
        this.halfLaps = (int) (taken >>> (Long.SIZE - 1 - OUT_BITS));
    }

    boolean tryTake() {
        return take(null) >= 0;
    }

    /**
     * Takes a permit. Returns how many were taken before, modulo 2^33; if none is free, minus the limit.
     *
     * @param moving the limit, if it moves by itself
     */
    long take(@Nullable MovingLimit moving) {
        for (; ; ) {
            long seen = word;
            int most = moving == null ? limit : moving.limit();
            if ((seen & OUT_MASK) < most) {
                long next = seen + ONE_MORE;
                if (WORD.compareAndSet(this, seen, next)) {
                    if ((seen ^ next) < 0) {
                        HALF_LAPS.getAndIncrement(this);
                    }
                    return seen >>> OUT_BITS;
                }
            } else if (word == seen) {
                return -most;
            }
        }
    }

    void giveBack() {
        WORD.getAndDecrement(this);
    }

    int limit() {
        return limit;
    }

    void setLimit(int limit) {
        this.limit = limit;
    }

    int out() {
        return (int) (word & OUT_MASK);
    }

    /** Returns how many permits were taken and how many given back, both at one instant. */
    Totals totals() {
        int counted = halfLaps;
        long seen = word;
        long halves = counted + ((counted ^ (seen >>> (Long.SIZE - 1))) & 1);
        long taken = (halves << (Long.SIZE - 1 - OUT_BITS)) + ((seen & Long.MAX_VALUE) >>> OUT_BITS);
        return new Totals(taken, taken - (seen & OUT_MASK));
    }

    record Totals(long taken, long returned) {}
}
