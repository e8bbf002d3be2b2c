package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.stage.Dive;
import io.tidegate.time.Timekeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls at every depth near the end of a thread's stack: no permit, no waiter and no event is lost.
 */
@Tag("hot")
@Tag("stack-end")
class ClientStackEndTest extends ClientTest {
    private static final int ROUNDS = 2;
    private static final int HOT = 30_000;
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private final List<BulkheadEvent> told = new ArrayList<>();

    /* Links everything first: linking at the first use needs more stack than the use itself. */
    @BeforeEach
    void useEverythingOnce() throws InterruptedException {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            Door door = doorWithSink(1, lifetime);
            CompletableFuture<String> holder = door.occupy("holder");
            door.submit("woken", DONE);
            door.submit("cancelled", DONE).cancel(false);
            door.submit("obtruded", DONE).obtrudeValue("mine");
            holder.completeExceptionally(new IllegalStateException());
            door.submit("throws", ClientStackEndTest::thrown);
            door.bulkhead().setMaxInFlight(2, START_MS);
        }
        CountDownLatch ran = new CountDownLatch(1);
        Timekeeper.now(ran::countDown);
        assertThat(ran.await(10, TimeUnit.MINUTES)).isTrue();
        told.clear();
    }

    private static CompletionStage<String> thrown() {
        throw new IllegalStateException();
    }

    private Door doorWithSink(int cap, PermitLifetime lifetime) {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(cap)
                .policy(BackpressurePolicy.queue(4 * Dive.CALLS, TIMEOUT_MS))
                .eventCapacity(1 << 20)
                .eventSink(told::add)
                .build());
        return Door.to(builder(bulkhead).permitLifetime(lifetime).build());
    }

    /* Compiled code checks for room at other points, and for the room of all code compiled into it. */
    private void makeHot(PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        for (int i = 0; i < HOT; i++) {
            door.submit("done", DONE);
            CompletableFuture<String> pending = new CompletableFuture<>();
            door.submit("pending", pending);
            pending.complete("done");
        }
    }

    private void assertAllTold(Door door) {
        door.bulkhead().recordForegroundLatency(0);
        assertThat(told).isEqualTo(door.bulkhead().events());
    }

    static Stream<Arguments> operations() {
        return Stream.of(PermitLifetime.values())
                .flatMap(lifetime -> Stream.of(
                        arguments(lifetime, over("already done", DONE)),
                        arguments(
                                lifetime,
                                over("already failed", CompletableFuture.failedFuture(new IllegalStateException()))),
                        arguments(lifetime, operation("throws", () -> {
                            throw new IllegalStateException();
                        })),
                        arguments(lifetime, operation("null", () -> null)),
                        arguments(lifetime, operation("overflows", ClientStackEndTest::deeper))));
    }

    private static Named<Supplier<CompletionStage<String>>> operation(
            String name, Supplier<CompletionStage<String>> operation) {
        return Named.of(name, operation);
    }

    private static Named<Supplier<CompletionStage<String>>> over(String name, CompletionStage<String> stage) {
        return Named.of(name, () -> stage);
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static CompletionStage<String> deeper() {
        return deeper();
    }

    @ParameterizedTest
    @MethodSource("operations")
    @DisplayName("RB-21 AB-12 submit in the last frames of a stack loses no permit and tells every event once")
    void submit_operationOver_losesNothing(PermitLifetime lifetime, Supplier<CompletionStage<String>> operation) {
        Door door = doorWithSink(4, lifetime);
        for (int round = 0; round < ROUNDS; round++) {
            Dive.run(i -> door.submit(round(i), operation));
            assertThat(door.inFlight()).isZero();
            makeHot(lifetime);
        }
        assertAllTold(door);
    }

    private static String round(int i) {
        return "request " + i;
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-12 submit of pending operations in the last frames of a stack loses no permit")
    void submit_operationPending_losesNothing(PermitLifetime lifetime) {
        Door door = doorWithSink(ROUNDS * Dive.CALLS, lifetime);
        List<CompletableFuture<String>> pending = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Dive.run(i -> door.submit(round(i), () -> {
                CompletableFuture<String> operation = new CompletableFuture<>();
                pending.add(operation);
                return operation;
            }));
            makeHot(lifetime);
        }

        pending.forEach(operation -> operation.complete("done"));

        assertThat(door.inFlight()).isZero();
        assertAllTold(door);
    }

    @Test
    @DisplayName(
            "RB-21 RB-12 cancelling a wait in the last frames of a stack: it is out of the queue, or still cancellable")
    void cancel_waiting_losesNothing() {
        Door door = doorWithSink(1, PermitLifetime.RETURNED_STAGE);
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        for (int i = 0; i < Dive.CALLS; i++) {
            waiting.add(door.submit("waiting " + i, DONE));
        }

        Dive.run(i -> waiting.get(i).cancel(false));
        waiting.forEach(future -> future.cancel(false));

        assertThat(door.waiting()).isZero();
        holder.complete("done");
        assertThat(door.inFlight()).isZero();
        assertAllTold(door);
    }
}
