package io.tidegate.rate.broken;

import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Makes the limiter that a check runs on: Tidegate's own, or a broken one. */
@FunctionalInterface
public interface LimiterFactory {
    LimiterFactory TIDEGATE = (permits, period, burst, maxWait, ticker, scheduler) -> {
        RateLimiter.Builder builder =
                RateLimiter.builder(permits, period).maxWait(maxWait).ticker(ticker);
        if (burst != 0) {
            builder.burst(burst);
        }
        if (scheduler != null) {
            builder.scheduler(scheduler);
        }
        return builder.build();
    };

    /**
     * @param burst 0: not given
     * @param scheduler null: no submission waits, or the library's own threads are used
     */
    RateLimiter create(
            long permits,
            Duration period,
            long burst,
            Duration maxWait,
            LongSupplier ticker,
            @Nullable ScheduledExecutorService scheduler);
}
