package io.tidegate.measure;

import io.tidegate.Reading;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Durations, counted by their size. Adding one allocates nothing and takes no lock. */
final class Histogram {
    /*
     * Each power of two has 16 buckets of equal width. So a bucket is at most a sixteenth of its values wide, and its
     * middle at most a thirty-second away from any of them. The smallest values have a bucket each. The greatest power
     * of two is a little more than an hour: longer times count in the last bucket, but in full in the total and the
     * maximum.
     */
    private static final int SUB_BITS = 4;
    private static final int SUBS = 1 << SUB_BITS;
    private static final int GREATEST_POWER = 42;
    private static final int BUCKETS = (GREATEST_POWER - SUB_BITS + 2) * SUBS;
    private static final long GREATEST = (1L << (GREATEST_POWER + 1)) - 1;

    private static final AtomicLongFieldUpdater<Histogram> TOTAL =
            AtomicLongFieldUpdater.newUpdater(Histogram.class, "total");
    private static final AtomicLongFieldUpdater<Histogram> MAX =
            AtomicLongFieldUpdater.newUpdater(Histogram.class, "max");

    private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
    private volatile long total;
    private volatile long max;

    /**
     * Counts a duration.
     *
     * @param weight how many durations it stands for
     */
    void add(long nanos, int weight) {
        long value = Math.max(0, nanos);
        buckets.getAndAdd(bucketOf(Math.min(value, GREATEST)), weight);
        TOTAL.getAndAdd(this, value * weight);
        for (long seen = max; value > seen; seen = max) {
            if (MAX.compareAndSet(this, seen, value)) {
                return;
            }
        }
    }

    static int bucketOf(long nanos) {
        if (nanos < 2 * SUBS) {
            return (int) nanos;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int shift = power - SUB_BITS;
        return shift * SUBS + (int) (nanos >>> shift);
    }

    /** The middle of a bucket, which stands for all of its values. */
    static long middleOf(int bucket) {
        if (bucket < 2 * SUBS) {
            return bucket;
        }
        int shift = bucket / SUBS - 1;
        long least = (long) (bucket - shift * SUBS) << shift;
        return least + (1L << shift) / 2;
    }

    void read(Reading to, String measure, String... tags) {
        long[] counts = new long[BUCKETS];
        long count = 0;
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] = buckets.get(i);
            count += counts[i];
        }
        long sum = total < 0 ? Long.MAX_VALUE : total; // an overflow: more than three centuries in all
        long greatest = max; // read after the counts, so that it is not below any of them
        to.time(
                measure,
                count,
                sum,
                quantile(counts, count, 50, greatest),
                quantile(counts, count, 99, greatest),
                greatest,
                tags);
    }

    /* By nearest rank. */
    private static long quantile(long[] counts, long count, int percent, long greatest) {
        long rank = (count * percent + 99) / 100;
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= rank && seen > 0) {
                return Math.min(middleOf(i), greatest);
            }
        }
        return 0;
    }
}
