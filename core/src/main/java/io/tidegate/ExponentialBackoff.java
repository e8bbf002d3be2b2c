package io.tidegate;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** A random time in (0, ceiling]; the ceiling doubles with each retry. */
record ExponentialBackoff(Duration first, Duration max) implements Backoff {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    @Override
    public Duration delay(int retry) {
        requireRetry(retry);
        long ceiling = ceiling(retry);
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(ceiling) + 1);
    }

    private long ceiling(int retry) {
        long from = nanos(first);
        int doublings = retry - 1;
        boolean overflows = doublings >= Long.numberOfLeadingZeros(from);
        return overflows ? nanos(max) : Math.min(nanos(max), from << doublings);
    }

    /** A duration too long to count is the longest there is. */
    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    static void requireRetry(int retry) {
        check(retry >= 1, "retry", retry, ">= 1");
    }

    static void check(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }
}
