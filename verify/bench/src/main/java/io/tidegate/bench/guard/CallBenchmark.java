package io.tidegate.bench.guard;

import static java.util.Objects.requireNonNull;

import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.tidegate.Backoff;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.gate.Gate;
import io.tidegate.guard.Guard;
import io.tidegate.micrometer.TidegateMetrics;
import io.tidegate.retry.Retry;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A call through several parts. Each contestant is a separate class and is measured in a separate JVM, so that the
 * others are not even loaded there. Every breaker opens after six failures in a row, for an hour.
 */
@State(Scope.Benchmark)
public abstract class CallBenchmark {
    static final String NAME = "bench";
    static final String RESULT = "result";
    static final int IN_FLIGHT = 20;
    static final int IN_A_ROW = 6;
    static final int ATTEMPTS = 3;
    static final Duration OPEN = Duration.ofHours(1);
    static final Duration LIMIT = Duration.ofSeconds(10);

    /** The call; the same object each time, so that no contestant pays for it. */
    Callable<String> work = () -> RESULT;

    final Callable<String> working = () -> work.call();

    /**
     * Makes the parts.
     *
     * @param limited whether to add a time limit and a retry
     */
    abstract void build(boolean limited);

    abstract String call() throws Exception;

    @Setup
    public void prepare(BenchmarkParams params) {
        build(params.getBenchmark().endsWith(".limited"));
    }

    @Benchmark
    public String plain() throws Exception {
        return call();
    }

    @Benchmark
    public String limited() throws Exception {
        return call();
    }

    /** Breaker and bulkhead, entered and left by hand, in the cheapest way. */
    public static class ByHand extends CallBenchmark {
        private final CircuitBreaker breaker = breaker();
        private final Gate bulkhead = (Gate) AsyncBulkhead.of(IN_FLIGHT); // its permits are not public

        static CircuitBreaker breaker() {
            return CircuitBreaker.builder(NAME).timeout(OPEN).build();
        }

        @Override
        void build(boolean limited) {}

        @Override
        String call() throws Exception {
            long stamp = breaker.tryAcquire();
            if (stamp < 0) {
                throw new IllegalStateException("open");
            }
            long permit = bulkhead.enter();
            if (permit < 0) {
                breaker.onIgnored(stamp);
                throw bulkhead.refusal(permit);
            }
            String value;
            try {
                value = working.call();
            } catch (Throwable error) {
                bulkhead.leave(permit, null, error, Gate.Verdict.JUDGED);
                breaker.onFailure(stamp, error);
                throw error;
            }
            bulkhead.leave(permit, value, null, Gate.Verdict.JUDGED);
            breaker.onSuccess(stamp);
            return value;
        }
    }

    /** A guard with the same parts. */
    public static class Guarded extends CallBenchmark {
        Guard guard = Guard.builder(NAME).build();

        Guard.Builder builder() {
            return Guard.builder(NAME);
        }

        @Override
        void build(boolean limited) {
            Guard.Builder builder = builder();
            if (limited) {
                builder.timeLimit(LIMIT)
                        .retry(Retry.builder()
                                .maxAttempts(ATTEMPTS)
                                .backoff(Backoff.none())
                                .build());
            }
            guard = builder.breaker(ByHand.breaker())
                    .bulkhead(AsyncBulkhead.of(IN_FLIGHT))
                    .build();
        }

        @Override
        String call() throws Exception {
            return guard.call(working);
        }
    }

    /** The same guard, in a registry that Micrometer shows and that was scraped, so that the guard takes times. */
    public static class Scraped extends Guarded {
        private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

        @Override
        void build(boolean limited) {
            super.build(limited);
            Registry registry = new Registry();
            registry.add(guard);
            guard.parts().forEach(registry::add);
            new TidegateMetrics(registry).bindTo(meters);
            if (meters.scrape().isEmpty()) {
                throw new IllegalStateException("nothing was scraped");
            }
        }
    }

    /** The same guard, in a registry that ten viewers of a console watch. */
    public static class Viewed extends Guarded {
        private static final int VIEWERS = 10;

        private @Nullable ConsoleViewers viewers;

        @Override
        void build(boolean limited) {
            super.build(limited);
            Registry registry = new Registry();
            registry.add(guard);
            guard.parts().forEach(registry::add);
            viewers = ConsoleViewers.look(registry, VIEWERS);
        }

        @TearDown
        public void leave() {
            requireNonNull(viewers, "viewers").close();
        }
    }

    /** The same guard, with a watch of the holders. */
    public static class Watched extends Guarded {
        @Override
        Guard.Builder builder() {
            return super.builder().watchHolders(OPEN);
        }
    }

    /** The same guard, while a flight recording runs with all events of Tidegate at their defaults. */
    public static class Recorded extends Guarded {
        private final Recording recording = new Recording();

        @Override
        void build(boolean limited) {
            super.build(limited);
            recording.start();
        }

        @TearDown
        public void stop() {
            recording.close();
        }
    }

    /** Decorated once, in the cheapest way. */
    public static class Resilience4j extends CallBenchmark {
        private Callable<String> decorated = working;

        static io.github.resilience4j.circuitbreaker.CircuitBreaker breaker() {
            return io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                    NAME,
                    CircuitBreakerConfig.custom()
                            .waitDurationInOpenState(OPEN)
                            .failureRateThreshold(100)
                            .slidingWindow(IN_A_ROW, IN_A_ROW, SlidingWindowType.COUNT_BASED)
                            .build());
        }

        static io.github.resilience4j.bulkhead.Bulkhead bulkhead() {
            return io.github.resilience4j.bulkhead.Bulkhead.of(
                    NAME, BulkheadConfig.custom().maxConcurrentCalls(IN_FLIGHT).build());
        }

        @Override
        void build(boolean limited) {
            Callable<String> inner = limited ? within() : working;
            decorated = breaker()
                    .decorateCallable(io.github.resilience4j.bulkhead.Bulkhead.decorateCallable(bulkhead(), inner));
            if (limited) {
                decorated = io.github.resilience4j.retry.Retry.decorateCallable(
                        io.github.resilience4j.retry.Retry.of(
                                NAME,
                                RetryConfig.custom()
                                        .maxAttempts(ATTEMPTS)
                                        .waitDuration(Duration.ZERO)
                                        .build()),
                        decorated);
            }
        }

        /* Runs the call on another thread, because the library limits futures only. */
        private Callable<String> within() {
            ExecutorService threads =
                    Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
            return TimeLimiter.of(LIMIT).decorateFutureSupplier(() -> threads.submit(working));
        }

        @Override
        String call() throws Exception {
            return decorated.call();
        }
    }

    public static class Failsafe extends CallBenchmark {
        private FailsafeExecutor<String> failsafe = dev.failsafe.Failsafe.with(breaker());

        static dev.failsafe.CircuitBreaker<String> breaker() {
            return dev.failsafe.CircuitBreaker.<String>builder()
                    .withFailureThreshold(IN_A_ROW)
                    .withDelay(OPEN)
                    .build();
        }

        static dev.failsafe.Bulkhead<String> bulkhead() {
            return dev.failsafe.Bulkhead.of(IN_FLIGHT);
        }

        @Override
        void build(boolean limited) {
            failsafe = limited
                    ? dev.failsafe.Failsafe.with(
                            dev.failsafe.Timeout.<String>builder(LIMIT)
                                    .withInterrupt()
                                    .build(),
                            RetryPolicy.<String>builder()
                                    .withMaxAttempts(ATTEMPTS)
                                    .build(),
                            breaker(),
                            bulkhead())
                    : dev.failsafe.Failsafe.with(breaker(), bulkhead());
        }

        @Override
        String call() {
            return failsafe.get(working::call);
        }
    }

    /** The library fixes the order: its time limit is inside the retry. */
    public static class SmallRye extends CallBenchmark {
        private TypedGuard<String> guard = builder().build();

        static TypedGuard.Builder<String> builder() {
            return TypedGuard.create(String.class)
                    .withCircuitBreaker()
                    .requestVolumeThreshold(IN_A_ROW)
                    .failureRatio(1)
                    .delay(OPEN.toSeconds(), ChronoUnit.SECONDS)
                    .done()
                    .withBulkhead()
                    .limit(IN_FLIGHT)
                    .done();
        }

        @Override
        void build(boolean limited) {
            TypedGuard.Builder<String> builder = builder();
            if (limited) {
                builder = builder.withTimeout()
                        .duration(LIMIT.toSeconds(), ChronoUnit.SECONDS)
                        .done()
                        .withRetry()
                        .maxRetries(ATTEMPTS - 1)
                        .delay(0, ChronoUnit.MILLIS)
                        .jitter(0, ChronoUnit.MILLIS)
                        .done();
            }
            guard = builder.build();
        }

        @Override
        String call() throws Exception {
            return guard.call(working);
        }
    }
}
