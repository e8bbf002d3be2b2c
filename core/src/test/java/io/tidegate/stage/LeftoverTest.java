package io.tidegate.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the futures of all parts leave behind: nothing on the operation, and no dependent that waits behind another one.
 */
@Timeout(600)
class LeftoverTest {
    private static Stream<Named<Function<CompletionStage<byte[]>, CompletionStage<byte[]>>>> parts() {
        CircuitBreaker breaker = CircuitBreaker.of("breaker");
        return Stream.concat(
                Stream.of(PermitLifetime.values()).flatMap(lifetime -> {
                    AsyncBulkhead bulkhead =
                            AsyncBulkhead.builder(100).permitLifetime(lifetime).build();
                    RemoteBulkheadClient client = RemoteBulkheadClient.builder(
                                    RemoteBulkhead.builder(100).build())
                            .permitLifetime(lifetime)
                            .build();
                    var capability = client.takeCapability();
                    return Stream.of(
                            Named.of("bulkhead, " + lifetime, operation -> bulkhead.submit(() -> operation)),
                            Named.of(
                                    "client, " + lifetime,
                                    operation -> client.submit(capability, "request", () -> operation)));
                }),
                Stream.of(Named.of("breaker", operation -> breaker.executeAsync(() -> operation))));
    }

    static Stream<Arguments> ends() {
        return forEachPart(List.of(
                Named.of("complete", future -> future.complete(new byte[8])),
                Named.of("completeExceptionally", future -> future.completeExceptionally(new IllegalStateException())),
                Named.of("cancel", future -> future.cancel(true)),
                Named.of("obtrudeValue", future -> future.obtrudeValue(new byte[8])),
                Named.of("obtrudeException", future -> future.obtrudeException(new IllegalStateException()))));
    }

    static Stream<Arguments> lostEnds() {
        return forEachPart(List.of(
                Named.of("complete", future -> assertThat(future.complete(null)).isFalse()),
                Named.of(
                        "completeExceptionally",
                        future -> assertThat(future.completeExceptionally(new IllegalStateException()))
                                .isFalse()),
                Named.of("cancel", future -> assertThat(future.cancel(true)).isFalse())));
    }

    private static Stream<Arguments> forEachPart(List<Named<Consumer<CompletableFuture<byte[]>>>> ends) {
        return parts().flatMap(part -> ends.stream().map(end -> Arguments.of(part, end)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @DisplayName(
            "AB-18 CB-15 RB-21 an ended future leaves neither itself nor its result on an operation that never ends")
    void future_endedByCaller_leavesNothing(
            Function<CompletionStage<byte[]>, CompletionStage<byte[]>> part, Consumer<CompletableFuture<byte[]>> end) {
        CompletableFuture<byte[]> operation = new CompletableFuture<>();

        WeakReference<?> returned = ended(part, operation, end);

        while (!returned.refersTo(null) && !Thread.currentThread().isInterrupted()) { // the time-out interrupts
            System.gc();
        }
        assertThat(returned.refersTo(null)).isTrue();
        assertThat(operation).isNotDone();
    }

    private static WeakReference<?> ended(
            Function<CompletionStage<byte[]>, CompletionStage<byte[]>> part,
            CompletableFuture<byte[]> operation,
            Consumer<CompletableFuture<byte[]>> end) {
        CompletableFuture<byte[]> returned = part.apply(operation).toCompletableFuture();
        end.accept(returned);
        return new WeakReference<>(returned);
    }

    @ParameterizedTest
    @MethodSource("lostEnds")
    @DisplayName("AB-9 CB-15 RB-21 a late end of a future helps to run its dependents, as with the JDK's own")
    void lateEnd_dependentBlocks_runsTheOthers(
            Function<CompletionStage<byte[]>, CompletionStage<byte[]>> part, Consumer<CompletableFuture<byte[]>> end)
            throws InterruptedException {
        CompletableFuture<byte[]> operation = new CompletableFuture<>();
        CompletableFuture<byte[]> returned = part.apply(operation).toCompletableFuture();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        CompletableFuture<Void> behind = returned.thenRun(() -> {});
        returned.thenRun(
                () -> { // registered last, it runs first
                    blocked.countDown();
                    awaitQuietly(open);
                });
        Thread winner = new Thread(() -> operation.complete(new byte[0]));
        winner.start();
        blocked.await();

        end.accept(returned);

        assertThat(behind).isCompleted();
        open.countDown();
        winner.join();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
