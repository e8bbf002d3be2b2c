package io.tidegate.bench.breaker;

import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.temporal.ChronoUnit;

/** SmallRye, which has no permits: only calls through a guard. */
public class SmallRye extends CallBenchmark {
    private TypedGuard<String> guard = guard(6, 1);

    private static TypedGuard<String> guard(int lastCalls, double failures) {
        return TypedGuard.create(String.class)
                .withCircuitBreaker()
                .requestVolumeThreshold(lastCalls)
                .failureRatio(failures)
                .successThreshold(1)
                .delay(OPEN_SECONDS, ChronoUnit.SECONDS)
                .done()
                .build();
    }

    @Override
    void build(Window counted) {
        guard = switch (counted) {
            case SIX_IN_A_ROW -> guard(6, 1);
            case LAST_100 -> guard(100, 0.9);
            case EVERY_10_S, LAST_10_S, SLOW_CALLS -> throw new IllegalArgumentException("has no such window");
        };
    }

    @Override
    Object succeed() {
        try {
            return guard.call(succeeding);
        } catch (Exception thrown) {
            return thrown;
        }
    }

    @Override
    Object fail() {
        try {
            return guard.call(failing);
        } catch (Exception thrown) {
            return thrown;
        }
    }
}
