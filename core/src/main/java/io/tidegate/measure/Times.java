package io.tidegate.measure;

import io.tidegate.Reading;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Measures how long calls or waits of a part take. Nothing is timed until the first reading. */
public final class Times {
    /*
     * Reading the clock costs more than most of what a part does for a call, and two reads are needed. That is little
     * compared with a call of a microsecond or more, and only such calls are worth measuring. So while calls are
     * shorter than that, one call of SAMPLED_ONE_IN is timed, chosen by chance, and counts for all of them; as soon as
     * a timed call takes longer, all calls are timed again. If calls are numbered anyway, the choice depends on the
     * scattered number: a random number would cost as much as a gate.
     *
     * A stamp is the time since the start, times two, plus one if the call counts for many; 0 means not timed. So it
     * stays below the bit by which Holders marks its own stamps.
     */
    static final int SAMPLED_ONE_IN = 256;
    static final int SHORT_ONES_BEFORE_SAMPLING = 1024;
    static final long SHORT_NANOS = 1_000;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int SCATTERED_SHIFT = 1 + Long.numberOfLeadingZeros(SAMPLED_ONE_IN);

    private static final long START = System.nanoTime() - 1;

    private final LongSupplier ticker;
    private final long start;
    private volatile @Nullable Histogram kept;

    /*
     * How many calls in a row were short. Threads may overwrite each other's value: it decides only how many calls are
     * timed.
     */
    private int shortOnes;

    /** Uses the system's clock. */
    public Times() {
        this.ticker = System::nanoTime;
        this.start = START;
    }

    /** Uses this clock, which may start anywhere. */
    public Times(LongSupplier ticker) {
        this.ticker = ticker;
        this.start = ticker.getAsLong() - 1;
    }

    /** A call begins. Returns a stamp for {@link #end}, or 0 if the call is not timed. */
    public long begin() {
        if (kept == null) {
            return 0;
        }
        if (shortOnes < SHORT_ONES_BEFORE_SAMPLING) {
            return now() << 1;
        }
        return ThreadLocalRandom.current().nextInt(SAMPLED_ONE_IN) == 0 ? (now() << 1) + 1 : 0;
    }

    /**
     * As {@link #begin()}, for a part that numbers its calls.
     *
     * @param number the number of this call
     */
    public long begin(long number) {
        if (kept == null) {
            return 0;
        }
        if (shortOnes < SHORT_ONES_BEFORE_SAMPLING) {
            return now() << 1;
        }
        return isSampled(number) ? (now() << 1) + 1 : 0;
    }

    static boolean isSampled(long number) {
        return (number * GOLDEN) >>> SCATTERED_SHIFT == 0;
    }

    /** As {@link #begin()}, for a call that is always timed: the stamp can also be given to {@link #elapsed}. */
    public long beginAlways() {
        return now() << 1;
    }

    /** How many nanoseconds have passed since the stamp. */
    public long elapsed(long stamp) {
        return Math.max(0, now() - (stamp >>> 1));
    }

    private long now() {
        return Math.max(1, ticker.getAsLong() - start);
    }

    /** The call has ended. */
    public void end(long stamp) {
        if (stamp != 0) {
            endTimed(stamp);
        }
    }

    private void endTimed(long stamp) {
        Histogram histogram = kept;
        if (histogram == null) {
            return;
        }
        long nanos = now() - (stamp >>> 1);
        int seen = shortOnes; // written only where it changes, because every call reads it
        int next = nanos >= SHORT_NANOS ? 0 : Math.min(seen + 1, SHORT_ONES_BEFORE_SAMPLING);
        if (next != seen) {
            shortOnes = next;
        }
        histogram.add(nanos, (stamp & 1) == 0 ? 1 : SAMPLED_ONE_IN);
    }

    /** Counts a call that took this time, which is known without a stamp. */
    public void took(long nanos) {
        Histogram histogram = kept;
        if (histogram != null) {
            histogram.add(nanos, 1);
        }
    }

    /** Returns whether times were read before, so that calls are timed. */
    public boolean isRead() {
        return kept != null;
    }

    /** Reports the times so far. Timing begins with the first reading. */
    public void read(Reading to, String measure, String... tags) {
        Histogram histogram = kept;
        if (histogram == null) {
            histogram = make();
        }
        histogram.read(to, measure, tags);
    }

    private synchronized Histogram make() {
        Histogram histogram = kept;
        if (histogram == null) {
            histogram = new Histogram();
            kept = histogram;
        }
        return histogram;
    }
}
