package io.tidegate.breaker.broken;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.StateChangeListener;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Makes the breaker that a check runs on: Tidegate's own, or a broken one. Its first failure opens it. */
@FunctionalInterface
public interface BreakerFactory {
    /** How long the breakers stay open. */
    Duration TIMEOUT = Duration.ofSeconds(60);

    BreakerFactory TIDEGATE = (maxRequests, ticker, listener) -> CircuitBreaker.builder("race")
            .maxRequests(maxRequests)
            .successesToClose(1)
            .timeout(TIMEOUT)
            .readyToTrip(counts -> true)
            .ticker(ticker)
            .onStateChange(listener)
            .build();

    CircuitBreaker create(int maxRequests, LongSupplier ticker, StateChangeListener listener);
}
