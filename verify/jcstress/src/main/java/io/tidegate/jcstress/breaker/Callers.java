package io.tidegate.jcstress.breaker;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.broken.BreakerFactory;
import java.util.concurrent.atomic.AtomicLong;

/** A closed breaker, some time after the clock's zero, and its callers: the start of all races. */
final class Callers {
    private final RuntimeException failure = new RuntimeException("failed by hand");

    private final AtomicLong now = new AtomicLong(BreakerFactory.TIMEOUT.toNanos() * 10);
    final Changes changes = new Changes();
    final CircuitBreaker breaker;

    Callers(BreakerFactory factory, int maxRequests) {
        breaker = factory.create(maxRequests, now::get, changes);
    }

    void fail(long stamp) {
        breaker.onFailure(stamp, failure);
    }

    void trip() {
        fail(breaker.tryAcquire());
    }

    void passOpenTime() {
        now.addAndGet(BreakerFactory.TIMEOUT.toNanos());
    }

    /** Begins two calls, and returns how many were admitted. */
    int admittedOfTwo() {
        return (breaker.tryAcquire() > 0 ? 1 : 0) + (breaker.tryAcquire() > 0 ? 1 : 0);
    }
}
