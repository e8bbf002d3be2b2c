package io.tidegate.peers;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/** resilience4j's decorators. The library limits futures only, so a call with a time limit needs another thread. */
final class Resilience4jDecorators implements Composition {
    private static final ScheduledExecutorService THREADS = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    private final Parts parts;
    private final CircuitBreaker breaker = CircuitBreaker.of(
            "peers",
            CircuitBreakerConfig.custom()
                    .slidingWindow(1, 1, SlidingWindowType.COUNT_BASED)
                    .build());
    private final Bulkhead bulkhead =
            Bulkhead.of("peers", BulkheadConfig.custom().maxConcurrentCalls(1).build());
    private final TimeLimiter limiter = TimeLimiter.of(LIMIT);
    private final Retry retry = Retry.of(
            "peers",
            RetryConfig.custom()
                    .maxAttempts(ATTEMPTS)
                    .waitDuration(Duration.ZERO)
                    .build());

    Resilience4jDecorators(Parts parts) {
        this.parts = parts;
    }

    @Override
    public CompletableFuture<String> submit(Supplier<CompletionStage<String>> operation) {
        CompletionStage<String> stage = switch (parts) {
            case BREAKER_AND_BULKHEAD ->
                breaker.executeCompletionStage(() -> bulkhead.executeCompletionStage(operation));
            case LIMIT_AND_BREAKER ->
                limiter.executeCompletionStage(THREADS, () -> breaker.executeCompletionStage(operation));
            case LIMIT, RETRY -> throw new UnsupportedOperationException("is tried by calls only");
        };
        return stage.toCompletableFuture();
    }

    @Override
    public String call(Callable<String> call) throws Exception {
        return parts == Parts.LIMIT
                ? limiter.executeFutureSupplier(() -> THREADS.submit(call))
                : retry.executeCallable(call);
    }

    @Override
    public boolean isOpen() {
        return breaker.getState() == CircuitBreaker.State.OPEN;
    }
}
