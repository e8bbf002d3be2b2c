package io.tidegate.lab.guard;

import io.tidegate.lab.breaker.Outage;
import java.time.Duration;

/**
 * An outage of a service that can carry its load, but not three times as much, and callers that retry.
 *
 * @param outage the outage; its open time is the breaker's first one
 * @param capacity how many requests the service works on at once
 * @param attemptLimit how long a caller waits for an attempt
 * @param firstPause the longest pause before the first retry
 */
public record Storm(Outage outage, int capacity, Duration attemptLimit, Duration firstPause) {
    static final int ATTEMPTS = 3;

    public static final Storm DEFAULT = new Storm(
            new Outage(
                    100,
                    Duration.ofMillis(20),
                    Duration.ofMillis(300),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(3),
                    Duration.ofMillis(1_500),
                    Duration.ofMillis(250)),
            4,
            Duration.ofMillis(400),
            Duration.ofMillis(100));

    int capacityPerSecond() {
        return (int) (capacity * Duration.ofSeconds(1).toNanos() / outage.work().toNanos());
    }
}
