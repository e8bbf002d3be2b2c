package io.tidegate.peers;

import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.api.CircuitBreakerState;
import io.smallrye.faulttolerance.api.Guard;
import jakarta.enterprise.util.TypeLiteral;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * SmallRye's guard. The library fixes the order: its time limit is inside the breaker. Its bulkhead has the shortest
 * queue that the library allows.
 */
final class SmallRyeGuard implements Composition {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final TypeLiteral<CompletionStage<String>> STAGE = new TypeLiteral<>() {};

    private final String name = "composition-" + NAMES.incrementAndGet();
    private final Guard guard;

    SmallRyeGuard(Parts parts) {
        Guard.Builder builder = Guard.create()
                .withCircuitBreaker()
                .name(name)
                .requestVolumeThreshold(1)
                .failureRatio(1)
                .done();
        Guard.Builder composed = switch (parts) {
            case BREAKER_AND_BULKHEAD ->
                builder.withBulkhead().limit(1).queueSize(1).done();
            case LIMIT_AND_BREAKER ->
                builder.withTimeout()
                        .duration(LIMIT.toMillis(), ChronoUnit.MILLIS)
                        .done();
            case LIMIT ->
                Guard.create()
                        .withTimeout()
                        .duration(LIMIT.toMillis(), ChronoUnit.MILLIS)
                        .done();
            case RETRY ->
                Guard.create()
                        .withRetry()
                        .maxRetries(ATTEMPTS - 1)
                        .delay(0, ChronoUnit.MILLIS)
                        .jitter(0, ChronoUnit.MILLIS)
                        .done();
        };
        guard = composed.build();
    }

    @Override
    public CompletableFuture<String> submit(Supplier<CompletionStage<String>> operation) {
        return guard.get(operation, STAGE).toCompletableFuture();
    }

    @Override
    public String call(Callable<String> call) throws Exception {
        return guard.call(call, String.class);
    }

    @Override
    public boolean isOpen() {
        return CircuitBreakerMaintenance.get().currentState(name) == CircuitBreakerState.OPEN;
    }
}
