package io.tidegate.bench.bulkhead;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.gate.Gate;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The permits of a bulkhead. Each contestant is a separate class and is measured in a separate JVM, so that the others
 * are not even loaded there.
 */
@State(Scope.Benchmark)
public abstract class PermitBenchmark {
    /**
     * The limit of all contestants here and in {@link SubmitBenchmark}. The threads of a benchmark alone never reach
     * it.
     */
    protected static final int LIMIT = 64;

    /** The value of adaptive limits: in use with one thread, and enough for two. */
    protected static final int MOVING_LIMIT = 2;

    /** Takes a permit and keeps it; returns whether there was one. */
    protected abstract boolean tryTake();

    /** Takes a permit and gives it back; returns whether there was one. */
    protected abstract boolean takeAndGiveBack();

    @Setup
    public void prepare(BenchmarkParams params) {
        if (params.getBenchmark().endsWith(".refused")) {
            fill();
        }
    }

    void fill() {
        for (int i = 0; i < LIMIT; i++) {
            tryTake();
        }
    }

    @Benchmark
    public boolean permit() {
        return takeAndGiveBack();
    }

    @Benchmark
    public boolean refused() {
        return tryTake();
    }

    public static class CasLoop extends PermitBenchmark {
        private final AtomicInteger out = new AtomicInteger();
        private final int limit = LIMIT;

        static boolean tryTake(AtomicInteger out, int limit) {
            for (; ; ) {
                int seen = out.get();
                if (seen >= limit) {
                    return false;
                }
                if (out.compareAndSet(seen, seen + 1)) {
                    return true;
                }
            }
        }

        @Override
        protected boolean tryTake() {
            return tryTake(out, limit);
        }

        @Override
        protected boolean takeAndGiveBack() {
            boolean taken = tryTake(out, limit);
            if (taken) {
                out.decrementAndGet();
            }
            return taken;
        }
    }

    public static class JdkSemaphore extends PermitBenchmark {
        private final Semaphore semaphore = new Semaphore(LIMIT);

        @Override
        protected boolean tryTake() {
            return semaphore.tryAcquire();
        }

        @Override
        protected boolean takeAndGiveBack() {
            boolean taken = semaphore.tryAcquire();
            if (taken) {
                semaphore.release();
            }
            return taken;
        }
    }

    public static class Resilience4j extends PermitBenchmark {
        private final io.github.resilience4j.bulkhead.Bulkhead bulkhead = io.github.resilience4j.bulkhead.Bulkhead.of(
                "bench", BulkheadConfig.custom().maxConcurrentCalls(LIMIT).build());

        @Override
        protected boolean tryTake() {
            return bulkhead.tryAcquirePermission();
        }

        @Override
        protected boolean takeAndGiveBack() {
            boolean taken = bulkhead.tryAcquirePermission();
            if (taken) {
                bulkhead.onComplete();
            }
            return taken;
        }
    }

    public static class Failsafe extends PermitBenchmark {
        private final dev.failsafe.Bulkhead<String> bulkhead = dev.failsafe.Bulkhead.of(LIMIT);

        @Override
        protected boolean tryTake() {
            return bulkhead.tryAcquirePermit();
        }

        @Override
        protected boolean takeAndGiveBack() {
            boolean taken = bulkhead.tryAcquirePermit();
            if (taken) {
                bulkhead.releasePermit();
            }
            return taken;
        }
    }

    public static class ConcurrencyLimits extends PermitBenchmark {
        private final Limiter<Void> limiter = limiter();

        static Limiter<Void> limiter() {
            return SimpleLimiter.newBuilder().limit(FixedLimit.of(LIMIT)).build();
        }

        @Override
        protected boolean tryTake() {
            return limiter.acquire(null).isPresent();
        }

        @Override
        protected boolean takeAndGiveBack() {
            Optional<Limiter.Listener> taken = limiter.acquire(null);
            taken.ifPresent(Limiter.Listener::onSuccess);
            return taken.isPresent();
        }
    }

    /** A limit that learns from every call, and would move if its bounds did not hold it. */
    public static class Gradient2 extends PermitBenchmark {
        private final Limiter<Void> limiter = limiter();

        static Limiter<Void> limiter() {
            return SimpleLimiter.newBuilder()
                    .limit(Gradient2Limit.newBuilder()
                            .initialLimit(MOVING_LIMIT)
                            .minLimit(MOVING_LIMIT)
                            .maxConcurrency(MOVING_LIMIT)
                            .build())
                    .build();
        }

        @Override
        protected boolean tryTake() {
            return limiter.acquire(null).isPresent();
        }

        @Override
        protected boolean takeAndGiveBack() {
            Optional<Limiter.Listener> taken = limiter.acquire(null);
            taken.ifPresent(Limiter.Listener::onSuccess);
            return taken.isPresent();
        }
    }

    /** Tidegate's adaptive limit, with the same bounds. */
    public static class Adaptive extends PermitBenchmark {
        private final Gate gate = (Gate) bulkhead();

        static AsyncBulkhead bulkhead() {
            return AdaptiveLimit.gradient()
                    .min(MOVING_LIMIT)
                    .initial(MOVING_LIMIT)
                    .max(MOVING_LIMIT)
                    .build();
        }

        @Override
        protected boolean tryTake() {
            return gate.enter() >= 0;
        }

        @Override
        protected boolean takeAndGiveBack() {
            long stamp = gate.enter();
            if (stamp >= 0) {
                gate.leave(stamp, null, null, Gate.Verdict.JUDGED);
            }
            return stamp >= 0;
        }
    }
}
