package io.tidegate.peers;

import io.tidegate.Backoff;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Tidegate's guard. Its budget is that of {@link Guard#standard}, as it is without any time passing. */
final class TidegateGuard implements Composition {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final CircuitBreaker breaker = CircuitBreaker.builder("peers")
            .readyToTrip(counts -> counts.consecutiveFailures() > 0)
            .build();
    private final Guard guard;

    TidegateGuard(Parts parts) {
        Guard.Builder builder = Guard.builder("peers");
        Guard.Builder composed = switch (parts) {
            case BREAKER_AND_BULKHEAD -> builder.breaker(breaker).bulkhead(AsyncBulkhead.of(1));
            case LIMIT_AND_BREAKER -> builder.timeLimit(LIMIT).breaker(breaker);
            case LIMIT -> builder.timeLimit(LIMIT);
            case RETRY -> builder.retry(retry());
        };
        guard = composed.build();
    }

    private static Retry retry() {
        return Retry.builder()
                .maxAttempts(ATTEMPTS)
                .backoff(Backoff.none())
                .budget(RetryBudget.of(Guard.STANDARD_RETRY_RATIO, Guard.STANDARD_RETRIES_PER_SECOND, WINDOW, () -> 0L))
                .build();
    }

    @Override
    public CompletableFuture<String> submit(Supplier<CompletionStage<String>> operation) {
        return guard.submit(operation).toCompletableFuture();
    }

    @Override
    public String call(Callable<String> call) throws Exception {
        return guard.call(call);
    }

    @Override
    public boolean isOpen() {
        return breaker.state() == State.OPEN;
    }
}
