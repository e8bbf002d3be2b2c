package io.tidegate.breaker;

import java.time.Duration;

/**
 * Every kind of window. The windows are large enough for all calls of a test, unless it makes very many.
 */
enum WindowKind {
    TOTALS {
        @Override
        CircuitBreaker.Builder on(CircuitBreaker.Builder builder) {
            return builder;
        }
    },
    INTERVAL {
        @Override
        CircuitBreaker.Builder on(CircuitBreaker.Builder builder) {
            return builder.interval(Duration.ofHours(1));
        }
    },
    LAST_CALLS {
        @Override
        CircuitBreaker.Builder on(CircuitBreaker.Builder builder) {
            return builder.slidingWindow(100);
        }
    },
    LAST_SPAN {
        @Override
        CircuitBreaker.Builder on(CircuitBreaker.Builder builder) {
            return builder.slidingWindow(Duration.ofHours(1));
        }
    },
    SLOW_CALLS {
        @Override
        CircuitBreaker.Builder on(CircuitBreaker.Builder builder) {
            return builder.slowCalls(Duration.ofDays(1), 0.99);
        }
    };

    abstract CircuitBreaker.Builder on(CircuitBreaker.Builder builder);
}
