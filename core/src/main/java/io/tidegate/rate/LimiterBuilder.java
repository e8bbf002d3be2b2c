package io.tidegate.rate;

import static java.util.Objects.requireNonNull;

import io.tidegate.gate.Names;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

final class LimiterBuilder implements RateLimiter.Builder {
    private static final Duration LONGEST_WAIT = Duration.ofNanos(RateLimiter.LARGEST);

    final long permits;
    final Duration period;
    String name = RateLimiter.DEFAULT_NAME;
    long burst = Rate.FOLLOWS_PERMITS;
    long maxWaitNanos;
    LongSupplier ticker = System::nanoTime;

    @Nullable
    ScheduledExecutorService scheduler;

    LimiterBuilder(long permits, Duration period) {
        this.permits = Rate.requirePermits("permits", permits);
        this.period = Rate.requirePeriod(period);
    }

    @Override
    public RateLimiter.Builder name(String name) {
        this.name = Names.require(name);
        return this;
    }

    @Override
    public RateLimiter.Builder burst(long permits) {
        this.burst = Rate.requirePermits("burst", permits);
        return this;
    }

    @Override
    public RateLimiter.Builder maxWait(Duration wait) {
        if (requireNonNull(wait, "wait").isNegative()) {
            throw new IllegalArgumentException("maxWait: " + wait + " (expected: not negative)");
        }
        this.maxWaitNanos = wait.compareTo(LONGEST_WAIT) > 0 ? RateLimiter.LARGEST : wait.toNanos();
        return this;
    }

    @Override
    public RateLimiter.Builder ticker(LongSupplier nanos) {
        this.ticker = requireNonNull(nanos, "nanos");
        return this;
    }

    @Override
    public RateLimiter.Builder scheduler(ScheduledExecutorService scheduler) {
        this.scheduler = requireNonNull(scheduler, "scheduler");
        return this;
    }

    @Override
    public RateLimiter build() {
        return new ArrivalLimiter(this);
    }
}
