package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.broken.BreakerFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The callers of the breaker of the running check. */
final class BreakerCallers implements Callers {
    private final RuntimeException failure = new RuntimeException("failed by hand");
    private final AtomicLong now = new AtomicLong(BreakerFactory.TIMEOUT.toNanos() * 10);
    private final Caller[] callers = {new Caller(), new Caller(), new Caller()};

    /** How many state changes the listener has got. */
    final AtomicLong reported = new AtomicLong();

    final CircuitBreaker breaker = Setting.current
            .factory()
            .create(Setting.current.maxRequests(), now::get, (name, from, to) -> reported.incrementAndGet());

    BreakerCallers() {
        Setting.current.start().play(this);
    }

    @Override
    public boolean begin(int caller) {
        return callers[caller].begin(breaker);
    }

    @Override
    public boolean succeed(int caller) {
        return callers[caller].end(breaker::onSuccess);
    }

    @Override
    public boolean fail(int caller) {
        return callers[caller].end(stamp -> breaker.onFailure(stamp, failure));
    }

    @Override
    public void tick() {
        now.addAndGet(BreakerFactory.TIMEOUT.toNanos());
    }

    private static final class Caller {
        private static final long NONE = 0;

        private long stamp = NONE;

        synchronized boolean begin(CircuitBreaker breaker) {
            if (stamp != NONE) {
                return false;
            }
            stamp = Math.max(NONE, breaker.tryAcquire());
            return stamp != NONE;
        }

        synchronized boolean end(LongConsumer how) {
            if (stamp == NONE) {
                return false;
            }
            how.accept(stamp);
            stamp = NONE;
            return true;
        }
    }
}
