package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.stage.Dive;
import io.tidegate.time.Timekeeper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls at every depth near the end of a thread's stack: no permit is lost, no waiter is forgotten, no event goes
 * untold.
 */
class ClientStackEndTest extends ClientTest {
    private static final int ROUNDS = 2;
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private final List<BulkheadEvent> told = new ArrayList<>();

    /* What the virtual machine links at its first use needs more stack than the use itself. */
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
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
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
    @DisplayName("RB-21 AB-12 submit in each of the last frames of a stack loses no permit and tells every event once")
    void submit_operationOver_losesNothing(PermitLifetime lifetime, Supplier<CompletionStage<String>> operation) {
        Door door = doorWithSink(4, lifetime);
        for (int round = 0; round < ROUNDS; round++) {
            Dive.run(i -> door.submit(round(i), operation));
            assertThat(door.inFlight()).isZero();
        }
        assertAllTold(door);
    }

    private static String round(int i) {
        return "request " + i;
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-12 submit of pending operations in each of the last frames of a stack loses no permit")
    void submit_operationPending_losesNothing(PermitLifetime lifetime) {
        Door door = doorWithSink(ROUNDS * Dive.CALLS, lifetime);
        List<CompletableFuture<String>> pending = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Dive.run(i -> door.submit(round(i), () -> {
                CompletableFuture<String> operation = new CompletableFuture<>();
                pending.add(operation);
                return operation;
            }));
        }

        pending.forEach(operation -> operation.complete("done"));

        assertThat(door.inFlight()).isZero();
        assertAllTold(door);
    }

    static Stream<Named<Consumer<CompletableFuture<String>>>> ends() {
        return Stream.of(
                Named.of("complete", future -> future.complete("mine")),
                Named.of("completeExceptionally", future -> future.completeExceptionally(new IllegalStateException())),
                Named.of("cancel", future -> future.cancel(true)),
                Named.of("obtrudeValue", future -> future.obtrudeValue("mine")));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @DisplayName(
            "RB-21 AB-12 an end in each of the last frames of a stack lets in those who wait, and none is forgotten")
    void end_othersWait_losesNothing(Consumer<CompletableFuture<String>> end) {
        Door door = doorWithSink(Dive.CALLS, PermitLifetime.RETURNED_STAGE);
        List<CompletableFuture<String>> running = new ArrayList<>();
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        for (int i = 0; i < Dive.CALLS; i++) {
            running.add(door.submit("running " + i, new CompletableFuture<>()));
        }
        for (int i = 0; i < Dive.CALLS; i++) {
            waiting.add(door.submit("waiting " + i, DONE));
        }

        Dive.run(i -> end.accept(running.get(i)));
        running.forEach(future -> future.complete("ended"));

        assertThat(running).allMatch(CompletableFuture::isDone);
        waiting.forEach(ClientStackEndTest::awaitEnd); // where the executor had no stack to start it, with that
        assertThat(door.inFlight()).isZero();
        assertAllTold(door);
    }

    @Test
    @DisplayName(
            "RB-21 RB-12 cancelling a wait in each of the last frames of a stack: it is out of the queue, or still cancellable")
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

    @Test
    @DisplayName(
            "RB-13 RB-17 the machine in each of the last frames of a stack: done wholly or not at all, every event told once")
    void machine_lastFrames_isWhole() {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(2)
                .policy(BackpressurePolicy.queue(4, 10))
                .eventCapacity(1 << 20)
                .eventSink(told::add)
                .build());
        AcquireResult[] answers = new AcquireResult[Dive.CALLS]; // an answer is kept without a call
        BulkheadPermit first = bulkhead.acquire(true, "first", 0).orElseThrow();
        BulkheadPermit second = bulkhead.acquire(true, "second", 0).orElseThrow();
        bulkhead.setMaxInFlight(1, 0);
        bulkhead.acquire(true, "third", 0);
        bulkhead.release(first, 0);
        bulkhead.release(second, 0);
        for (int round = 0; round < ROUNDS; round++) {
            Dive.run(i -> {
                AcquireResult before = answers[i]; // that of the first call, which is made twice
                AcquireResult answer = bulkhead.acquire(true, round(i), i);
                answers[i] = answer instanceof AcquireResult.Granted ? answer : before;
                bulkhead.setMaxInFlight(2 + i % 3, i);
            });
            List<BulkheadPermit> permits = Stream.of(answers)
                    .filter(AcquireResult.Granted.class::isInstance)
                    .map(AcquireResult::orElseThrow)
                    .toList();
            assertThat(bulkhead.inFlight()).isEqualTo(permits.size());
            permits.forEach(permit -> bulkhead.release(permit, 0));
            Arrays.fill(answers, null);
            for (int i = 0; i < Dive.CALLS; i++) {
                bulkhead.cancelQueued(round(i), 0);
            }
        }
        bulkhead.recordForegroundLatency(0);
        assertThat(told).isEqualTo(bulkhead.events());
    }

    private static void awaitEnd(CompletableFuture<String> future) {
        future.handle((value, error) -> value).orTimeout(60, TimeUnit.SECONDS).join();
    }
}
