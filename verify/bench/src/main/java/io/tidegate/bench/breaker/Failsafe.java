package io.tidegate.bench.breaker;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.CircuitBreakerBuilder;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.function.CheckedSupplier;
import java.time.Duration;

/** The library of that name. */
public abstract class Failsafe extends CallBenchmark {
    CircuitBreaker<String> breaker = CircuitBreaker.ofDefaults();

    @Override
    void build(Window counted) {
        breaker = builder(counted)
                .withSuccessThreshold(1)
                .withDelay(Duration.ofSeconds(OPEN_SECONDS))
                .build();
    }

    private static CircuitBreakerBuilder<String> builder(Window counted) {
        CircuitBreakerBuilder<String> builder = CircuitBreaker.builder();
        return switch (counted) {
            case SIX_IN_A_ROW -> builder.withFailureThreshold(6);
            case LAST_100 -> builder.withFailureThreshold(90, 100);
            case LAST_10_S -> builder.withFailureRateThreshold(90, 100, Duration.ofSeconds(10));
            case EVERY_10_S, SLOW_CALLS -> throw new IllegalArgumentException("has no such window");
        };
    }

    @Override
    void openByHand() {
        breaker.open();
    }

    @Override
    void closeByHand() {
        breaker.close();
    }

    @Override
    void holdProbe() {
        breaker.halfOpen();
        boolean unused = breaker.tryAcquirePermit();
    }

    public static class Permit extends Failsafe {
        @Override
        Object succeed() {
            if (!breaker.tryAcquirePermit()) {
                return false;
            }
            breaker.recordSuccess();
            return true;
        }

        @Override
        Object fail() {
            if (!breaker.tryAcquirePermit()) {
                return false;
            }
            breaker.recordException(failure);
            return true;
        }
    }

    public static class Execute extends Failsafe {
        private final CheckedSupplier<String> succeedingSupplier = succeeding::call;
        private final CheckedSupplier<String> failingSupplier = failing::call;

        private FailsafeExecutor<String> failsafe = dev.failsafe.Failsafe.with(breaker);

        @Override
        void build(Window counted) {
            super.build(counted);
            failsafe = dev.failsafe.Failsafe.with(breaker);
        }

        @Override
        Object succeed() {
            try {
                return failsafe.get(succeedingSupplier);
            } catch (RuntimeException thrown) {
                return thrown;
            }
        }

        @Override
        Object fail() {
            try {
                return failsafe.get(failingSupplier);
            } catch (RuntimeException thrown) {
                return thrown;
            }
        }
    }
}
