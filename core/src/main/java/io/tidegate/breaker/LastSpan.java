package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Counts over the last span of time: the sliding window by time, exact to a 32nd of the span. */
final class LastSpan extends Tally {
    /*
     * Time is cut into slots of a power of two nanoseconds, at most a 32nd of the span, so that the number of the slot is a
     * shift away. A row counts outcomes:
     *
     *   [TOTAL]    all of them, ever
     *   [LAST]     no slot after this one has begun here
     *   [FIRST …]  a ring: for each of the last slots in which there was one
     *              the slot's number | the total when it began, in the lower `bits`, both modulo
     *
     * What is in the window is the total less what it was when the window's first used slot began. So most outcomes cost one
     * look and one add, and reading costs finding that slot: one look for a row in steady use. A row of zeros is right as it
     * is: slot 0, begun at 0. `bits` are enough for an outcome in each nanosecond of the span, up to three days.
     *
     * A slot is begun by one compare-and-set, on a word that was read before `latest` was seen to be this slot. Whoever begins
     * a later one raises `latest` first; so the word of a later slot is never overwritten, and totals rise with the slots. Who
     * was held up goes on in the latest slot there is. An outcome told while a slot begins may count in it.
     *
     * When the clock goes back, time stands still here until the clock is where it was.
     *
     * Successes have a row for each stripe of threads, failures and slow calls one for all.
     */
    private static final int TOTAL = 0;
    private static final int LAST = 1;
    private static final int FIRST = STRIDE;
    private static final int RING = 128;
    private static final int ROW = FIRST + RING;
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
    private final long[] successes = newRows(STRIPES);
    private final long[] failures = newRows(1);
    private final long[] slow = newRows(1);
    private volatile long latest;

    LastSpan(long span, long now) {
        this.start = now;
        this.span = Math.min(span, LONGEST_SPAN);
        this.shift = 63 - Long.numberOfLeadingZeros(this.span / LEAST_SLOTS | 1);
        this.bits = Math.max(LEAST_BITS, Math.min(MOST_BITS, Long.SIZE - Long.numberOfLeadingZeros(span)));
    }

    private static long[] newRows(int rows) {
        return new long[STRIDE + rows * ROW]; // the first stride keeps the array's own header apart
    }

    @Override
    void recordSuccess(boolean isSlow, long now) {
        count(successes, STRIDE + stripe() * ROW, now);
        countSlow(isSlow, now);
    }

    @Override
    void recordFailure(boolean isSlow, long now) {
        count(failures, STRIDE, now);
        countSlow(isSlow, now);
    }

    private void countSlow(boolean isSlow, long now) {
        if (isSlow) {
            count(slow, STRIDE, now);
        }
    }

    private void count(long[] rows, int row, long now) {
        long slot = slotAt(now);
        raiseLatest(slot);
        while (!isOf(slot, get(rows, place(row, slot)))) {
            tryBegin(rows, row, slot);
            slot = latest;
        }
        CELL.getAndAdd(rows, row + TOTAL, 1L);
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

    private void tryBegin(long[] rows, int row, long slot) {
        int place = place(row, slot);
        long word = get(rows, place);
        long total = get(rows, row + TOTAL);
        if (latest == slot && !isOf(slot, word)) {
            raiseLast(rows, row + LAST, slot);
            CELL.compareAndSet(rows, place, word, (slot << bits) | inBits(total));
        }
    }

    private static void raiseLast(long[] rows, int last, long slot) {
        for (long seen = get(rows, last); slot > seen; seen = get(rows, last)) {
            if (CELL.compareAndSet(rows, last, seen, slot)) {
                return;
            }
        }
    }

    private static long get(long[] rows, int index) {
        return (long) CELL.getVolatile(rows, index);
    }

    private static int place(int row, long slot) {
        return row + FIRST + (int) (slot & (RING - 1));
    }

    private boolean isOf(long slot, long word) {
        return ((word >>> bits) ^ slot) << bits == 0;
    }

    private long inBits(long count) {
        return count & ((1L << bits) - 1);
    }

    private long inSpan(long[] rows, int row, long now) {
        long present = slotAt(now);
        long end = Math.max(now - start, present << shift);
        long last = Math.min(present, get(rows, row + LAST));
        for (long slot = Math.max(0, (end - span) >> shift); slot <= last; slot++) {
            long word = get(rows, place(row, slot));
            if (isOf(slot, word)) {
                return inBits(get(rows, row + TOTAL) - word);
            }
        }
        return 0;
    }

    @Override
    long completed(long now) {
        long sum = failures(now);
        for (int row = STRIDE; row < successes.length; row += ROW) {
            sum += inSpan(successes, row, now);
        }
        return sum;
    }

    @Override
    long failures(long now) {
        return inSpan(failures, STRIDE, now);
    }

    @Override
    long slow(long now) {
        return inSpan(slow, STRIDE, now);
    }

    @Override
    long everSucceeded() {
        long sum = 0;
        for (int row = STRIDE; row < successes.length; row += ROW) {
            sum += get(successes, row + TOTAL);
        }
        return sum;
    }

    @Override
    long everFailed() {
        return get(failures, STRIDE + TOTAL);
    }
}
