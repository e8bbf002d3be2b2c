package io.tidegate.lab.load;

import java.time.Duration;

/**
 * The requests to a service.
 *
 * @param warmUp the first requests, which are not measured
 * @param arrivals the requests of each phase
 * @param phases how many phases there are, one right after the other
 * @param patience how long a caller waits for an answer
 */
public record Load(Arrivals warmUp, Arrivals arrivals, int phases, Duration patience) {
    /** A load of one phase. */
    public Load(Arrivals warmUp, Arrivals arrivals, Duration patience) {
        this(warmUp, arrivals, 1, patience);
    }

    /** Returns how long it takes until the last caller has an answer or has given up. */
    Duration length() {
        return warmUp.length().plus(arrivals.length().multipliedBy(phases)).plus(patience);
    }
}
