package io.tidegate;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Says how long to wait before the next attempt. Called with no lock held, from any thread. */
@FunctionalInterface
public interface Backoff {
    /**
     * How long to wait; not negative.
     *
     * @param retry the number of the retry, from 1
     * @throws IllegalArgumentException when {@code retry} is not positive
     */
    Duration delay(int retry);

    /** Does not wait. */
    static Backoff none() {
        return fixed(Duration.ZERO);
    }

    /**
     * Waits for this long each time.
     *
     * @throws IllegalArgumentException when {@code delay} is negative
     */
    static Backoff fixed(Duration delay) {
        ExponentialBackoff.check(!requireNonNull(delay, "delay").isNegative(), "delay", delay, "not negative");
        return retry -> {
            ExponentialBackoff.requireRetry(retry);
            return delay;
        };
    }

    /**
     * Waits for a random time up to a ceiling, which doubles with each retry, up to {@code max}: callers that failed
     * together do not come back together.
     *
     * @throws IllegalArgumentException if {@code first} is not positive or {@code max} is shorter than it
     */
    static Backoff exponential(Duration first, Duration max) {
        ExponentialBackoff.check(
                requireNonNull(first, "first").compareTo(Duration.ZERO) > 0, "first", first, "positive");
        ExponentialBackoff.check(requireNonNull(max, "max").compareTo(first) >= 0, "max", max, ">= " + first);
        return new ExponentialBackoff(first, max);
    }
}
