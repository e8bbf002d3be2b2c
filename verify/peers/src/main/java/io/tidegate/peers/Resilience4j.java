package io.tidegate.peers;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** resilience4j's breaker, the only peer that has ignored exceptions and takes a clock. */
final class Resilience4j implements LibraryBreaker {
    private final WallClock clock = new WallClock();
    private final AtomicInteger notifications = new AtomicInteger();
    private final CircuitBreaker breaker = CircuitBreaker.of(
            "peers",
            CircuitBreakerConfig.custom()
                    .slidingWindow(1, 1, SlidingWindowType.COUNT_BASED)
                    .permittedNumberOfCallsInHalfOpenState(1)
                    .waitDurationInOpenState(OPEN_TIME)
                    .ignoreException(Failures::isIgnored)
                    .recordException(Failures::isFailure)
                    .clock(clock)
                    .build());

    Resilience4j() {
        breaker.getEventPublisher().onStateTransition(event -> notifications.incrementAndGet());
    }

    @Override
    public @Nullable Call begin() {
        return !breaker.tryAcquirePermission()
                ? null
                : new Call() {
                    @Override
                    public void succeed() {
                        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
                    }

                    @Override
                    public void fail(RuntimeException error) {
                        breaker.onError(0, TimeUnit.NANOSECONDS, error);
                    }
                };
    }

    @Override
    public String execute(Callable<String> call) throws Exception {
        return breaker.executeCallable(call);
    }

    @Override
    public Phase phase() {
        return Phase.valueOf(breaker.getState().name());
    }

    @Override
    public int notifications() {
        return notifications.get();
    }

    @Override
    public Clock clock() {
        return clock;
    }

    /** Replaces the library's default clock. */
    private static final class WallClock extends java.time.Clock implements Clock {
        private final AtomicLong millis = new AtomicLong();

        @Override
        public void step(Duration by) {
            millis.addAndGet(by.toMillis());
        }

        @Override
        public boolean isWallClock() {
            return CircuitBreakerConfig.ofDefaults().getClock().equals(java.time.Clock.systemUTC());
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis.get());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public java.time.Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
