package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.Backoff;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.retry.Retry;
import io.tidegate.stage.Dive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls at every depth near the end of a thread's stack: each layer is left, and every future can be ended. */
@Tag("hot")
@Tag("stack-end")
class StackEndTest extends GuardTest {
    /** Which layers a guard has. */
    private enum Layers {
        GATES,
        THREE_GATES,
        WITH_LIMITS_AND_RETRY
    }

    private final List<CompletableFuture<String>> pending = new ArrayList<>();
    private final CircuitBreaker breaker = CircuitBreaker.builder("breaker")
            .readyToTrip(counts -> false)
            .ticker(time::nanos)
            .build();

    private Guard guard(Layers layers, PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead("a", Dive.CALLS, lifetime);
        Guard.Builder builder = builder();
        return switch (layers) {
            case GATES -> built(builder.breaker(breaker).bulkhead(bulkhead));
            case THREE_GATES ->
                built(builder.bulkhead(bulkhead("b", Dive.CALLS, lifetime))
                        .breaker(breaker)
                        .bulkhead(bulkhead));
            case WITH_LIMITS_AND_RETRY ->
                built(builder.timeLimit(Duration.ofHours(1))
                        .retry(Retry.builder()
                                .maxAttempts(2)
                                .backoff(Backoff.none())
                                .build())
                        .breaker(breaker)
                        .bulkhead(bulkhead)
                        .timeLimit(Duration.ofMinutes(1)));
        };
    }

    static Stream<Arguments> calls() {
        return Stream.of(Layers.values())
                .flatMap(layers -> Stream.of(
                        arguments(layers, Named.of("returns", (Callable<String>) () -> "done")),
                        arguments(layers, Named.of("throws", (Callable<String>) () -> {
                            throw FAILED;
                        })),
                        arguments(layers, Named.of("is refused inside", (Callable<String>) () -> {
                            throw new OtherRefusal();
                        })),
                        arguments(layers, Named.of("overflows", (Callable<String>) StackEndTest::deeper))));
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static String deeper() {
        return deeper();
    }

    @ParameterizedTest
    @MethodSource("calls")
    @DisplayName("GD-1 call in the last frames of a stack leaves what it has entered")
    void call_lastFrames_leavesEverything(Layers layers, Callable<String> call) {
        Guard guard = guard(layers, PermitLifetime.RETURNED_STAGE);
        Dive.run(i -> {
            boolean[] ran = new boolean[1];
            try {
                guard.call(() -> {
                    ran[0] = true;
                    return call.call();
                });
            } catch (Throwable end) {
                if (!ran[0]) {
                    throw GuardTest.<Error>sneaky(end);
                }
            }
        });
        assertNothingRuns();
    }

    private void assertNothingRuns() {
        assertThat(breaker.counts().requests())
                .isEqualTo(breaker.counts().totalSuccesses() + breaker.counts().totalFailures());
        assertThat(breaker.metrics().misused()).isZero();
        events.clear();
    }

    static Stream<Arguments> guards() {
        return Stream.of(Layers.values())
                .flatMap(layers -> Stream.of(PermitLifetime.values()).map(lifetime -> arguments(layers, lifetime)));
    }

    @ParameterizedTest
    @MethodSource("guards")
    @DisplayName("GD-1 GD-6 submit in the last frames of a stack leaves what it has entered")
    void submit_lastFrames_leavesEverything(Layers layers, PermitLifetime lifetime) {
        List<Supplier<CompletionStage<String>>> operations = List.of(
                () -> CompletableFuture.completedFuture("done"),
                () -> CompletableFuture.failedFuture(FAILED),
                () -> CompletableFuture.completedFuture(deeper()));
        for (Supplier<CompletionStage<String>> operation : operations) {
            Guard guard = guard(layers, lifetime);
            Dive.run(i -> guard.submit(operation));
            assertNothingRuns();
        }
    }

    @ParameterizedTest
    @MethodSource("guards")
    @DisplayName("GD-1 GD-6 pending operations that were submitted in the last frames of a stack can be ended")
    void submit_pending_leavesEverything(Layers layers, PermitLifetime lifetime) {
        Guard guard = guard(layers, lifetime);
        Dive.run(i -> guard.submit(this::pending));
        endPending();
        assertNothingRuns();
    }

    private CompletionStage<String> pending() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        pending.add(operation);
        return operation;
    }

    private void endPending() {
        for (int i = 0; i < pending.size(); i++) { // the list grows: a retry makes further operations meanwhile
            pending.get(i).complete("done");
        }
    }

    static Stream<Arguments> ends() {
        Consumer<CompletableFuture<String>> complete = future -> future.complete("mine");
        Consumer<CompletableFuture<String>> fail = future -> future.completeExceptionally(FAILED);
        Consumer<CompletableFuture<String>> cancel = future -> future.cancel(true);
        return Stream.of(Layers.values())
                .flatMap(layers -> Stream.of(
                        arguments(layers, Named.of("complete", complete)),
                        arguments(layers, Named.of("completeExceptionally", fail)),
                        arguments(layers, Named.of("cancel", cancel))));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @DisplayName("GD-1 GD-6 an end from outside in the last frames of a stack leaves each layer once")
    void end_fromOutside_leavesEverything(Layers layers, Consumer<CompletableFuture<String>> end) {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            List<CompletableFuture<String>> returned = submitted(guard(layers, lifetime));
            Dive.run(i -> end.accept(returned.get(i)));
            returned.forEach(future -> future.complete("ended"));
            assertThat(returned).allMatch(CompletableFuture::isDone);
            endPending();
            assertNothingRuns();
        }
    }

    @ParameterizedTest
    @EnumSource(Layers.class)
    @DisplayName("GD-1 GD-6 an operation that ends in the last frames of a stack: its stage ends, or can be ended")
    void end_ofOperation_leavesEverything(Layers layers) {
        // under OPERATION no other thread could learn of an end that was not seen
        List<CompletableFuture<String>> returned = submitted(guard(layers, PermitLifetime.RETURNED_STAGE));
        Dive.run(i -> pending.get(i).complete("done"));
        returned.forEach(future -> future.complete("ended"));
        assertThat(returned).allMatch(CompletableFuture::isDone);
        assertNothingRuns();
    }

    private List<CompletableFuture<String>> submitted(Guard guard) {
        pending.clear();
        return Stream.generate(() -> submit(guard, this::pending))
                .limit(Dive.CALLS)
                .toList();
    }
}
