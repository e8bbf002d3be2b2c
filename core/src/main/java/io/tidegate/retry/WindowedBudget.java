package io.tidegate.retry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A budget in which grants expire after a window of time. */
final class WindowedBudget implements RetryBudget {
    /*
     * The total of all grants only rises: by first attempts and by time. `gone` is how much of it was spent or has
     * expired; what is granted first is spent first. So the balance is the difference, and spending is one
     * compare-and-set on `gone`. Grants from before the window have expired: if `gone` is below their total, spending
     * starts from that total. So nothing has to run when time passes.
     *
     * The number of first attempts at the start of the window is known to a tenth of the window: the first thread in
     * each tenth leaves a mark with the number so far. A tenth without a mark needs none, because the next mark has the
     * same number. If two threads are first in a tenth at the same time, the number in the mark may be too great, so a
     * little expires early; but nothing lives longer than the window.
     *
     * Amounts are doubles: they are sums of few terms, and one retry more or less in a million million does not matter.
     */
    private static final int PARTS = 10;
    private static final int MARKS = PARTS + 2;
    private static final double ROUNDING = 1e-9;
    private static final double SECOND = 1e9;

    private final double ratio;
    private final double perNano;
    private final long window;
    private final LongSupplier ticker;
    private final long start;
    private final LongAdder firsts = new LongAdder();
    private final AtomicLong gone = new AtomicLong(Double.doubleToRawLongBits(0));
    private final AtomicReferenceArray<@Nullable Mark> marks = new AtomicReferenceArray<>(MARKS);

    /** How many first attempts there had been at the start of a part of the window. */
    private record Mark(long part, long firsts) {}

    WindowedBudget(double ratio, double minPerSecond, long window, LongSupplier ticker) {
        this.ratio = ratio;
        this.perNano = minPerSecond / SECOND;
        this.window = window;
        this.ticker = ticker;
        this.start = ticker.getAsLong();
    }

    @Override
    public void onFirst() {
        if (ratio > 0) {
            mark(elapsed());
            firsts.increment();
        }
    }

    @Override
    public boolean tryRetry() {
        long elapsed = elapsed();
        mark(elapsed);
        for (; ; ) {
            long seen = gone.get();
            double from = spentOrExpired(seen, elapsed);
            if (from + 1 > granted(elapsed) + ROUNDING) {
                return false;
            }
            if (gone.compareAndSet(seen, Double.doubleToRawLongBits(from + 1))) {
                return true;
            }
        }
    }

    @Override
    public double available() {
        long elapsed = elapsed();
        return Math.max(0, granted(elapsed) - spentOrExpired(gone.get(), elapsed));
    }

    private long elapsed() {
        return ticker.getAsLong() - start;
    }

    private double granted(long elapsed) {
        return ratio * firsts.sum() + perNano * (elapsed + SECOND);
    }

    /** Returns how much is spent or has expired. */
    private double spentOrExpired(long spent, long elapsed) {
        return Math.max(Double.longBitsToDouble(spent), expired(elapsed));
    }

    private double expired(long elapsed) {
        if (elapsed < window) {
            return 0;
        }
        double kept = Math.max(1, perNano * window); // or less than one in a window never adds up to one
        double byTime = Math.max(0, perNano * (elapsed + SECOND) - kept);
        return ratio * firstsBefore(part(elapsed) - PARTS + 1) + byTime;
    }

    private long part(long elapsed) {
        return (long) Math.floor((double) elapsed / window * PARTS);
    }

    private long firstsBefore(long part) {
        long fewest = firsts.sum();
        for (int i = 0; i < MARKS; i++) {
            Mark mark = marks.get(i);
            if (mark != null && mark.part >= part) {
                fewest = Math.min(fewest, mark.firsts);
            }
        }
        return fewest;
    }

    private void mark(long elapsed) {
        long part = part(elapsed);
        int place = (int) Math.floorMod(part, (long) MARKS);
        Mark there = marks.get(place);
        if (there == null || there.part != part) {
            marks.compareAndSet(place, there, new Mark(part, firsts.sum()));
        }
    }

    @Override
    public String toString() {
        return "RetryBudget(" + available() + " available)";
    }
}
