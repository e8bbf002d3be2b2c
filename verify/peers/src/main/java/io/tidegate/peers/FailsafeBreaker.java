package io.tidegate.peers;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Failsafe's breaker. It has no ignored exceptions: one that it does not handle is a success. */
final class FailsafeBreaker implements LibraryBreaker {
    private final AtomicInteger notifications = new AtomicInteger();
    private final CircuitBreaker<String> breaker = CircuitBreaker.<String>builder()
            .withFailureThreshold(1)
            .withSuccessThreshold(1)
            .withDelay(OPEN_TIME)
            .handleIf(error -> error != null && Failures.isFailure(error))
            .onOpen(event -> notifications.incrementAndGet())
            .onHalfOpen(event -> notifications.incrementAndGet())
            .onClose(event -> notifications.incrementAndGet())
            .build();

    @Override
    public @Nullable Call begin() {
        return !breaker.tryAcquirePermit()
                ? null
                : new Call() {
                    @Override
                    public void succeed() {
                        breaker.recordSuccess();
                    }

                    @Override
                    public void fail(RuntimeException error) {
                        breaker.recordException(error);
                    }
                };
    }

    @Override
    public String execute(Callable<String> call) {
        return Failsafe.with(breaker).get(call::call);
    }

    @Override
    public Phase phase() {
        return Phase.valueOf(breaker.getState().name());
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
