package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.stage.HostileStage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClientEndTest extends ClientTest {
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private final AtomicInteger runs = new AtomicInteger();

    private CompletableFuture<String> counted(CompletableFuture<String> operation) {
        runs.incrementAndGet();
        return operation;
    }

    private static Stream<Named<Consumer<CompletableFuture<String>>>> ways() {
        return Stream.of(
                way("cancel", future -> future.cancel(true)),
                way("complete", future -> future.complete("mine")),
                way("completeExceptionally", future -> future.completeExceptionally(new IOException())),
                way("completeAsync", future -> future.completeAsync(() -> "mine", Runnable::run)),
                way("orTimeout", future -> future.orTimeout(1, TimeUnit.MILLISECONDS)),
                way("completeOnTimeout", future -> future.completeOnTimeout("late", 1, TimeUnit.MILLISECONDS)),
                way("obtrudeValue", future -> future.obtrudeValue("mine")),
                way("obtrudeException", future -> future.obtrudeException(new IOException())));
    }

    private static Named<Consumer<CompletableFuture<String>>> way(
            String name, Consumer<CompletableFuture<String>> action) {
        return Named.of(name, action);
    }

    static Stream<Arguments> waysAndLifetimes() {
        return ways().flatMap(way -> Stream.of(PermitLifetime.values()).map(lifetime -> Arguments.of(way, lifetime)));
    }

    private static void await(CompletableFuture<String> ended) {
        ended.handle((value, error) -> "ended").join();
    }

    @ParameterizedTest
    @MethodSource("waysAndLifetimes")
    @DisplayName("RB-21 AB-10 AB-12 any end of the future while it waits takes it out of the queue; it never runs")
    void waiting_ended_leavesQueue(Consumer<CompletableFuture<String>> end, PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", () -> counted(DONE));
        CompletableFuture<String> behind = door.submit("behind", DONE);
        CompletableFuture<Integer> waitingAtEnd = waits.handle((value, error) -> door.waiting());

        end.accept(waits);

        assertThat(waitingAtEnd.join())
                .as("out of the queue before the end is seen")
                .isEqualTo(1);
        holder.complete("done");
        assertThat(behind).as("an abandoned head blocks nobody").isCompletedWithValue("done");
        time.pass(2 * TIMEOUT_MS);
        assertThat(runs).hasValue(0);
        assertThat(waits.isDone()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("waysAndLifetimes")
    @DisplayName(
            "RB-21 AB-10 AB-12 AB-14 any end between turn and start gives the permit back at once, to the next in line")
    void turnCame_endedBeforeStart_givesPermitBack(Consumer<CompletableFuture<String>> end, PermitLifetime lifetime) {
        Door door = slowDoor(1, lifetime);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> turn = door.submit("turn", () -> counted(DONE));
        CompletableFuture<String> next = door.submit("next", DONE);
        holder.complete("done");
        assertThat(heldBack).hasSize(1);
        assertThat(door.inFlight()).as("the turn came").isEqualTo(1);
        assertThat(door.waiting()).isEqualTo(1);
        CompletableFuture<Integer> waitingAtEnd = turn.handle((value, error) -> door.waiting());

        end.accept(turn);

        assertThat(waitingAtEnd.join())
                .as("the permit went on before the end was seen")
                .isZero();
        runHeldBack();
        assertThat(runs).hasValue(0);
        assertThat(next).isCompletedWithValue("done");
        assertThat(door.inFlight()).isZero();
    }

    @ParameterizedTest
    @MethodSource("ways")
    @DisplayName("RB-21 AB-10 AB-12 AB-14 any end while running frees the permit first, once, and lets the next in")
    void running_ended_freesPermit(Consumer<CompletableFuture<String>> end) {
        for (boolean waited : new boolean[] {false, true}) {
            Door door = door(1);
            CompletableFuture<String> holder = waited ? door.occupy("holder") : DONE;
            CompletableFuture<String> operation = new CompletableFuture<>();
            CompletableFuture<String> runs = door.submit("runs", operation);
            holder.complete("done");
            CompletableFuture<String> next = new CompletableFuture<>();
            CompletableFuture<String> waits = door.submit("waits", next);
            CompletableFuture<Integer> waitingAtEnd = runs.handle((value, error) -> door.waiting());

            end.accept(runs);

            assertThat(waitingAtEnd.join()).as("let in before the end was seen").isZero();
            assertThat(door.inFlight()).isEqualTo(1);
            assertThat(operation).as("the end is not passed on").isNotDone();
            operation.complete("late");
            assertThat(door.inFlight()).as("released once").isEqualTo(1);
            next.complete("done");
            assertThat(waits).isCompletedWithValue("done");
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    @DisplayName("RB-21 AB-11 with OPERATION the permit stays with the work, however the returned future ends")
    void runningUnderOperation_ended_keepsPermit(Consumer<CompletableFuture<String>> end) {
        for (boolean waited : new boolean[] {false, true}) {
            Door door = door(1, PermitLifetime.OPERATION);
            CompletableFuture<String> holder = waited ? door.occupy("holder") : DONE;
            CompletableFuture<String> operation = new CompletableFuture<>();
            CompletableFuture<String> runs = door.submit("runs", operation);
            holder.complete("done");
            CompletableFuture<String> waits = door.submit("waits", DONE);

            end.accept(runs);
            await(runs);

            assertThat(door.inFlight()).isEqualTo(1);
            assertThat(waits).isNotDone();
            operation.complete("done");
            assertThat(waits).isCompletedWithValue("done");
        }
    }

    @ParameterizedTest
    @MethodSource("waysAndLifetimes")
    @DisplayName("RB-21 AB-12 ending the future again after its end releases nothing more")
    void ended_endedAgain_releasesOnce(Consumer<CompletableFuture<String>> end, PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", DONE);
        CompletableFuture<String> timesOut = door.submit("times out", DONE);
        CompletableFuture<String> second = new CompletableFuture<>();
        door.submit("second", second);
        timesOut.cancel(false);
        holder.complete("done");
        assertThat(door.inFlight()).isEqualTo(1);

        end.accept(waits);
        end.accept(timesOut);
        await(waits);

        assertThat(door.inFlight()).isEqualTo(1);
        second.complete("done");
    }

    @Test
    @DisplayName("RB-21 AB-10 the future answers as any CompletableFuture does")
    void future_answersLikeAny() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> cancelled = door.submit("cancelled", DONE);
        CompletableFuture<String> completed = door.submit("completed", DONE);

        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(cancelled.cancel(true)).as("already cancelled").isTrue();
        assertThat(cancelled.complete("late")).isFalse();
        assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
        assertThat(completed.complete("mine")).isTrue();
        assertThat(completed.cancel(true)).isFalse();
        assertThat(completed.toCompletableFuture()).isSameAs(completed);
        assertThatThrownBy(() -> completed.completeExceptionally(null)).isInstanceOf(NullPointerException.class);
        holder.complete("done");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-9 the operation's outcome comes back: same value, same error")
    void operation_ends_isMirrored(PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        IOException error = new IOException();
        CompletableFuture<String> fails = new CompletableFuture<>();

        CompletableFuture<String> first = door.submit("first", fails);
        CompletableFuture<String> waited = door.submit("waited", CompletableFuture.failedFuture(error));
        fails.completeExceptionally(error);

        assertThat(errorOf(first)).isSameAs(error);
        assertThat(errorOf(waited)).isSameAs(error);
    }

    static Stream<Arguments> throwables() {
        return Stream.of(new IllegalStateException(), new StackOverflowError(), new IOException())
                .flatMap(thrown -> Stream.of(PermitLifetime.values()).map(lifetime -> Arguments.of(thrown, lifetime)));
    }

    @ParameterizedTest
    @MethodSource("throwables")
    @DisplayName("RB-21 AB-7 a supplier that throws anything fails the stage with it; the permit is back")
    void supplier_throws_failsStage(Throwable thrown, PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        CompletableFuture<String> atOnce = door.submit("at once", () -> {
            throw sneaky(thrown);
        });
        assertThat(errorOf(atOnce)).isSameAs(thrown);
        assertThat(door.inFlight()).isZero();

        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waited = door.submit("waited", () -> {
            throw sneaky(thrown);
        });
        CompletableFuture<String> next = door.submit("next", DONE);
        holder.complete("done");

        assertThat(errorOf(waited)).isSameAs(thrown);
        assertThat(next).isCompletedWithValue("done");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-7 an InterruptedException smuggled out sets the thread's flag again")
    void supplier_throwsInterrupted_keepsFlag(PermitLifetime lifetime) {
        InterruptedException interrupted = new InterruptedException();

        CompletableFuture<String> returned = door(1, lifetime).submit("a", () -> {
            throw sneaky(interrupted);
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(errorOf(returned)).isSameAs(interrupted);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-8 a supplier that returns null fails the stage and says so")
    void supplier_returnsNull_failsStage(PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waited = door.<String>submit("waited", () -> null);
        holder.complete("done");
        CompletableFuture<String> atOnce = door.<String>submit("at once", () -> null);

        for (CompletableFuture<String> returned : List.of(waited, atOnce)) {
            assertThat(errorOf(returned))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("operation");
        }
    }

    private static RuntimeException broken() {
        return new IllegalStateException("broken stage");
    }

    private static void assertBroken(CompletableFuture<String> returned) {
        assertThat(errorOf(returned)).isInstanceOf(IllegalStateException.class).hasMessage("broken stage");
    }

    static Stream<Arguments> hostileStages() {
        return Stream.<Named<HostileStage<String>>>of(
                        Named.of("throws before registering", hook -> {
                            throw broken();
                        }),
                        Named.of("throws after firing an error", hook -> {
                            hook.accept(null, broken());
                            throw new IllegalStateException("not told");
                        }),
                        Named.of("fires twice", hook -> {
                            hook.accept(null, broken());
                            hook.accept("second", null);
                            return null;
                        }),
                        Named.of("fires a value and an error", hook -> {
                            hook.accept("value", broken());
                            return null;
                        }))
                .flatMap(stage -> Stream.of(PermitLifetime.values()).map(lifetime -> Arguments.of(stage, lifetime)));
    }

    @ParameterizedTest
    @MethodSource("hostileStages")
    @DisplayName("RB-21 AB-12 AB-16 a stage that breaks its contract costs one release, and its first signal counts")
    void stage_hostile_isOneRelease(HostileStage<String> hostile, PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waited = door.submit("waited", () -> HostileStage.of(hostile));
        holder.complete("done");
        CompletableFuture<String> atOnce = door.submit("at once", () -> HostileStage.of(hostile));

        assertBroken(waited);
        assertBroken(atOnce);
        assertThat(door.inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-16 a stage that registers, throws, and fires later: failed at once, one release")
    void stage_throwsAfterRegistering_isOneRelease(PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        AtomicReference<BiConsumer<? super String, ? super Throwable>> registered = new AtomicReference<>();
        CompletableFuture<String> returned = door.submit(
                "a",
                () -> HostileStage.of(hook -> {
                    registered.set(hook);
                    throw broken();
                }));
        CompletableFuture<String> holder = door.occupy("holder");

        registered.get().accept("late", null);

        assertBroken(returned);
        assertThat(door.inFlight()).isEqualTo(1);
        holder.complete("done");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 an executor that refuses fails the request with what it threw; the permit goes on")
    void executor_refuses_failsRequest(PermitLifetime lifetime) {
        RejectedExecutionException refusal = new RejectedExecutionException();
        Door door = Door.to(builder(bulkhead(1))
                .permitLifetime(lifetime)
                .executor(task -> {
                    throw refusal;
                })
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> waits = new ArrayList<>();
        for (int i = 0; i < DEPTH; i++) {
            waits.add(door.submit("waiter " + i, () -> counted(DONE)));
        }

        holder.complete("done");

        assertThat(waits).allSatisfy(wait -> assertThat(errorOf(wait)).isSameAs(refusal));
        assertThat(runs).hasValue(0);
        assertThat(door.submit("next", DONE)).isCompletedWithValue("done");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 an executor that runs a start twice runs the supplier once")
    void executor_runsTwice_startsOnce(PermitLifetime lifetime) {
        Door door = Door.to(builder(bulkhead(1))
                .permitLifetime(lifetime)
                .executor(task -> {
                    task.run();
                    task.run();
                })
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", () -> counted(DONE));

        holder.complete("done");

        assertThat(waits).isCompletedWithValue("done");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName(
            "RB-21 AB-14 with a cap of one: submit, join, submit is never refused, nor is a submit in a continuation")
    void ended_submitAgain_isAdmitted(PermitLifetime lifetime) {
        Door door = Door.to(builder(bulkhead(1, BackpressurePolicy.reject()))
                .permitLifetime(lifetime)
                .build());
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> inside = door.submit("a", operation).thenCompose(value -> door.submit("b", DONE));

        operation.complete("done");

        assertThat(inside).isCompletedWithValue("done");
        assertThat(door.submit("c", DONE)).isCompletedWithValue("done");
        assertThat(door.submit("d", DONE)).isCompletedWithValue("done");
    }

    @Test
    @DisplayName(
            "RB-21 AB-10 AB-14 obtruding from the event sink, while the end is on its way, does not wait for itself")
    void obtrude_insideSink_returns() throws InterruptedException {
        AtomicReference<CompletableFuture<String>> returned = new AtomicReference<>();
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(1)
                .eventSink(event -> {
                    if (event.eventCode() == BulkheadEventCode.RB_PERMIT_RELEASED) {
                        returned.get().obtrudeValue("obtruded");
                    }
                })
                .build());
        Door door = door(bulkhead);
        CompletableFuture<String> operation = new CompletableFuture<>();
        returned.set(door.submit("a", operation));
        Thread ends = new Thread(() -> operation.complete("done"));
        ends.setDaemon(true);

        ends.start();

        ends.join(600_000);
        assertThat(ends.isAlive()).as("waits for itself").isFalse();
        assertThat(returned.get()).isCompletedWithValue("obtruded");
    }

    @Test
    @DisplayName("RB-21 latency is recorded by itself, from submit to end, whatever the outcome; waiting counts")
    void latency_isRecorded() {
        Door door = door(1);
        CompletableFuture<String> first = door.occupy("first");
        CompletableFuture<String> second = door.occupy("second");
        time.pass(30);
        first.complete("done");
        time.pass(40);
        second.completeExceptionally(new IOException());
        door.submit("at once", DONE);

        assertThat(door.bulkhead().latencySamples())
                .extracting(ForegroundLatencySample::latencyMs)
                .containsExactly(30L, 70L, 0L);
        assertThat(count(door.bulkhead(), BulkheadEventCode.RB_LATENCY_REPORT)).isEqualTo(3);
        assertThat(door.bulkhead().p99ForegroundLatencyMs()).hasValue(70);
    }

    @Test
    @DisplayName("RB-21 what was cancelled, refused or never ran says nothing about latency")
    void latency_notRun_isNotRecorded() {
        Door door = slowDoor(1, PermitLifetime.RETURNED_STAGE);
        CompletableFuture<String> running = door.submit("running", new CompletableFuture<>());
        CompletableFuture<String> waiting = door.submit("waiting", DONE);
        CompletableFuture<String> turn = door.submit("turn", DONE);
        time.pass(10);
        waiting.complete("mine");
        running.cancel(false);
        turn.cancel(false);
        runHeldBack();
        door.submit("cancelled", CompletableFuture.failedFuture(new CancellationException()));
        door.submit(
                "cancelled inside",
                CompletableFuture.failedFuture(new CompletionException(new CancellationException())));
        CompletableFuture<String> holder = door.submit("holder", new CompletableFuture<>());
        door.submit("times out", DONE);
        time.pass(TIMEOUT_MS);

        assertThat(door.bulkhead().latencySamples()).isEmpty();
        holder.cancel(false);
    }

    @Test
    @DisplayName("RB-21 AB-11 with OPERATION latency is the operation's, though its future was cancelled")
    void latency_underOperation_isTheOperations() {
        Door door = door(1, PermitLifetime.OPERATION);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = door.submit("a", operation);
        time.pass(10);
        returned.cancel(false);
        time.pass(10);
        operation.complete("done");

        assertThat(door.bulkhead().latencySamples()).containsExactly(new ForegroundLatencySample(1, 20));
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-14 obtruding does not wait for ever for one that was stopped while it ends the future")
    void obtrude_winnerStopped_returns(PermitLifetime lifetime) throws InterruptedException {
        Runnable[] whenRead = {() -> {}};
        Door door = Door.to(builder(bulkhead(1))
                .permitLifetime(lifetime)
                .clock(() -> {
                    Runnable once = whenRead[0];
                    whenRead[0] = () -> {};
                    once.run();
                    return time.nowMs();
                })
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", new CompletableFuture<>());
        whenRead[0] = () -> waits.obtrudeValue("mine");

        Thread ends = new Thread(() -> waits.cancel(false)); // a wait for the winner would be a wait for itself
        ends.setDaemon(true);
        ends.start();
        ends.join(600_000);

        assertThat(ends.isAlive()).isFalse();
        assertThat(waits).isCompletedWithValue("mine");
        assertThat(door.waiting()).isZero();
        holder.complete("done");
    }
}
