package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.stage.Dive;
import java.util.ArrayList;
import java.util.List;
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

/** Calls at every depth near the end of a thread's stack: no permit is lost, and every future can be ended. */
@Tag("hot")
@Tag("stack-end")
class StackEndTest extends BulkheadTest {
    private final List<CompletableFuture<String>> pending = new ArrayList<>();

    private CompletionStage<String> pending() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        pending.add(operation);
        return operation;
    }

    static Stream<Arguments> submissions() {
        return Stream.of(PermitLifetime.values())
                .flatMap(lifetime -> Stream.of(
                        arguments(lifetime, done("already done", CompletableFuture.completedFuture("done"))),
                        arguments(
                                lifetime,
                                done("already failed", CompletableFuture.failedFuture(new IllegalStateException()))),
                        arguments(lifetime, Named.of("throws", (Supplier<CompletionStage<String>>) () -> {
                            throw new IllegalStateException();
                        })),
                        arguments(lifetime, Named.of("null", (Supplier<CompletionStage<String>>) () -> null)),
                        arguments(lifetime, Named.of("overflows", (Supplier<CompletionStage<String>>)
                                StackEndTest::deeper))));
    }

    private static Named<Supplier<CompletionStage<String>>> done(String name, CompletionStage<String> stage) {
        return Named.of(name, () -> stage);
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static CompletionStage<String> deeper() {
        return deeper();
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("AB-12 submit in the last frames of a stack loses no permit")
    void submit_operationOver_losesNothing(PermitLifetime lifetime, Supplier<CompletionStage<String>> operation) {
        for (AsyncBulkhead bulkhead :
                List.of(bulkhead(4, lifetime), bulkhead(4, lifetime, new BulkheadListener() {}))) {
            Dive.run(i -> bulkhead.submit(operation));
            assertThat(bulkhead.available()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-12 submit of pending operations in the last frames of a stack loses no permit")
    void submit_operationPending_losesNothing(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(Dive.CALLS, lifetime, new BulkheadListener() {});
        Dive.run(i -> bulkhead.submit(this::pending));

        pending.forEach(operation -> operation.complete("done"));

        assertThat(bulkhead.inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-12 AB-19 a direct chain of submissions that overflows loses no permit")
    void chain_overflows_losesNothing(PermitLifetime lifetime) throws InterruptedException {
        AsyncBulkhead bulkhead = bulkhead(4, lifetime);
        for (int round = 0; round < 60; round++) {
            Thread thread = new Thread(null, () -> chain(bulkhead), "chain", (128L + 4L * round) * 1024);
            thread.start();
            thread.join();
        }

        assertThat(bulkhead.available()).isEqualTo(4);
    }

    /* The stages of the outer levels catch what the deepest level threw. */
    private static void chain(AsyncBulkhead bulkhead) {
        bulkhead.submit(() -> CompletableFuture.completedFuture("done")).thenAccept(done -> chain(bulkhead));
    }

    static Stream<Named<Consumer<CompletableFuture<String>>>> ends() {
        return Stream.of(
                Named.of("complete", future -> future.complete("mine")),
                Named.of("completeExceptionally", future -> future.completeExceptionally(new IllegalStateException())),
                Named.of("cancel", future -> future.cancel(true)),
                Named.of("obtrudeValue", future -> future.obtrudeValue("mine")),
                Named.of("obtrudeException", future -> future.obtrudeException(new IllegalStateException())));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @DisplayName("AB-10 AB-12 an end in the last frames of a stack: one release, and the future can be ended")
    void end_ofReturnedFuture_losesNothing(Consumer<CompletableFuture<String>> end) {
        List<CompletableFuture<String>> returned = submitted();
        Dive.run(i -> end.accept(returned.get(i)));
        endAll(returned);
    }

    @ParameterizedTest
    @EnumSource(
            value = PermitLifetime.class,
            names = "RETURNED_STAGE") // no other thread could learn of the operation's own end
    @DisplayName("AB-12 an operation that ends in the last frames of a stack: one release, when its future ends")
    void end_ofOperation_losesNothing() {
        List<CompletableFuture<String>> returned = submitted();
        Dive.run(i -> pending.get(i).complete("done"));
        endAll(returned);
    }

    private List<CompletableFuture<String>> submitted() {
        AsyncBulkhead bulkhead = bulkhead(Dive.CALLS, new BulkheadListener() {});
        return Stream.generate(() -> bulkhead.submit(this::pending).toCompletableFuture())
                .limit(Dive.CALLS)
                .toList();
    }

    private static void endAll(List<CompletableFuture<String>> returned) {
        for (CompletableFuture<String> future : returned) {
            future.complete("ended");
            assertThat(future).isDone();
        }
    }
}
