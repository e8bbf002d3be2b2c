package io.tidegate.lease;

import io.tidegate.Backoff;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decides how long a runner waits before it tries again. */
final class RetryPauses {
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final Backoff backoff;
    private final @Nullable SharedWorkLease shared;
    private final RunnerClock clock;
    private final RunnerEvents events;

    RetryPauses(RunnerBuilder settings, @Nullable SharedWorkLease shared, RunnerEvents events) {
        this.backoff = settings.backoff;
        this.shared = shared;
        this.clock = settings.clock;
        this.events = events;
    }

    /**
     * Returns the pause after one more setback of a domain in a row. The first one is as long as the pause before a
     * first retry. An offset that another process holds is asked for again when its lease ends.
     */
    Duration next(ActiveDomain domain, @Nullable HeldElsewhere held) {
        domain.setbacks++;
        Duration asked = retry(domain.id, domain.setbacks);
        Duration delay = asked.compareTo(SHORTEST) < 0 ? SHORTEST : asked;
        if (held == null || shared == null) {
            return delay;
        }
        // the engine's clock may differ, so the end is only a hint, and the duration is the bound
        Duration longest = shared.leaseDuration();
        Duration left = Duration.ofMillis(held.untilMillis() - clock.millis());
        boolean known = left.compareTo(Duration.ZERO) > 0 && left.compareTo(longest) < 0;
        Duration most = known ? left.plus(SHORTEST) : longest;
        return delay.compareTo(most) < 0 ? delay : most;
    }

    /** Returns the pause before the retry of this number. If the backoff fails, the default one replaces it. */
    Duration retry(String domainId, int number) {
        try {
            Duration delay = backoff.delay(number);
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay: " + delay + " (expected: not negative)");
            }
            return delay;
        } catch (Throwable broken) {
            events.error(domainId, broken);
            return RunnerBuilder.DEFAULT_BACKOFF.delay(number);
        }
    }
}
