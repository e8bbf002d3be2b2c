package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Says how long to wait before the next attempt. Called with nothing held, from any thread. */
@FunctionalInterface
public interface Backoff {
    /**
     * How long to wait; not negative.
     *
     * @param acquiredAtMillis when the offset was first acquired. Where the runner waits for something else than the next attempt, a number that
     *     is always the same for the domain
     * @param retryCount which wait in a row this is, from 1
     */
    Duration delay(long acquiredAtMillis, int retryCount);

    /**
     * Doubles the delay with each retry, up to the longest, and takes off up to half of it, so that what was acquired at different times and
     * failed together does not come back together. How much it takes off is a hash of both numbers: the same numbers, as those of all leases of
     * one millisecond, give the same delay.
     *
     * @throws IllegalArgumentException if {@code first} is not positive or {@code max} is shorter than it
     */
    static Backoff exponential(Duration first, Duration max) {
        check(requireNonNull(first, "first").compareTo(Duration.ZERO) > 0, "first", first, "positive");
        check(requireNonNull(max, "max").compareTo(first) >= 0, "max", max, ">= " + first);
        return new Exponential(Exponential.nanos(first), Exponential.nanos(max));
    }

    private static void check(boolean holds, String name, Duration value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }
}
