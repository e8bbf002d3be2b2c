package io.tidegate.bench.breaker;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Reads the clock for every call that it executes. With a permit, the caller reports the time, which is always 0 here.
 */
public abstract class Resilience4j extends CallBenchmark {
    private final SlidingWindowSynchronizationStrategy synchronization;
    private final boolean stackTrace;
    CircuitBreaker breaker = CircuitBreaker.ofDefaults(NAME);

    Resilience4j(SlidingWindowSynchronizationStrategy synchronization, boolean stackTrace) {
        this.synchronization = synchronization;
        this.stackTrace = stackTrace;
    }

    @Override
    void build(Window counted) {
        CircuitBreakerConfig.Builder config = CircuitBreakerConfig.custom()
                .waitDurationInOpenState(Duration.ofSeconds(OPEN_SECONDS))
                .permittedNumberOfCallsInHalfOpenState(1)
                .writableStackTraceEnabled(stackTrace);
        switch (counted) {
            case SIX_IN_A_ROW ->
                config.failureRateThreshold(100).slidingWindow(6, 6, SlidingWindowType.COUNT_BASED, synchronization);
            case LAST_100 ->
                config.failureRateThreshold(90).slidingWindow(100, 100, SlidingWindowType.COUNT_BASED, synchronization);
            case LAST_10_S ->
                config.failureRateThreshold(90).slidingWindow(10, 100, SlidingWindowType.TIME_BASED, synchronization);
            case SLOW_CALLS ->
                config.failureRateThreshold(90)
                        .slowCallRateThreshold(90)
                        .slowCallDurationThreshold(Duration.ofSeconds(1))
                        .slidingWindow(100, 100, SlidingWindowType.COUNT_BASED, synchronization);
            case EVERY_10_S -> throw new IllegalArgumentException("has only windows that slide");
        }
        breaker = CircuitBreaker.of(NAME, config.build());
    }

    @Override
    void openByHand() {
        breaker.transitionToOpenState();
    }

    @Override
    void closeByHand() {
        breaker.transitionToClosedState();
    }

    @Override
    void holdProbe() {
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        boolean unused = breaker.tryAcquirePermission();
    }

    public static class Permit extends Resilience4j {
        public Permit() {
            super(SlidingWindowSynchronizationStrategy.SYNCHRONIZED, true);
        }

        @Override
        Object succeed() {
            if (!breaker.tryAcquirePermission()) {
                return false;
            }
            breaker.onSuccess(0, TimeUnit.NANOSECONDS);
            return true;
        }

        @Override
        Object fail() {
            if (!breaker.tryAcquirePermission()) {
                return false;
            }
            breaker.onError(0, TimeUnit.NANOSECONDS, failure);
            return true;
        }
    }

    public static class Execute extends Resilience4j {
        public Execute() {
            this(SlidingWindowSynchronizationStrategy.SYNCHRONIZED, true);
        }

        Execute(SlidingWindowSynchronizationStrategy synchronization, boolean stackTrace) {
            super(synchronization, stackTrace);
        }

        @Override
        Object succeed() {
            try {
                return breaker.executeCallable(succeeding);
            } catch (Exception thrown) {
                return thrown;
            }
        }

        @Override
        Object fail() {
            try {
                return breaker.executeCallable(failing);
            } catch (Exception thrown) {
                return thrown;
            }
        }
    }

    public static class ExecuteLockFree extends Execute {
        public ExecuteLockFree() {
            super(SlidingWindowSynchronizationStrategy.LOCK_FREE, true);
        }
    }

    public static class ExecuteWithoutStack extends Execute {
        public ExecuteWithoutStack() {
            super(SlidingWindowSynchronizationStrategy.SYNCHRONIZED, false);
        }
    }
}
