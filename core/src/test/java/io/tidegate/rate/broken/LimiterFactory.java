package io.tidegate.rate.broken;

import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/** Makes the limiter that a check is run on: Tidegate's own, or a broken one. */
@FunctionalInterface
public interface LimiterFactory {
    LimiterFactory TIDEGATE = (permits, period, burst, maxWait, ticker, scheduler) -> {
        RateLimiter.Builder builder = RateLimiter.builder(permits, period)
                .maxWait(maxWait)
                .ticker(ticker)
                .scheduler(scheduler);
        return (burst == 0 ? builder : builder.burst(burst)).build();
    };

    /** @param burst 0: not given */
    RateLimiter create(
            long permits,
            Duration period,
            long burst,
            Duration maxWait,
            LongSupplier ticker,
            ScheduledExecutorService scheduler);
}
