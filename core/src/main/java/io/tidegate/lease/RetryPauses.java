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
    private final RunnerClock pace;
    private final RunnerEvents news;

    RetryPauses(RunnerBuilder settings, @Nullable SharedWorkLease shared, RunnerEvents news) {
        this.backoff = settings.backoff;
        this.shared = shared;
        this.pace = settings.pace;
        this.news = news;
    }

    /**
     * The pause after one more setback of a domain in a row. The first one is as long as that before a first retry.
     * Work that another process has is asked for when its lease ends.
     */
    Duration next(ActiveDomain domain, @Nullable HeldElsewhere held) {
        domain.setbacks++;
        Duration asked = retry(domain.id, domain.setbacks);
        Duration delay = asked.compareTo(SHORTEST) < 0 ? SHORTEST : asked;
        if (held == null || shared == null) {
            return delay;
        }
        // the engine's clock may differ, so the end is a hint and the duration a bound
        Duration longest = shared.leaseDuration();
        Duration left = Duration.ofMillis(held.untilMillis() - pace.millis());
        boolean known = left.compareTo(Duration.ZERO) > 0 && left.compareTo(longest) < 0;
        Duration most = known ? left.plus(SHORTEST) : longest;
        return delay.compareTo(most) < 0 ? delay : most;
    }

    /** The pause before the retry of this number. If a backoff fails, the default one replaces it. */
    Duration retry(String domainId, int number) {
        try {
            Duration delay = backoff.delay(number);
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay: " + delay + " (expected: not negative)");
            }
            return delay;
        } catch (Throwable broken) {
            news.error(domainId, broken);
            return RunnerBuilder.DEFAULT_BACKOFF.delay(number);
        }
    }
}
