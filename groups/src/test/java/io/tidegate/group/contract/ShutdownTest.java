package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shutdown, with and without a time-out. */
class ShutdownTest extends GroupExecutorContract {
    private final Gate gate = gate();

    static Stream<Named<Consumer<GroupExecutor>>> waysToShutDown() {
        return Stream.of(
                named("shutdown", GroupExecutor::shutdown),
                named("shutdown with a time-out", executor -> executor.shutdown(Duration.ZERO)),
                named("close", GroupExecutor::close));
    }

    @ParameterizedTest
    @MethodSource("waysToShutDown")
    @DisplayName("GX-17 after shutdown nothing is accepted: an IllegalStateException, whatever the policy")
    void submit_afterShutdown_throws(Consumer<GroupExecutor> shutDown) {
        for (RejectionPolicy policy : RejectionPolicy.values()) {
            RecordingListener listener = new RecordingListener();
            GroupExecutor executor =
                    executor(GroupPolicy.builder().rejectionPolicy(policy).taskLifecycleListener(listener));
            resultOf(executor.submit("a", "before", () -> "done"));

            shutDown.accept(executor);

            GroupTask<String> task = new GroupTask<>("a", "after", () -> "never");
            assertThatThrownBy(() -> executor.submit(task)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> executor.submit("b", "after", () -> "never"))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> executor.submitStage("a", "after", () -> CompletableFuture.completedFuture("x")))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> executor.executeAll(List.of(task))).isInstanceOf(IllegalStateException.class);
            assertThat(listener.of("after")).doesNotContain("started");
            assertThat(executor.stats().submitted()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("waysToShutDown")
    @DisplayName("GX-17 every way to shut down may follow every other, again and again")
    void shutdown_again_changesNothing(Consumer<GroupExecutor> first) {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = executor.submit("a", "1", () -> "done");
        resultOf(handle);

        first.accept(executor);
        executor.shutdown();
        assertThat(executor.shutdown(Duration.ZERO)).isTrue();
        executor.close();
        executor.close();
        assertThat(executor.shutdown(Duration.ofSeconds(1))).isTrue();
        executor.shutdown();
        executor.shutdownGroup("a");
        executor.evictGroup("a");

        assertThat(resultOf(handle).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-17 shutdown does not wait, and lets accepted tasks end, running and waiting, in their order")
    void shutdown_busy_acceptedTasksEnd() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(2));
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            handles.add(executor.submit(List.of("a", "b", "c").get(i % 3), "task", gate.holding("done")));
        }

        executor.shutdown();

        assertThat(handles).noneMatch(TaskHandle::isDone);
        gate.open();
        assertThat(handles).allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.SUCCESS));
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-17 a task may still wait to be cancelled after shutdown")
    void cancel_afterShutdown_works() {
        GroupExecutor executor = executor();
        executor.submit("a", "running", gate.holding("done"));
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");
        executor.shutdown();

        assertThat(waiting.cancel(false)).isTrue();

        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-17 a task that submits after shutdown sees the exception, too")
    void submit_fromInsideTaskAfterShutdown_throws() {
        GroupExecutor executor = executor();
        TaskHandle<TaskHandle<String>> handle = executor.submit("a", "outer", () -> {
            gate.pass();
            return executor.submit("b", "inner", () -> "never");
        });
        gate.awaitArrival();
        executor.shutdown();

        gate.open();

        assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(resultOf(handle).error()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("GX-17 shutdown with a time-out waits for what ends in time, and answers true")
    void shutdownTimeout_tasksEndInTime_answersTrue() {
        GroupExecutor executor = executor();
        TaskHandle<String> running = executor.submit("a", "1", gate.holding("done"));
        TaskHandle<String> waiting = executor.submit("a", "2", () -> "done");
        gate.awaitArrival();
        executor.shutdown();
        Thread opener = beside(gate::open);

        assertThat(executor.shutdown(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();

        assertThat(running.isDone()).isTrue();
        assertThat(waiting.isDone()).isTrue();
        assertThat(statusOf(running)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.SUCCESS);
        awaitEnd(opener);
    }

    @Test
    @DisplayName("GX-17 shutdown with a time-out interrupts what is late, and answers false while a body still runs")
    void shutdownTimeout_deafBody_interruptsAndAnswersFalse() {
        GroupExecutor executor = executor();
        Meter runs = new Meter();
        TaskHandle<String> deaf = executor.submit("a", "1", gate.holdingDeaf("done"));
        TaskHandle<Object> waiting = executor.submit("a", "2", () -> runs.around(null));
        gate.awaitArrival();

        assertThat(executor.shutdown(Duration.ofMillis(5))).isFalse();

        gate.awaitInterrupt();
        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(deaf.isDone()).isFalse();
        gate.open();
        assertThat(executor.shutdown(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
        assertThat(resultOf(deaf).value()).isEqualTo("done");
        assertThat(runs.entries()).isZero();
    }

    @Test
    @DisplayName("GX-17 shutdown with a time-out answers true if and only if no body still runs")
    void shutdownTimeout_interruptibleBodies_answerIsTrueToTheFacts() {
        for (int i = 0; i < 100; i++) {
            GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(
                    GroupPolicy.builder().defaultMaxConcurrencyPerGroup(4).build());
            Gate own = new Gate();
            Meter inside = new Meter();
            List<TaskHandle<?>> handles = new ArrayList<>();
            for (int n = 0; n < 6; n++) {
                handles.add(executor.submit("a", "task", () -> inside.around(own.holding("never"))));
            }

            boolean ended = executor.shutdown(Duration.ZERO);

            if (ended) {
                assertThat(inside.inside())
                        .as("bodies still inside in round %d", i)
                        .isZero();
            }
            assertThat(handles)
                    .allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED));
        }
    }

    @Test
    @DisplayName("GX-17 any time-out will do, and with nothing to wait for the answer is true at once")
    void shutdownTimeout_idle_answersTrueAtOnce() {
        assertThat(executor().shutdown(Duration.ZERO)).isTrue();
        assertThat(executor().shutdown(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
                .isTrue();
        assertThat(executor().shutdown(Duration.ofSeconds(Long.MIN_VALUE))).isTrue();
        GroupExecutor used = executor();
        resultOf(used.submit("a", "1", () -> 1));
        assertThat(used.shutdown(Duration.ofDays(365_000))).isTrue();
    }

    @Test
    @DisplayName("GX-17 close interrupts all and returns when they have ended")
    void close_busy_interruptsAllAndWaits() {
        GroupExecutor executor = executor();
        Gate cleanUp = gate();
        Meter runs = new Meter();
        AtomicBoolean ended = new AtomicBoolean();
        TaskHandle<String> running = executor.submit("a", "running", () -> {
            try {
                gate.pass();
                return "never";
            } finally {
                cleanUp.passDeaf();
                ended.set(true);
            }
        });
        TaskHandle<Object> waiting = executor.submit("a", "waiting", () -> runs.around(null));
        TaskHandle<String> other = executor.submit("b", "running", gate.holding("never"));
        gate.awaitArrivals(2);
        AtomicBoolean endedAtClose = new AtomicBoolean();
        Thread closer = beside(() -> {
            executor.close();
            endedAtClose.set(ended.get() && running.isDone() && waiting.isDone() && other.isDone());
        });

        cleanUp.awaitArrival();
        assertThat(closer.isAlive()).isTrue();
        cleanUp.open();

        awaitEnd(closer);
        assertThat(endedAtClose).isTrue();
        assertThat(List.of(running, waiting, other))
                .allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED));
        assertThat(runs.entries()).isZero();
        assertThat(executor.stats().groups()).isZero();
    }

    @Test
    @DisplayName("GX-17 close after shutdown still interrupts")
    void close_afterShutdown_interrupts() {
        GroupExecutor executor = executor();
        TaskHandle<String> running = executor.submit("a", "running", gate.holding("never"));
        gate.awaitArrival();
        executor.shutdown();

        executor.close();

        assertThat(running.isDone()).isTrue();
        assertThat(statusOf(running)).isEqualTo(TaskStatus.CANCELLED);
    }
}
