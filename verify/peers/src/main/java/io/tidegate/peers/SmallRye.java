package io.tidegate.peers;

import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.api.Guard;
import jakarta.enterprise.util.TypeLiteral;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** SmallRye's breaker. It has no ignored exceptions: one that it does not count as a failure is a success. */
final class SmallRye implements LibraryBreaker {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final TypeLiteral<CompletionStage<String>> STAGE = new TypeLiteral<>() {};

    private final String name = "peers-" + NAMES.incrementAndGet();
    private final AtomicInteger notifications = new AtomicInteger();
    private final Guard guard = Guard.create()
            .withCircuitBreaker()
            .name(name)
            .requestVolumeThreshold(1)
            .failureRatio(1)
            .successThreshold(1)
            .delay(OPEN_TIME.toMillis(), ChronoUnit.MILLIS)
            .when(Failures::isFailure)
            .onStateChange(state -> notifications.incrementAndGet())
            .done()
            .build();

    @Override
    public @Nullable Call begin() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        AtomicBoolean admitted = new AtomicBoolean();
        CompletionStage<String> unused = guard.get(
                () -> {
                    admitted.set(true);
                    return operation;
                },
                STAGE);
        return !admitted.get()
                ? null
                : new Call() {
                    @Override
                    public void succeed() {
                        operation.complete("");
                    }

                    @Override
                    public void fail(RuntimeException error) {
                        operation.completeExceptionally(error);
                    }
                };
    }

    @Override
    public String execute(Callable<String> call) throws Exception {
        return guard.call(call, String.class);
    }

    @Override
    public Phase phase() {
        return Phase.valueOf(CircuitBreakerMaintenance.get().currentState(name).name());
    }

    @Override
    public int notifications() {
        return notifications.get();
    }

    @Override
    public @Nullable Clock clock() {
        return null;
    }
}
