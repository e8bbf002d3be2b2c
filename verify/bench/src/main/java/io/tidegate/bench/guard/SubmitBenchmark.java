package io.tidegate.bench.guard;

import static io.tidegate.bench.guard.CallBenchmark.IN_A_ROW;
import static io.tidegate.bench.guard.CallBenchmark.IN_FLIGHT;
import static io.tidegate.bench.guard.CallBenchmark.NAME;
import static io.tidegate.bench.guard.CallBenchmark.OPEN;
import static io.tidegate.bench.guard.CallBenchmark.RESULT;

import dev.failsafe.FailsafeExecutor;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.tidegate.bench.SameThread;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import jakarta.enterprise.util.TypeLiteral;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Submits an asynchronous operation through a breaker and a bulkhead, each contestant in a separate JVM. */
@State(Scope.Benchmark)
public abstract class SubmitBenchmark {
    private final CompletableFuture<String> over = CompletableFuture.completedFuture(RESULT);
    private final Supplier<CompletionStage<String>> alreadyDone = () -> over;

    abstract CompletionStage<String> submit(Supplier<CompletionStage<String>> operation);

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

    /** One part inside the other. A cancelled operation then keeps its permit, which it does not in a guard. */
    public static class ByHand extends SubmitBenchmark {
        private final CircuitBreaker breaker = CallBenchmark.ByHand.breaker();
        private final AsyncBulkhead bulkhead = AsyncBulkhead.of(IN_FLIGHT);

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return breaker.executeAsync(() -> bulkhead.submit(operation));
        }
    }

    public static class Guarded extends SubmitBenchmark {
        private final Guard guard = Guard.builder(NAME)
                .breaker(CallBenchmark.ByHand.breaker())
                .bulkhead(AsyncBulkhead.of(IN_FLIGHT))
                .build();

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return guard.submit(operation);
        }
    }

    public static class Resilience4j extends SubmitBenchmark {
        private final io.github.resilience4j.circuitbreaker.CircuitBreaker breaker =
                CallBenchmark.Resilience4j.breaker();
        private final io.github.resilience4j.bulkhead.Bulkhead bulkhead = CallBenchmark.Resilience4j.bulkhead();

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return breaker.executeCompletionStage(() -> bulkhead.executeCompletionStage(operation));
        }
    }

    /** Its scheduler runs everything at once on the submitting thread, as the other contestants do. */
    public static class Failsafe extends SubmitBenchmark {
        private final FailsafeExecutor<String> failsafe = dev.failsafe.Failsafe.with(
                        CallBenchmark.Failsafe.breaker(), CallBenchmark.Failsafe.bulkhead())
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
                .withCircuitBreaker()
                .requestVolumeThreshold(IN_A_ROW)
                .failureRatio(1)
                .delay(OPEN.toSeconds(), ChronoUnit.SECONDS)
                .done()
                .withBulkhead()
                .limit(IN_FLIGHT)
                .queueSize(1)
                .done()
                .build();

        @Override
        CompletionStage<String> submit(Supplier<CompletionStage<String>> operation) {
            return guard.get(operation);
        }
    }
}
