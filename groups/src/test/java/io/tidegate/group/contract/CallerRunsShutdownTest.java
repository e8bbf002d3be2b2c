package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a shutdown does about refused tasks that their callers run, and about the pending stages of such tasks. */
class CallerRunsShutdownTest extends GroupExecutorContract {
    private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);

    private final Gate holder = gate();
    private final Gate gate = gate();

    private static GroupPolicy.Builder callerRuns() {
        return noWaiting().rejectionPolicy(RejectionPolicy.CALLER_RUNS);
    }

    /** An executor whose group "a" is full and lets no task wait. */
    private GroupExecutor full(GroupPolicy.Builder policy) {
        GroupExecutor executor = executor(policy);
        executor.submit("a", "holder", holder.holding("done"));
        holder.awaitArrival();
        return executor;
    }

    private GroupExecutor full() {
        return full(callerRuns());
    }

    static Stream<Named<Consumer<GroupExecutor>>> waysToEnd() {
        return Stream.of(
                named("shutdown with a time-out", executor -> executor.shutdown(Duration.ZERO)),
                named("close", GroupExecutor::close),
                named("shutdownGroup", executor -> executor.shutdownGroup("a")),
                named("shutdownGroup of a forgotten group", executor -> {
                    executor.evictGroup("a");
                    executor.shutdownGroup("a");
                    eventually("the group is forgotten", () -> executor.stats().groups() == 0);
                    executor.shutdownGroup("a");
                }));
    }

    @ParameterizedTest
    @MethodSource("waysToEnd")
    @DisplayName(
            "GX-5 GX-17 a stage that a caller's body left pending: the handle ends CANCELLED, the stage is left alone")
    void end_callersStagePending_handleIsCancelled(Consumer<GroupExecutor> end) {
        GroupExecutor executor = full();
        CompletableFuture<String> stage = stage();
        TaskHandle<String> handle = executor.submitStage("a", "mine", () -> stage);

        end.accept(executor);

        assertThat(handle.isDone()).isTrue();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(handle).error()).isInstanceOf(CancellationException.class);
        assertThat(stage.isDone()).isFalse();
        stage.complete("late");
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-16 shutdownGroup leaves the stages of other groups' callers alone")
    void shutdownGroup_callersStageOfAnother_staysPending() {
        GroupExecutor executor = full();
        executor.submit("b", "holder", holder.holding("done"));
        CompletableFuture<String> stage = stage();
        TaskHandle<String> handle = executor.submitStage("b", "mine", () -> stage);

        executor.shutdownGroup("a");

        assertThat(handle.isDone()).isFalse();
        stage.complete("done");
        assertThat(resultOf(handle).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-17 shutdown with a time-out waits for a caller's stage as for any other; shutdown leaves it alone")
    void shutdownTimeout_callersStageEndsInTime_endsWithIt() {
        GroupExecutor executor = full();
        CompletableFuture<String> stage = stage();
        TaskHandle<String> handle = executor.submitStage("a", "mine", () -> stage);
        holder.open();
        AtomicBoolean doneAtEnd = new AtomicBoolean();
        AtomicBoolean answer = new AtomicBoolean();

        executor.shutdown();
        Thread closer = beside(() -> {
            answer.set(executor.shutdown(PATIENCE));
            doneAtEnd.set(handle.isDone());
        });
        eventually("it waits", () -> closer.getState() == Thread.State.TIMED_WAITING);
        assertThat(handle.isDone()).isFalse();
        stage.complete("done");

        awaitEnd(closer);
        assertThat(resultOf(handle).value()).isEqualTo("done");
        assertThat(doneAtEnd).isTrue();
        assertThat(answer).isTrue();
    }

    @Test
    @DisplayName("GX-17 a caller's body that returns its stage after the stop: the handle ends CANCELLED")
    void close_callersBodyStillRuns_laterStageIsCancelled() {
        GroupExecutor executor = full();
        CompletableFuture<String> stage = stage();
        AtomicReference<TaskHandle<String>> handle = new AtomicReference<>();
        Thread caller = beside(() -> handle.set(executor.submitStage("a", "mine", () -> {
            gate.passDeaf();
            return stage;
        })));
        gate.awaitArrival();
        Thread closer = beside(executor::close);
        holder.awaitInterrupt();

        gate.open();

        awaitEnd(caller);
        awaitEnd(closer);
        assertThat(handle.get().isDone()).isTrue();
        assertThat(statusOf(handle.get())).isEqualTo(TaskStatus.CANCELLED);
        assertThat(stage.isDone()).isFalse();
    }

    @Test
    @DisplayName("GX-17 close waits for a body that its caller runs, and does not interrupt it")
    void close_callersBody_isAwaitedAndNotInterrupted() {
        GroupExecutor executor = full();
        AtomicBoolean ended = new AtomicBoolean();
        Thread caller = beside(() -> executor.submit("a", "mine", () -> {
            gate.passDeaf();
            ended.set(true);
            return "done";
        }));
        gate.awaitArrival();
        AtomicBoolean endedAtClose = new AtomicBoolean();
        Thread closer = beside(() -> {
            executor.close();
            endedAtClose.set(ended.get());
        });

        holder.awaitInterrupt();
        eventually("close waits", () -> closer.getState() == Thread.State.TIMED_WAITING);
        gate.open();

        awaitEnd(closer);
        awaitEnd(caller);
        assertThat(endedAtClose).isTrue();
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-17 shutdown with a time-out: the answer is false while a caller runs a body, true after that")
    void shutdownTimeout_callersBody_isInTheAnswer() {
        GroupExecutor executor = full();
        Thread caller = beside(() -> executor.submit("a", "mine", gate.holdingDeaf("done")));
        gate.awaitArrival();

        assertThat(executor.shutdown(Duration.ofMillis(5))).isFalse();

        assertThat(gate.interrupts()).isZero();
        gate.open();
        awaitEnd(caller);
        assertThat(executor.shutdown(PATIENCE)).isTrue();
    }

    static Stream<Named<BiConsumer<GroupExecutor, AtomicInteger>>> bodiesThatClose() {
        return Stream.of(
                named(
                        "at a caller",
                        (executor, closed) -> executor.submit("a", "mine", () -> {
                            executor.close();
                            return closed.incrementAndGet();
                        })),
                named(
                        "at a caller that is such a body",
                        (executor, closed) -> executor.submit(
                                "a",
                                "outer",
                                () -> executor.submit("a", "inner", () -> {
                                    executor.close();
                                    return closed.incrementAndGet();
                                }))),
                named(
                        "at a caller that is a task",
                        (executor, closed) -> resultOf(executor.submit(
                                "b",
                                "outer",
                                () -> executor.submit("a", "inner", () -> {
                                    executor.close();
                                    return closed.incrementAndGet();
                                })))),
                named(
                        "that makes a stage",
                        (executor, closed) -> executor.submitStage("a", "mine", () -> {
                            executor.close();
                            closed.incrementAndGet();
                            return new CompletableFuture<>();
                        })));
    }

    @ParameterizedTest
    @MethodSource("bodiesThatClose")
    @DisplayName("GX-17 close from inside a body that its caller runs waits for the others, and not for that one")
    void close_fromInsideCallersBody_returns(BiConsumer<GroupExecutor, AtomicInteger> body) {
        GroupExecutor executor = full();
        AtomicInteger closed = new AtomicInteger();

        body.accept(executor, closed);

        assertThat(closed).hasValue(1);
        assertThat(isIdle(executor.stats())).isTrue();
    }

    @Test
    @DisplayName("GX-17 shutdown with a time-out from inside a body that its caller runs: that one still runs")
    void shutdownTimeout_fromInsideCallersBody_answersFalse() {
        GroupExecutor executor = full();
        holder.open();

        TaskHandle<Boolean> handle = executor.submit("a", "mine", () -> executor.shutdown(PATIENCE));

        assertThat(resultOf(handle).value()).isFalse();
    }

    @Test
    @DisplayName("GX-17 GX-18 close from onRejected, before the caller runs the body, returns")
    void close_fromOnRejected_returns() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        GroupExecutor executor = full(callerRuns().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onRejected(GroupTask<?> task) {
                self.get().close();
            }
        }));
        self.set(executor);

        assertThat(resultOf(executor.submit("a", "mine", () -> "done")).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-17 two callers' bodies that close at once do not wait for each other")
    void close_twoCallersAtOnce_bothEnd() {
        GroupExecutor executor = full();
        Runnable closing = () -> executor.submit("a", "mine", () -> {
            gate.passDeaf();
            executor.close();
            return "closed";
        });
        Thread first = beside(closing);
        Thread second = beside(closing);
        gate.awaitArrivals(2);

        gate.open();

        awaitEnd(first);
        awaitEnd(second);
    }

    @Test
    @DisplayName("GX-10 GX-17 a caller's body that throws an Error is over")
    void close_callersBodyThrew_returns() {
        GroupExecutor executor = full();

        TaskHandle<String> handle = executor.submit("a", "mine", () -> {
            throw new StackOverflowError("made up");
        });

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.FAILED);
        executor.close();
        assertThatThrownBy(() -> executor.submit("a", "late", () -> "never")).isInstanceOf(IllegalStateException.class);
    }

    static Stream<Named<BiConsumer<TaskHandle<?>, CompletableFuture<?>>>> endsOfAStage() {
        return Stream.of(
                named("the stage ends", (handle, stage) -> stage.complete(null)),
                named("the stage fails", (handle, stage) -> stage.completeExceptionally(new IllegalStateException())),
                named("the handle is cancelled", (handle, stage) -> handle.cancel(false)),
                named(
                        "its future is cancelled",
                        (handle, stage) -> handle.toCompletableFuture().cancel(false)));
    }

    @ParameterizedTest
    @MethodSource("endsOfAStage")
    @DisplayName("GX-10 a caller's stage that is over is not retained")
    void submitStage_callersStageOver_isNotRetained(BiConsumer<TaskHandle<?>, CompletableFuture<?>> end) {
        GroupExecutor executor = full();

        WeakReference<TaskHandle<String>> ended = ended(executor, end);

        eventually("the handle is collected", () -> {
            System.gc();
            return ended.get() == null;
        });
        assertThat(executor.stats().inFlight())
                .as("the executor is still there")
                .isEqualTo(1);
    }

    private static WeakReference<TaskHandle<String>> ended(
            GroupExecutor executor, BiConsumer<TaskHandle<?>, CompletableFuture<?>> end) {
        CompletableFuture<String> stage = new CompletableFuture<>();
        TaskHandle<String> handle = executor.submitStage("a", "mine", () -> stage);
        end.accept(handle, stage);
        assertThat(handle.isDone()).isTrue();
        return new WeakReference<>(handle);
    }
}
