package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ListenerTest extends GroupExecutorContract {
    private final Gate gate = gate();
    private final RecordingListener listener = new RecordingListener();

    @Test
    @DisplayName("GX-18 submitted, started, completed: in this order, each once, for every task that runs")
    void callbacks_manyTasks_inOrderAndOnce() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2).taskLifecycleListener(listener));
        List<TaskHandle<Integer>> handles = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            handles.add(executor.submit(List.of("a", "b").get(i % 2), "t" + i, () -> {
                if (number % 3 == 0) {
                    throw new IllegalStateException("failed");
                }
                return number;
            }));
        }

        for (int i = 0; i < handles.size(); i++) {
            TaskStatus status = statusOf(handles.get(i));
            assertThat(listener.of("t" + i)).containsExactly("submitted", "started", "completed " + status);
        }
    }

    @Test
    @DisplayName("GX-18 cancelled while waiting: submitted and completed, never started")
    void callbacks_cancelledWhileWaiting_neverStarted() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        executor.submit("a", "holder", gate.holding("done"));
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");

        waiting.cancel(true);

        assertThat(listener.of("waiting")).containsExactly("submitted", "completed CANCELLED");
    }

    @Test
    @DisplayName("GX-18 cancelled while running: completed when the body has ended")
    void callbacks_cancelledWhileRunning_completedOnce() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        TaskHandle<String> running = executor.submit("a", "running", gate.holding("never"));
        gate.awaitArrival();
        assertThat(listener.of("running")).containsExactly("submitted", "started");

        running.cancel(true);

        resultOf(running);
        assertThat(listener.of("running")).containsExactly("submitted", "started", "completed CANCELLED");
    }

    @Test
    @DisplayName("GX-18 callbacks are given the task that was submitted and the result that the handle gives")
    void callbacks_given_taskAndResult() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        GroupTask<String> task = new GroupTask<>("a", "1", () -> "value");

        GroupResult<String> result = resultOf(executor.submit(task));

        assertThat(listener.tasks)
                .hasSize(3)
                .allSatisfy(given -> assertThat(given).isEqualTo(task));
        assertThat(listener.results.get("1")).isEqualTo(result);
    }

    @Test
    @DisplayName("GX-18 tasks of a batch and tasks that make stages are told as well")
    void callbacks_batchAndStage_areTold() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));

        executor.executeAll(List.of(new GroupTask<>("a", "batch", () -> 1)));
        resultOf(executor.submitStage("a", "stage", () -> {
            var stage = this.<String>stage();
            stage.complete("done");
            return stage;
        }));

        assertThat(listener.of("batch")).containsExactly("submitted", "started", "completed SUCCESS");
        assertThat(listener.of("stage")).containsExactly("submitted", "started", "completed SUCCESS");
    }

    @Test
    @DisplayName("GX-18 what callbacks throw is swallowed: every task still ends as it would have")
    void callbacks_throw_areSwallowed() {
        for (Throwable thrown : List.of(
                new IllegalStateException("listener"),
                new IOException("listener"),
                new AssertionError("listener"),
                new StackOverflowError(),
                new InterruptedException())) {
            GroupExecutor executor = executor(noWaiting().taskLifecycleListener(new Throwing(thrown)));
            Gate own = gate();
            TaskHandle<String> running = executor.submit("a", "1", own.holding("done"));
            TaskHandle<String> refused = executor.submit("a", "2", () -> "never");
            TaskHandle<String> other = executor.submit("b", "3", () -> "done");

            assertThat(statusOf(refused)).isEqualTo(TaskStatus.REJECTED);
            assertThat(statusOf(other)).isEqualTo(TaskStatus.SUCCESS);
            own.open();
            assertThat(statusOf(running)).isEqualTo(TaskStatus.SUCCESS);
            assertThat(isIdle(executor.stats())).isTrue();
        }
    }

    private record Throwing(Throwable thrown) implements TaskLifecycleListener {
        @Override
        public void onSubmitted(GroupTask<?> task) {
            throw sneaky(thrown);
        }

        @Override
        public void onStarted(GroupTask<?> task) {
            throw sneaky(thrown);
        }

        @Override
        public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
            throw sneaky(thrown);
        }

        @Override
        public void onRejected(GroupTask<?> task) {
            throw sneaky(thrown);
        }
    }

    @Test
    @DisplayName("GX-18 a cancel of a waiting task whose onCompleted throws answers as it would have")
    void cancel_waitingAndListenerThrows_answersTrue() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().taskLifecycleListener(new Throwing(new AssertionError("listener"))));
        executor.submit("a", "holder", gate.holding("done"));
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");

        assertThat(waiting.cancel(false)).isTrue();

        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-18 every callback is optional")
    void callbacks_noneOverridden_isFine() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {}));

        assertThat(resultOf(executor.submit("a", "1", () -> "done")).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-18 a callback may submit the next task, to the same group too")
    void onCompleted_submitsNext_chainRuns() throws InterruptedException {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        AtomicInteger left = new AtomicInteger(1_000);
        CountDownLatch over = new CountDownLatch(1);
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                if (left.decrementAndGet() >= 0) {
                    self.get().submit(left.get() % 2 == 0 ? "a" : "b", "next", () -> "done");
                } else {
                    over.countDown();
                }
            }
        }));
        self.set(executor);

        executor.submit("a", "first", () -> "done");

        assertThat(over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        eventually("idle", () -> isIdle(executor.stats()));
        assertThat(executor.stats().completed()).isEqualTo(1_001);
    }

    @Test
    @DisplayName("GX-18 a callback that blocks holds up nobody but its own task")
    void callbacks_block_othersGoOn() {
        for (String event : List.of("submitted", "started", "completed")) {
            Gate blocked = gate();
            GroupExecutor executor = executor(GroupPolicy.builder()
                    .defaultMaxConcurrencyPerGroup(2)
                    .taskLifecycleListener(new Blocking(event, blocked)));
            Thread submitter = beside(() -> executor.submit("a", "blocked", () -> "done"));
            blocked.awaitArrival();

            assertThat(resultOf(executor.submit("a", "same group", () -> 1)).value())
                    .as(event)
                    .isEqualTo(1);
            assertThat(resultOf(executor.submit("b", "other group", () -> 2)).value())
                    .as(event)
                    .isEqualTo(2);
            executor.evictGroup("a");
            executor.stats();

            blocked.open();
            awaitEnd(submitter);
        }
    }

    private record Blocking(String event, Gate gate) implements TaskLifecycleListener {
        private void on(String happened, GroupTask<?> task) {
            if (happened.equals(event) && task.taskId().equals("blocked")) {
                gate.passDeaf();
            }
        }

        @Override
        public void onSubmitted(GroupTask<?> task) {
            on("submitted", task);
        }

        @Override
        public void onStarted(GroupTask<?> task) {
            on("started", task);
        }

        @Override
        public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
            on("completed", task);
        }
    }
}
