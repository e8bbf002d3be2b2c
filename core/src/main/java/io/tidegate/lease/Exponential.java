package io.tidegate.lease;

import java.time.Duration;

/** Between half of a ceiling and all of it; the ceiling doubles with each retry. In nanoseconds. */
record Exponential(long first, long max) implements Backoff {
    @Override
    public Duration delay(long acquiredAtMillis, int retryCount) {
        int doublings = Math.max(0, retryCount - 1);
        boolean overflows = doublings >= Long.numberOfLeadingZeros(first);
        long ceiling = overflows ? max : Math.min(max, first << doublings);
        long half = ceiling / 2;
        return Duration.ofNanos(ceiling - Long.remainderUnsigned(mix(mix(acquiredAtMillis) + retryCount), half + 1));
    }

    /** A duration too long to count is the longest there is. */
    static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }

    /* Two multiplications, so that neighbouring numbers end far apart; the constants are those of David Stafford's mix 13. */
    private static long mix(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
