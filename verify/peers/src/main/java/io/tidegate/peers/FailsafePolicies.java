package io.tidegate.peers;

import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import dev.failsafe.Timeout;
import dev.failsafe.spi.DefaultScheduledFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Failsafe's policies. Operations start on the submitting thread, as with the others, except those with a time limit,
 * which needs the library's clock.
 */
final class FailsafePolicies implements Composition {
    private static final ScheduledFuture<?> OVER = new DefaultScheduledFuture<>();

    private final CircuitBreaker<String> breaker =
            CircuitBreaker.<String>builder().withFailureThreshold(1).build();
    private final boolean limited;
    private final FailsafeExecutor<String> failsafe;

    FailsafePolicies(Parts parts) {
        limited = parts == Parts.LIMIT_AND_BREAKER;
        Timeout<String> limit = Timeout.<String>builder(LIMIT).withInterrupt().build();
        failsafe = switch (parts) {
            case BREAKER_AND_BULKHEAD -> Failsafe.with(breaker, Bulkhead.of(1));
            case LIMIT_AND_BREAKER -> Failsafe.with(limit, breaker);
            case LIMIT -> Failsafe.with(limit);
            case RETRY ->
                Failsafe.with(
                        RetryPolicy.<String>builder().withMaxAttempts(ATTEMPTS).build());
        };
    }

    private static ScheduledFuture<?> runNow(Callable<?> task, long delay, TimeUnit unit) {
        try {
            task.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return OVER;
    }

    @Override
    public CompletableFuture<String> submit(Supplier<CompletionStage<String>> operation) {
        return (limited ? failsafe : failsafe.with(FailsafePolicies::runNow)).getStageAsync(operation::get);
    }

    @Override
    public String call(Callable<String> call) {
        return failsafe.get(call::call);
    }

    @Override
    public boolean isOpen() {
        return breaker.isOpen();
    }
}
