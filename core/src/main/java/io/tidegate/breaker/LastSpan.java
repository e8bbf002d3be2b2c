package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Counts over the last span of time: the sliding window by time, exact to a 32nd of the span. */
final class LastSpan extends Tally {
    /*
     * Time is cut into slots of a power of two nanoseconds, at most a 32nd of the span, so that the number of the slot is a
     * shift away. A ring of words counts each slot:
     *
     *   63 … 34  the slot's number, modulo 2^30
     *   33 … 0   outcomes in it
     *
     * A word of an older slot is taken over for the present one by the same compare-and-set that counts in it. What it
     * counted then goes to `past`, so that all outcomes ever can still be summed, which tells how many calls are running.
     * Who was held up and finds a word of another slot goes on in the latest slot there is.
     *
     * When the clock goes back, time stands still here until the clock is where it was.
     *
     * Successes have a ring for each stripe of threads, failures and slow calls one for all.
     */
    private static final int COUNT_BITS = 34;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final long NUMBER_MASK = (1L << (Long.SIZE - COUNT_BITS)) - 1;
    private static final int RING = 128;
    private static final int LEAST_SLOTS = 32;
    private static final long LONGEST_SPAN = 1L << 61; // so that no sum of it and a time of day overflows
    private static final int ROW = RING + STRIDE;

    private static final AtomicLongFieldUpdater<LastSpan> LATEST =
            AtomicLongFieldUpdater.newUpdater(LastSpan.class, "latest");

    private volatile long latest;
    private final long start;
    private final long span;
    private final int shift;
    private final long[] successes = new long[STRIPES * ROW + STRIDE];
    private final long[] pastSuccesses = newStripes();
    private final long[] failures = new long[RING];
    private final long[] pastFailures = newStripes();
    private final long[] slow = new long[RING];
    private final long[] pastSlow = newStripes();

    LastSpan(long span, long now) {
        this.start = now;
        this.span = Math.min(span, LONGEST_SPAN);
        this.shift = 63 - Long.numberOfLeadingZeros(this.span / LEAST_SLOTS | 1);
    }

    @Override
    void recordSuccess(boolean isSlow, long now) {
        count(successes, stripe() * ROW + STRIDE, pastSuccesses, now);
        countSlow(isSlow, now);
    }

    @Override
    void recordFailure(boolean isSlow, long now) {
        count(failures, 0, pastFailures, now);
        countSlow(isSlow, now);
    }

    private void countSlow(boolean isSlow, long now) {
        if (isSlow) {
            count(slow, 0, pastSlow, now);
        }
    }

    /** The slot of a time; one before the latest counted in is that one, so that nothing forgotten comes back. */
    private long slotAt(long now) {
        return Math.max((now - start) >> shift, latest);
    }

    private void raiseLatest(long slot) {
        for (long seen = latest; slot > seen; seen = latest) {
            if (LATEST.compareAndSet(this, seen, slot)) {
                return;
            }
        }
    }

    private void count(long[] ring, int first, long[] past, long now) {
        long slot = slotAt(now);
        raiseLatest(slot);
        for (; ; ) {
            int place = first + (int) (slot & (RING - 1));
            long word = (long) CELL.getVolatile(ring, place);
            if (ahead(word, slot) != 0 && latest > slot) { // the word may be of a later slot
                slot = latest;
            } else if (ahead(word, slot) != 0) {
                if (CELL.compareAndSet(ring, place, word, (slot << COUNT_BITS) | 1)) {
                    if ((word & COUNT_MASK) != 0) {
                        add(past, word & COUNT_MASK);
                    }
                    return;
                }
            } else if ((word & COUNT_MASK) == COUNT_MASK || CELL.compareAndSet(ring, place, word, word + 1)) {
                return;
            }
        }
    }

    /** How far a word's slot is ahead of another, modulo its bits. */
    private static long ahead(long word, long slot) {
        return ((word >>> COUNT_BITS) - slot) & NUMBER_MASK;
    }

    private long inSpan(long[] ring, int first, long now) {
        long sum = 0;
        long last = slotAt(now);
        for (long slot = (Math.max(now - start, last << shift) - span) >> shift; slot <= last; slot++) {
            long word = (long) CELL.getVolatile(ring, first + (int) (slot & (RING - 1)));
            if (ahead(word, slot) == 0) {
                sum += word & COUNT_MASK;
            }
        }
        return sum;
    }

    private static long inRing(long[] ring) {
        long sum = 0;
        for (int i = 0; i < ring.length; i++) {
            sum += (long) CELL.getVolatile(ring, i) & COUNT_MASK;
        }
        return sum;
    }

    @Override
    long completed(long now) {
        long sum = inSpan(failures, 0, now);
        for (int first = STRIDE; first < successes.length; first += ROW) {
            sum += inSpan(successes, first, now);
        }
        return sum;
    }

    @Override
    long failures(long now) {
        return inSpan(failures, 0, now);
    }

    @Override
    long slow(long now) {
        return inSpan(slow, 0, now);
    }

    @Override
    long everSucceeded() {
        return sum(pastSuccesses) + inRing(successes);
    }

    @Override
    long everFailed() {
        return sum(pastFailures) + inRing(failures);
    }
}
