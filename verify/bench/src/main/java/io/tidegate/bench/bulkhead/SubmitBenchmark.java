package io.tidegate.bench.bulkhead;

import static io.tidegate.bench.bulkhead.PermitBenchmark.LIMIT;

import com.netflix.concurrency.limits.Limiter;
import dev.failsafe.FailsafeExecutor;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.tidegate.bench.SameThread;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.PermitLifetime;
import jakarta.enterprise.util.TypeLiteral;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Submits an asynchronous operation. Each contestant is a separate class and is measured in a separate JVM, so that the
 * others are not even loaded there: a second subclass of {@link CompletableFuture}, for example, would slow down all.
 */
@State(Scope.Benchmark)
public abstract class SubmitBenchmark {
    static final String RESULT = "result";

    private final AlreadyDone alreadyDone = new AlreadyDone();

    abstract CompletionStage<String> submit(Supplier<CompletionStage<String>> operation);

    @Setup
    public void prepare(BenchmarkParams params) {
        if (params.getBenchmark().endsWith(".refused")) {
            fill();
        }
    }

    void fill() {
        for (int i = 0; i <= LIMIT; i++) { // one more than the limit, for the contestant that must have a queue
            CompletableFuture<String> unused = submit(CompletableFuture::new).toCompletableFuture();
        }
    }

    @Benchmark
    public CompletionStage<String> done() {
        return submit(alreadyDone);
    }

    @Benchmark
    public CompletionStage<String> pending(Operation operation) {
        CompletionStage<String> returned = submit(operation);
        operation.running.complete(RESULT);
        return returned;
    }

    @Benchmark
    public CompletionStage<String> refused() {
        return submit(alreadyDone);
    }

    private static final class AlreadyDone implements Supplier<CompletionStage<String>> {
        private final CompletableFuture<String> future = CompletableFuture.completedFuture(RESULT);

        @Override
        public CompletionStage<String> get() {
            return future;
        }
    }

    /** Starts a new future each time. The supplier is always the same object, so that no contestant pays for it. */
    @State(Scope.Thread)
    public static class Operation implements Supplier<CompletionStage<String>> {
        private CompletableFuture<String> running = new CompletableFuture<>();

        @Override
        public CompletionStage<String> get() {
            running = new CompletableFuture<>();
            return running;
        }
    }

    /**
     * The least that does the work at all: one shared hook, one shared refusal, and no hook for an operation that is
     * done already.
     */
    public static class Floor extends SubmitBenchmark implements BiConsumer<@Nullable String, @Nullable Throwable> {
        private final AtomicInteger out = new AtomicInteger();
        private final int limit = LIMIT;
        private final CompletionStage<String> refusal = refusal();

        static CompletionStage<String> refusal() {
            return CompletableFuture.failedFuture(new RejectedExecutionException());
        }

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            if (!PermitBenchmark.CasLoop.tryTake(out, limit)) {
                return refusal;
            }
            CompletionStage<String> stage = operation.get();
            if (stage instanceof CompletableFuture<String> future && future.isDone()) {
                out.decrementAndGet();
                return stage;
            }
            return stage.whenComplete(this);
        }

        @Override
        public void accept(@Nullable String value, @Nullable Throwable error) {
            out.decrementAndGet();
        }
    }

    /** The returned future is its own hook. It does not decide which end counts, or show when its permit is free. */
    public static class SelfHooked extends SubmitBenchmark {
        private final AtomicInteger out = new AtomicInteger();
        private final int limit = LIMIT;
        private final CompletionStage<String> refusal = Floor.refusal();

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            if (!PermitBenchmark.CasLoop.tryTake(out, limit)) {
                return refusal;
            }
            Returned returned = new Returned(out);
            operation.get().whenComplete(returned);
            return returned;
        }

        private static final class Returned extends CompletableFuture<String>
                implements BiConsumer<@Nullable String, @Nullable Throwable> {
            private final AtomicInteger out;

            Returned(AtomicInteger out) {
                this.out = out;
            }

            @Override
            public void accept(@Nullable String value, @Nullable Throwable error) {
                out.decrementAndGet();
                if (error == null) {
                    complete(value);
                } else {
                    completeExceptionally(error);
                }
            }
        }
    }

    /** The code that a program would first write. */
    public static class HandWritten extends SubmitBenchmark {
        private final AtomicInteger out = new AtomicInteger();
        private final int limit = LIMIT;

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            if (!PermitBenchmark.CasLoop.tryTake(out, limit)) {
                return Floor.refusal();
            }
            return operation.get().whenComplete((value, error) -> out.decrementAndGet());
        }
    }

    public static class Resilience4j extends SubmitBenchmark {
        private final io.github.resilience4j.bulkhead.Bulkhead bulkhead;

        public Resilience4j() {
            this(true);
        }

        Resilience4j(boolean writableStackTrace) {
            bulkhead = io.github.resilience4j.bulkhead.Bulkhead.of(
                    "bench",
                    BulkheadConfig.custom()
                            .maxConcurrentCalls(LIMIT)
                            .writableStackTraceEnabled(writableStackTrace)
                            .build());
        }

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return bulkhead.executeCompletionStage(operation);
        }
    }

    public static class Resilience4jWithoutStack extends Resilience4j {
        public Resilience4jWithoutStack() {
            super(false);
        }
    }

    /** Its scheduler runs everything at once on the submitting thread, as the other contestants do. */
    public static class Failsafe extends SubmitBenchmark {
        private final FailsafeExecutor<String> failsafe = dev.failsafe.Failsafe.with(
                        dev.failsafe.Bulkhead.<String>of(LIMIT))
                .with(SameThread::schedule);

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return failsafe.getStageAsync(operation::get);
        }
    }

    /** Has the shortest queue that the library allows. */
    public static class SmallRye extends SubmitBenchmark {
        private final TypedGuard<CompletionStage<String>> guard = TypedGuard.create(
                        new TypeLiteral<CompletionStage<String>>() {})
                .withBulkhead()
                .limit(LIMIT)
                .queueSize(1)
                .done()
                .build();

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return guard.get(operation);
        }
    }

    /** The library has permits only; the rest is written by hand, and sparingly. */
    public static class ConcurrencyLimits extends SubmitBenchmark {
        private final Limiter<Void> limiter;
        private final CompletionStage<String> refusal = Floor.refusal();

        public ConcurrencyLimits() {
            this(PermitBenchmark.ConcurrencyLimits.limiter());
        }

        ConcurrencyLimits(Limiter<Void> limiter) {
            this.limiter = limiter;
        }

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            Optional<Limiter.Listener> permit = limiter.acquire(null);
            if (permit.isEmpty()) {
                return refusal;
            }
            Limiter.Listener held = permit.get();
            return operation.get().whenComplete((value, error) -> held.onSuccess());
        }
    }

    public static class Gradient2 extends ConcurrencyLimits {
        public Gradient2() {
            super(PermitBenchmark.Gradient2.limiter());
        }
    }

    public static class Tidegate extends SubmitBenchmark {
        private final AsyncBulkhead bulkhead;

        public Tidegate() {
            this(AsyncBulkhead.of(LIMIT));
        }

        Tidegate(AsyncBulkhead bulkhead) {
            this.bulkhead = bulkhead;
        }

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return bulkhead.submit(operation);
        }
    }

    public static class TidegateAdaptive extends Tidegate {
        public TidegateAdaptive() {
            super(PermitBenchmark.Adaptive.bulkhead());
        }
    }

    public static class TidegateWithListener extends Tidegate {
        public TidegateWithListener() {
            super(AsyncBulkhead.builder(LIMIT)
                    .listener(new BulkheadListener() {})
                    .build());
        }
    }

    public static class TidegateHoldingForOperation extends Tidegate {
        public TidegateHoldingForOperation() {
            super(AsyncBulkhead.builder(LIMIT)
                    .permitLifetime(PermitLifetime.OPERATION)
                    .build());
        }
    }
}
