package io.tidegate.peers;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Tidegate's breaker. */
final class Tidegate implements LibraryBreaker {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger notifications = new AtomicInteger();
    private final CircuitBreaker breaker = CircuitBreaker.builder("peers")
            .readyToTrip(counts -> counts.consecutiveFailures() > 0)
            .timeout(OPEN_TIME)
            .ignore(Failures::isIgnored)
            .isSuccessful(error -> error == null || !Failures.isFailure(error))
            .onStateChange((name, from, to) -> notifications.incrementAndGet())
            .ticker(nanos::get)
            .build();

    @Override
    public @Nullable Call begin() {
        long stamp = breaker.tryAcquire();
        return stamp < 0
                ? null
                : new Call() {
                    @Override
                    public void succeed() {
                        breaker.onSuccess(stamp);
                    }

                    @Override
                    public void fail(RuntimeException error) {
                        breaker.onFailure(stamp, error);
                    }
                };
    }

    @Override
    public String execute(Callable<String> call) throws Exception {
        return breaker.execute(call);
    }

    @Override
    public Phase phase() {
        State state = breaker.state();
        return Phase.valueOf(state.name());
    }

    @Override
    public int notifications() {
        return notifications.get();
    }

    @Override
    public Clock clock() {
        return new Clock() {
            @Override
            public void step(Duration by) {
                nanos.addAndGet(by.toNanos());
            }

            @Override
            public boolean isWallClock() {
                return false;
            }
        };
    }
}
