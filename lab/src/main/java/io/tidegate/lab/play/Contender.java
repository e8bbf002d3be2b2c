package io.tidegate.lab.play;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.tidegate.Backoff;
import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.guard.Guard;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One of the setups that are compared.
 *
 * @param name its name on the page
 * @param settings how it is set up, a line each
 * @param gate the part between callers and service
 * @param isRefusal whether an error is a refusal by the gate
 */
record Contender(String name, List<String> settings, Gate gate, Predicate<Throwable> isRefusal) {
    private static final int LIMIT = 4;
    private static final int ATTEMPTS = 3;
    private static final int MINIMUM_CALLS = 10;
    private static final int WINDOW_SECONDS = 2;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);
    private static final Duration ATTEMPT_LIMIT = Duration.ofMillis(300);
    private static final Duration OPEN = Duration.ofSeconds(1);
    private static final Duration LONGEST_OPEN = Duration.ofSeconds(2);

    /** Starts a call now, later or never. */
    interface Gate {
        CompletionStage<Integer> submit(Supplier<CompletionStage<Integer>> call);
    }

    static List<Contender> all(ScheduledExecutorService scheduler) {
        return List.of(unprotected(), resilience4j(scheduler), tidegate());
    }

    static Contender unprotected() {
        return new Contender(
                "unprotected", List.of("nothing stands before the service"), Supplier::get, error -> false);
    }

    /** In the order that its documentation gives: Retry ( CircuitBreaker ( TimeLimiter ( Bulkhead ( call ) ) ) ). */
    static Contender resilience4j(ScheduledExecutorService scheduler) {
        io.github.resilience4j.retry.Retry retry = io.github.resilience4j.retry.Retry.of(
                "lab",
                RetryConfig.custom()
                        .maxAttempts(ATTEMPTS)
                        .intervalFunction(
                                IntervalFunction.ofExponentialRandomBackoff(FIRST_PAUSE, 2, 0.5, LONGEST_PAUSE))
                        .retryExceptions(IOException.class, TimeoutException.class)
                        .build());
        io.github.resilience4j.circuitbreaker.CircuitBreaker breaker =
                io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                        "lab",
                        CircuitBreakerConfig.custom()
                                .failureRateThreshold(50)
                                .slidingWindow(WINDOW_SECONDS, MINIMUM_CALLS, SlidingWindowType.TIME_BASED)
                                .permittedNumberOfCallsInHalfOpenState(1)
                                // By default the breaker counts a full bulkhead as a failure of the service, and opens.
                                .ignoreExceptions(BulkheadFullException.class)
                                .waitIntervalFunctionInOpenState(
                                        IntervalFunction.ofExponentialBackoff(OPEN, 2, LONGEST_OPEN))
                                .build());
        TimeLimiter limiter = TimeLimiter.of(ATTEMPT_LIMIT);
        Bulkhead bulkhead = Bulkhead.of(
                "lab",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(LIMIT)
                        .maxWaitDuration(Duration.ZERO)
                        .build());
        return new Contender(
                "resilience4j 2.4.0",
                List.of(
                        "order, as its documents give it:"
                                + " Retry ( CircuitBreaker ( TimeLimiter ( Bulkhead ( call ) ) ) )",
                        "Retry: 3 attempts, exponential random backoff 50 to 200 ms, of IOException and"
                                + " TimeoutException; it has no budget",
                        "CircuitBreaker: 50 % of at least 10 calls, time-based window of 2 s, open for 1 s, exponential"
                                + " up to 2 s, one call in half-open state, BulkheadFullException ignored",
                        "TimeLimiter: 300 ms",
                        "Bulkhead: 4 concurrent calls, no wait"),
                call -> retry.executeCompletionStage(
                        scheduler,
                        () -> breaker.executeCompletionStage(() -> limiter.executeCompletionStage(
                                scheduler, () -> bulkhead.executeCompletionStage(call)))),
                error -> error instanceof CallNotPermittedException || error instanceof BulkheadFullException);
    }

    static Contender tidegate() {
        Guard guard = Guard.builder("lab")
                .retry(Retry.builder()
                        .maxAttempts(ATTEMPTS)
                        .backoff(Backoff.exponential(FIRST_PAUSE, LONGEST_PAUSE))
                        .budget(RetryBudget.of(Guard.STANDARD_RETRY_RATIO, 2))
                        .build())
                .breaker(CircuitBreaker.builder("lab")
                        .failureRate(Guard.STANDARD_FAILURE_RATE, MINIMUM_CALLS)
                        .slidingWindow(Duration.ofSeconds(WINDOW_SECONDS))
                        .timeout(OPEN)
                        .openBackoff(2, LONGEST_OPEN)
                        .build())
                .timeLimit(ATTEMPT_LIMIT)
                .bulkhead(AsyncBulkhead.builder(LIMIT)
                        .name("lab")
                        .permitLifetime(PermitLifetime.OPERATION)
                        .build())
                .build();
        return new Contender(
                "Tidegate",
                List.of(
                        "order: retry ( breaker ( time limit ( bulkhead ( call ) ) ) )",
                        "Retry: 3 attempts, exponential backoff 50 to 200 ms with full jitter, of anything but"
                                + " refusals; budget: a fifth of the calls, and 2 a second",
                        "CircuitBreaker: more than 50 % of at least 10 calls, window of 2 s, open for 1 s, backoff up"
                                + " to 2 s, one probe",
                        "time limit: 300 ms",
                        "AsyncBulkhead: 4 in flight, PermitLifetime.OPERATION"),
                guard::submit,
                error -> Refusal.in(error).isPresent());
    }
}
