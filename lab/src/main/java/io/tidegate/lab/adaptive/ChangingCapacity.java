package io.tidegate.lab.adaptive;

import java.time.Duration;
import java.util.List;

/**
 * A service whose capacity changes, and callers who offer three times its capacity.
 *
 * @param servers how many calls it works on at once, phase by phase
 * @param work how long it works on one
 * @param phase how many seconds a phase lasts
 * @param settled how many seconds after its beginning the limit must have followed
 */
public record ChangingCapacity(List<Integer> servers, Duration work, int phase, int settled) {
    /** How much more arrives than the service can answer. */
    static final int FACTOR = 3;

    /** How long callers wait, as a multiple of the work, unless they wait for ever. */
    static final double PATIENCE = 2.5;

    public static final ChangingCapacity DEFAULT =
            new ChangingCapacity(List.of(10, 5, 10, 20), Duration.ofMillis(50), 8, 5);

    int seconds() {
        return servers.size() * phase;
    }

    int serversAt(int second) {
        return servers.get(second / phase);
    }

    /** Returns how many calls it can answer in a second. */
    double perSecond(int servers) {
        return servers * 1e9 / work.toNanos();
    }
}
