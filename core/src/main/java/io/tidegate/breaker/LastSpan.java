package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** The sliding window by time: counts over a span of time that ends now, exact to a 32nd of the span. */
final class LastSpan extends OutcomeWindow {
    /*
     * Time is cut into slots of a power of two nanoseconds, at most a 32nd of the span, so that a shift computes the
     * number of the slot. A row counts outcomes:
     *
     *   [TOTAL]    all outcomes so far
     *   [LAST]     no slot after this one has begun in this row
     *   [FIRST …]  a ring with an entry for each of the last slots that had an outcome:
     *              the slot's number | the total when it began, in the lower `bits`, both modulo
     *
     * The count of the window is the total less the total at the beginning of the window's first used slot. So most
     * outcomes cost one look and one addition, and reading costs the search for that slot: one look for a row in steady
     * use. A row of zeros is valid: slot 0 begins at a total of 0. `bits` are enough for an outcome in each nanosecond
     * of the span, up to three days. The ring has room for the 65 slots that a window can touch, and for a few that
     * begin while it is read.
     *
     * A slot is begun by one compare-and-set, on a word that was read before `latest` was seen to be this slot. A
     * thread that begins a later slot raises `latest` first. So the word of a later slot is never overwritten, and
     * totals rise with the slots. A thread that was held up continues in the latest slot. An outcome that is reported
     * while a slot begins may count in that slot.
     *
     * If the clock goes back, time stands still here until the clock is where it was.
     *
     * Successes have their totals and rings in the stripes; failures and slow calls have one row each for all threads.
     */
    private static final int TOTAL = SUCCESSES;
    private static final int LAST = START + COUNTERS;
    private static final int FIRST = LAST + 1;
    private static final int RING = 72;
    private static final int LEAST_SLOTS = 32;
    private static final int LEAST_BITS = 34;
    private static final int MOST_BITS = 48;
    private static final long LONGEST_SPAN = 1L << 61; // so that no sum of it and a time of day overflows

    private static final AtomicLongFieldUpdater<LastSpan> LATEST =
            AtomicLongFieldUpdater.newUpdater(LastSpan.class, "latest");

    private final long start;
    private final long span;
    private final int shift;
    private final int bits;
    private final long[] failures = new long[FIRST + RING];
    private final long[] slow = new long[FIRST + RING];
    private volatile long latest;

    LastSpan(long span, long now) {
        super(COUNTERS + 1 + RING);
        this.start = now;
        this.span = Math.min(span, LONGEST_SPAN);
        this.shift = 63 - Long.numberOfLeadingZeros(this.span / LEAST_SLOTS | 1);
        this.bits = Math.max(LEAST_BITS, Math.min(MOST_BITS, Long.SIZE - Long.numberOfLeadingZeros(span)));
    }

    @Override
    void recordSuccess(boolean isSlow, long now) {
        long[] row = row();
        moveOn(row, now);
        increment(row, TOTAL);
        recordSlow(isSlow, now);
    }

    @Override
    void recordFailure(boolean isSlow, long now) {
        moveOn(failures, now);
        getAndIncrement(failures, TOTAL);
        recordSlow(isSlow, now);
    }

    private void recordSlow(boolean isSlow, long now) {
        if (isSlow) {
            moveOn(slow, now);
            getAndIncrement(slow, TOTAL);
        }
    }

    /** Ensures that the present slot has begun in a row. */
    private void moveOn(long[] row, long now) {
        long slot = slotAt(now);
        raiseLatest(slot);
        while (!isOf(slot, get(row, place(slot)))) {
            tryBegin(row, slot);
            slot = latest;
        }
    }

    /** Returns the slot of a time, or the latest slot if that is later, so that no forgotten outcome counts again. */
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

    private void tryBegin(long[] row, long slot) {
        int place = place(slot);
        long word = get(row, place);
        long total = get(row, TOTAL);
        if (latest == slot && !isOf(slot, word)) {
            raiseLast(row, slot);
            compareAndSet(row, place, word, (slot << bits) | inBits(total));
        }
    }

    private static void raiseLast(long[] row, long slot) {
        for (long seen = get(row, LAST); slot > seen; seen = get(row, LAST)) {
            if (compareAndSet(row, LAST, seen, slot)) {
                return;
            }
        }
    }

    private static int place(long slot) {
        return FIRST + (int) (slot % RING);
    }

    private boolean isOf(long slot, long word) {
        return ((word >>> bits) ^ slot) << bits == 0;
    }

    private long inBits(long count) {
        return count & ((1L << bits) - 1);
    }

    private long inSpan(long[] row, long now) {
        long present = slotAt(now);
        long end = Math.max(now - start, present << shift);
        long last = Math.min(present, get(row, LAST));
        for (long slot = Math.max(0, (end - span) >> shift); slot <= last; slot++) {
            long word = get(row, place(slot));
            if (isOf(slot, word)) {
                return inBits(get(row, TOTAL) - word);
            }
        }
        return 0;
    }

    @Override
    long completed(long now) {
        long sum = failures(now) + inSpan(first(), now);
        for (long[] row : more()) {
            sum += inSpan(row, now);
        }
        return sum;
    }

    @Override
    long failures(long now) {
        return inSpan(failures, now);
    }

    @Override
    long slow(long now) {
        return inSpan(slow, now);
    }

    @Override
    long everFailed() {
        return get(failures, TOTAL);
    }
}
