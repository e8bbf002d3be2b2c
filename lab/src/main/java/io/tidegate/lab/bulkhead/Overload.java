package io.tidegate.lab.bulkhead;

import io.tidegate.lab.load.Arrivals;
import io.tidegate.lab.load.LimitedWork;
import io.tidegate.lab.load.Load;
import io.tidegate.lab.load.Work;
import java.time.Duration;

/**
 * A service, and more load than it can carry.
 *
 * @param capacity how many requests the service works on at once
 * @param work how long it works on one
 * @param warmUp how long half of the possible load is sent first, unmeasured
 * @param length how long the overload lasts
 * @param patience how long a caller waits for an answer
 */
public record Overload(int capacity, Duration work, Duration warmUp, Duration length, Duration patience) {
    /** How much more arrives than the service can answer. */
    static final int FACTOR = 3;

    public static final Overload DEFAULT = new Overload(
            10, Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(1));

    int capacityPerSecond() {
        return (int) (capacity * Duration.ofSeconds(1).toNanos() / work.toNanos());
    }

    int offeredPerSecond() {
        return FACTOR * capacityPerSecond();
    }

    Arrivals warmUpArrivals() {
        return new Arrivals(capacityPerSecond() / 2, warmUp);
    }

    Arrivals arrivals() {
        return new Arrivals(offeredPerSecond(), length);
    }

    Load load() {
        return new Load(warmUpArrivals(), arrivals(), patience);
    }

    Work newWork() {
        return new LimitedWork(capacity, work);
    }
}
