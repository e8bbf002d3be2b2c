package io.tidegate.lab.breaker;

import io.tidegate.lab.load.Arrivals;
import io.tidegate.lab.load.Load;
import java.time.Duration;

/**
 * A service that works, fails for a while and works again, under a load that it can carry.
 *
 * @param perSecond how many calls arrive
 * @param work how long the service works on one
 * @param error how long it takes to answer with an error while it fails
 * @param before how long it works at first, after a warm-up of the same length
 * @param length how long it fails
 * @param after how long it works again
 * @param patience how long a caller waits for an answer
 * @param openFor how long the breaker stays open
 */
public record Outage(
        int perSecond,
        Duration work,
        Duration error,
        Duration before,
        Duration length,
        Duration after,
        Duration patience,
        Duration openFor) {
    public static final Outage DEFAULT = new Outage(
            200,
            Duration.ofMillis(20),
            Duration.ofMillis(400),
            Duration.ofMillis(1_500),
            Duration.ofSeconds(4),
            Duration.ofMillis(2_500),
            Duration.ofSeconds(1),
            Duration.ofMillis(500));

    /** Returns when the service works again. */
    public Duration end() {
        return before.plus(length);
    }

    public Load load() {
        return new Load(new Arrivals(perSecond, before), new Arrivals(perSecond, end().plus(after)), patience);
    }
}
