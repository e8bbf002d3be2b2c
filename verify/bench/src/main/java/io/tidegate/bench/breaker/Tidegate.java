package io.tidegate.bench.breaker;

import io.tidegate.breaker.CircuitBreaker;
import java.time.Duration;

/** This library. */
public abstract class Tidegate extends CallBenchmark {
    private static final Duration OPEN = Duration.ofSeconds(OPEN_SECONDS);

    CircuitBreaker breaker = CircuitBreaker.of(NAME);

    @Override
    void build(Window counted) {
        breaker = builder(counted).timeout(OPEN).build();
    }

    private static CircuitBreaker.Builder builder(Window counted) {
        CircuitBreaker.Builder builder = CircuitBreaker.builder(NAME);
        return switch (counted) {
            case SIX_IN_A_ROW -> builder;
            case EVERY_10_S -> builder.interval(Duration.ofSeconds(10));
            case LAST_100 -> builder.failureRate(0.9, 100).slidingWindow(100);
            case LAST_10_S -> builder.failureRate(0.9, 100).slidingWindow(Duration.ofSeconds(10));
            case SLOW_CALLS -> builder.failureRate(0.9, 100).slowCalls(Duration.ofSeconds(1), 0.9);
        };
    }

    @Override
    void openByHand() {
        breaker.forceOpen();
    }

    @Override
    void closeByHand() {
        breaker.reset();
    }

    @Override
    void holdProbe() {
        breaker =
                builder(window).timeout(Duration.ofNanos(1)).probeTimeout(OPEN).build();
        open();
        long unused = breaker.tryAcquire();
    }

    public static class Permit extends Tidegate {
        @Override
        Object succeed() {
            long stamp = breaker.tryAcquire();
            if (stamp < 0) {
                return false;
            }
            breaker.onSuccess(stamp);
            return true;
        }

        @Override
        Object fail() {
            long stamp = breaker.tryAcquire();
            if (stamp < 0) {
                return false;
            }
            breaker.onFailure(stamp, failure);
            return true;
        }
    }

    public static class Execute extends Tidegate {
        @Override
        Object succeed() {
            try {
                return breaker.execute(succeeding);
            } catch (Exception thrown) {
                return thrown;
            }
        }

        @Override
        Object fail() {
            try {
                return breaker.execute(failing);
            } catch (Exception thrown) {
                return thrown;
            }
        }
    }
}
