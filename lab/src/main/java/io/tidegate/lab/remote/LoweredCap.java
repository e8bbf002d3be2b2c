package io.tidegate.lab.remote;

import io.tidegate.lab.load.Arrivals;
import io.tidegate.lab.load.LimitedWork;
import io.tidegate.lab.load.Load;
import io.tidegate.lab.load.Work;
import java.time.Duration;
import java.util.List;

/**
 * A steady load on a service, and a cap that an operator lowers for a while, below what the load needs.
 *
 * @param perSecond how many calls arrive
 * @param work how long the service works on one
 * @param cap how many may be in flight at first and at last, which is enough
 * @param lowered how many may be in flight for a while
 * @param maxDepth how many calls may wait
 * @param timeout how long one may wait
 * @param target the p99 aimed at
 * @param warmUp how long the load is sent unmeasured
 * @param phase how long the cap stays the same, each time
 * @param patience how long a caller waits for an answer
 */
public record LoweredCap(
        int perSecond,
        Duration work,
        int cap,
        int lowered,
        int maxDepth,
        Duration timeout,
        Duration target,
        Duration warmUp,
        Duration phase,
        Duration patience) {
    public static final LoweredCap DEFAULT = new LoweredCap(
            28,
            Duration.ofMillis(400),
            16,
            4,
            16,
            Duration.ofSeconds(1),
            Duration.ofMillis(600),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_400),
            Duration.ofSeconds(2));

    /** The phases, one after the other. */
    enum Phase {
        BEFORE,
        LOWERED,
        AFTER,
        /** Nothing more is sent. */
        CLOSING;

        static final List<Phase> ALL = List.of(values());

        /** The phases in which calls are sent. */
        static final List<Phase> SENT = List.of(BEFORE, LOWERED, AFTER);
    }

    int usuallyInFlight() {
        return (int) (perSecond * work.toNanos() / Duration.ofSeconds(1).toNanos());
    }

    int loweredPerSecond() {
        return (int) (lowered * Duration.ofSeconds(1).toNanos() / work.toNanos());
    }

    Load load() {
        return new Load(new Arrivals(perSecond, warmUp), arrivals(), Phase.SENT.size(), patience);
    }

    /** Returns the arrivals of each phase. */
    Arrivals arrivals() {
        return new Arrivals(perSecond, phase);
    }

    /**
     * Returns how many latencies the p99 is taken from: those of about a second, so that it forgets an earlier phase.
     */
    int latencyWindow() {
        return perSecond;
    }

    Work newWork() {
        return new LimitedWork(cap, work);
    }
}
