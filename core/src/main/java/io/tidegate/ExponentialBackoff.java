package io.tidegate;

import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits for a random time in (0, ceiling]; the ceiling doubles with each retry. */
record ExponentialBackoff(Duration first, Duration max) implements Backoff {
    @Override
    public Duration delay(int retry) {
        requireRetry(retry);
        long ceiling = ceiling(retry);
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(ceiling) + 1);
    }

    private long ceiling(int retry) {
        long from = Nanos.of(first);
        int doublings = retry - 1;
        boolean overflows = doublings >= Long.numberOfLeadingZeros(from);
        return overflows ? Nanos.of(max) : Math.min(Nanos.of(max), from << doublings);
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
