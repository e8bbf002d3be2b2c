package io.tidegate.breaker;

import java.util.Random;

/** How a call can end. */
enum Outcome {
    SUCCESS,
    FAILURE,
    IGNORED;

    void tell(CircuitBreaker breaker, long stamp) {
        switch (this) {
            case SUCCESS -> breaker.onSuccess(stamp);
            case FAILURE -> breaker.onFailure(stamp, BreakerTest.FAILURE);
            case IGNORED -> breaker.onIgnored(stamp);
        }
    }

    static Outcome any(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> SUCCESS;
            case 1 -> FAILURE;
            default -> IGNORED;
        };
    }
}
