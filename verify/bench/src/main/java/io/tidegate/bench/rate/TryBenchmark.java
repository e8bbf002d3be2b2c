package io.tidegate.bench.rate;

import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.smallrye.faulttolerance.api.RateLimitException;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A try for a permit. Each contestant is a separate class and is measured in a separate JVM, so that the others are not
 * even loaded there.
 */
@State(Scope.Benchmark)
public abstract class TryBenchmark {
    /** A rate that the threads of a benchmark never reach. */
    protected static final int PLENTY_A_SECOND = 1_000_000_000;

    /** Returns whether there was a permit, at the greatest rate or at one permit a day. */
    protected abstract boolean tryAcquire();

    /** Sets the rate to one permit a day, and takes the first one. */
    protected abstract void starve();

    @Setup
    public void prepare(BenchmarkParams params) {
        if (params.getBenchmark().endsWith(".refused")) {
            starve();
        }
    }

    @Benchmark
    public boolean admitted() {
        return tryAcquire();
    }

    @Benchmark
    public boolean refused() {
        return tryAcquire();
    }

    /** No burst, no count, no exactness: the least work of any limiter without its own thread. */
    public static class ClockAndCas extends TryBenchmark {
        private final AtomicLong next = new AtomicLong(System.nanoTime());
        private long step = 1;

        @Override
        protected boolean tryAcquire() {
            long now = System.nanoTime();
            for (; ; ) {
                long seen = next.get();
                if (seen - now > 0) {
                    return false;
                }
                if (next.compareAndSet(seen, now + step)) {
                    return true;
                }
            }
        }

        @Override
        protected void starve() {
            step = Duration.ofDays(1).toNanos();
            tryAcquire();
        }
    }

    public static class Resilience4j extends TryBenchmark {
        private io.github.resilience4j.ratelimiter.RateLimiter limiter =
                limiter(PLENTY_A_SECOND, Duration.ofSeconds(1));

        private static io.github.resilience4j.ratelimiter.RateLimiter limiter(int permits, Duration period) {
            return io.github.resilience4j.ratelimiter.RateLimiter.of(
                    "bench",
                    RateLimiterConfig.custom()
                            .limitForPeriod(permits)
                            .limitRefreshPeriod(period)
                            .timeoutDuration(Duration.ZERO)
                            .build());
        }

        @Override
        protected boolean tryAcquire() {
            return limiter.acquirePermission();
        }

        @Override
        protected void starve() {
            limiter = limiter(1, Duration.ofDays(1));
            tryAcquire();
        }
    }

    @SuppressWarnings("UnstableApiUsage") // Guava has marked it so for years
    public static class Guava extends TryBenchmark {
        private com.google.common.util.concurrent.RateLimiter limiter =
                com.google.common.util.concurrent.RateLimiter.create(PLENTY_A_SECOND);

        @Override
        protected boolean tryAcquire() {
            return limiter.tryAcquire();
        }

        @Override
        protected void starve() {
            limiter = com.google.common.util.concurrent.RateLimiter.create(
                    1.0 / Duration.ofDays(1).toSeconds());
            tryAcquire();
        }
    }

    public static class Bucket4j extends TryBenchmark {
        private Bucket bucket = bucket(PLENTY_A_SECOND, Duration.ofSeconds(1));

        private static Bucket bucket(long permits, Duration period) {
            return Bucket.builder()
                    .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period))
                    .withNanosecondPrecision()
                    .build();
        }

        @Override
        protected boolean tryAcquire() {
            return bucket.tryConsume(1);
        }

        @Override
        protected void starve() {
            bucket = bucket(1, Duration.ofDays(1));
            tryAcquire();
        }
    }

    public static class Failsafe extends TryBenchmark {
        private dev.failsafe.RateLimiter<Object> limiter = limiter(PLENTY_A_SECOND, Duration.ofSeconds(1));

        private static dev.failsafe.RateLimiter<Object> limiter(long permits, Duration period) {
            return dev.failsafe.RateLimiter.burstyBuilder(permits, period).build();
        }

        @Override
        protected boolean tryAcquire() {
            return limiter.tryAcquirePermit();
        }

        @Override
        protected void starve() {
            limiter = limiter(1, Duration.ofDays(1));
            tryAcquire();
        }
    }

    /** The library has no permits to ask for: this is a call through a guard with a rate limit only. */
    public static class SmallRye extends TryBenchmark {
        private TypedGuard<Boolean> guard = guard(PLENTY_A_SECOND, ChronoUnit.SECONDS);

        private static TypedGuard<Boolean> guard(int permits, ChronoUnit period) {
            return TypedGuard.create(Boolean.class)
                    .withRateLimit()
                    .limit(permits)
                    .window(1, period)
                    .done()
                    .build();
        }

        @Override
        protected boolean tryAcquire() {
            try {
                return guard.get(() -> true);
            } catch (RateLimitException refused) {
                return false;
            }
        }

        @Override
        protected void starve() {
            guard = guard(1, ChronoUnit.DAYS);
            tryAcquire();
        }
    }

    public static class Tidegate extends TryBenchmark {
        private RateLimiter limiter = RateLimiter.of(PLENTY_A_SECOND, Duration.ofSeconds(1));

        @Override
        protected boolean tryAcquire() {
            return limiter.tryAcquire();
        }

        @Override
        protected void starve() {
            limiter = RateLimiter.of(1, Duration.ofDays(1));
            tryAcquire();
        }
    }

    /** A rate that whole units of time cannot express. */
    public static class TidegateFine extends TryBenchmark {
        private RateLimiter limiter = RateLimiter.of(86_399_999_999_999L, Duration.ofDays(1));

        @Override
        protected boolean tryAcquire() {
            return limiter.tryAcquire();
        }

        @Override
        protected void starve() {
            limiter = RateLimiter.builder(1_234_567, Duration.ofDays(10_000))
                    .burst(1)
                    .build();
            tryAcquire();
        }
    }
}
