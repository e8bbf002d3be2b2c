package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExecuteAllTest extends GroupExecutorContract {
    private static GroupTask<String> task(String group, String id, Callable<String> body) {
        return new GroupTask<>(group, id, body);
    }

    private static GroupTask<String> task(String group, String id) {
        return task(group, id, () -> id);
    }

    @Test
    @DisplayName("GX-13 one result per task, in the order of the input")
    void executeAll_manyGroups_resultsInInputOrder() {
        GroupExecutor executor = executor();
        List<GroupTask<String>> tasks = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ids.add("t" + i);
            tasks.add(task(List.of("a", "b", "c").get(i * i % 3), "t" + i));
        }

        List<GroupResult<String>> results = executor.executeAll(tasks);

        assertThat(results).extracting(GroupResult::taskId).isEqualTo(ids);
        assertThat(results).extracting(GroupResult::value).isEqualTo(ids);
    }

    @Test
    @DisplayName("GX-13 no tasks, no results")
    void executeAll_empty_isEmpty() {
        assertThat(executor().<String>executeAll(List.of())).isEmpty();
    }

    @Test
    @DisplayName("GX-13 the same task twice is two tasks")
    void executeAll_sameTaskTwice_runsTwice() {
        Meter meter = new Meter();
        GroupTask<Object> task = new GroupTask<>("a", "1", () -> meter.around(null));

        assertThat(executor().executeAll(List.of(task, task))).hasSize(2);

        assertThat(meter.entries()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-13 never fail-fast: a failure, an Error and a cancelled body do not stop the others")
    void executeAll_someFail_othersRun() {
        List<GroupResult<String>> results = executor()
                .executeAll(List.of(
                        task("a", "1", () -> {
                            throw new IllegalStateException("failed");
                        }),
                        task("a", "2"),
                        task("a", "3", () -> {
                            throw new AssertionError("failed");
                        }),
                        task("b", "4", () -> {
                            throw new InterruptedException();
                        }),
                        task("b", "5")));

        assertThat(results)
                .extracting(GroupResult::status)
                .containsExactly(
                        TaskStatus.FAILED,
                        TaskStatus.SUCCESS,
                        TaskStatus.FAILED,
                        TaskStatus.CANCELLED,
                        TaskStatus.SUCCESS);
        assertThat(Thread.currentThread().isInterrupted())
                .as("flag of the caller")
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORT", "DISCARD"})
    @DisplayName("GX-13 a refusal is a result, under ABORT too")
    void executeAll_refusals_areRejected(RejectionPolicy policy) {
        GroupExecutor executor = executor(noWaiting().rejectionPolicy(policy));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));

        List<GroupResult<String>> results =
                executor.executeAll(List.of(task("a", "1"), task("b", "2"), task("a", "3")));

        assertThat(results)
                .extracting(GroupResult::status)
                .containsExactly(TaskStatus.REJECTED, TaskStatus.SUCCESS, TaskStatus.REJECTED);
        assertThat(results).extracting(GroupResult::taskId).containsExactly("1", "2", "3");
        assertThat(results.get(0).durationNanos()).isZero();
    }

    @Test
    @DisplayName("GX-9 GX-13 CALLER_RUNS: the caller runs what is refused")
    void executeAll_callerRuns_callerRunsTheRefused() {
        GroupExecutor executor = executor(noWaiting().rejectionPolicy(RejectionPolicy.CALLER_RUNS));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        AtomicReference<Thread> thread = new AtomicReference<>();

        List<GroupResult<String>> results = executor.executeAll(List.of(task("a", "1", () -> {
            thread.set(Thread.currentThread());
            return "mine";
        })));

        assertThat(thread).hasValue(Thread.currentThread());
        assertThat(results).extracting(GroupResult::value).containsExactly("mine");
    }

    @Test
    @DisplayName(
            "GX-13 the caller is interrupted: the rest is cancelled, waiting tasks first, and the flag is restored")
    void executeAll_callerInterrupted_cancelsTheRest() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        Meter late = new Meter();
        List<GroupTask<String>> tasks =
                new ArrayList<>(List.of(task("a", "ended"), task("a", "running", gate.holding("x"))));
        for (int i = 0; i < 200; i++) {
            tasks.add(task("a", "waiting", () -> {
                late.enter();
                return "never";
            }));
        }
        AtomicReference<List<GroupResult<String>>> results = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread caller = beside(() -> {
            results.set(executor.executeAll(tasks));
            flag.set(Thread.currentThread().isInterrupted());
        });
        gate.awaitArrival();
        eventually("all are submitted", () -> executor.stats().waiting() == 200);

        caller.interrupt();

        awaitEnd(caller);
        assertThat(flag).as("flag of the caller").isTrue();
        assertThat(results.get()).hasSize(202);
        assertThat(results.get().get(0).status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(results.get().subList(1, 202))
                .allSatisfy(result -> assertThat(result.status()).isEqualTo(TaskStatus.CANCELLED));
        assertThat(late.entries()).as("waiting tasks that ran").isZero();
    }

    @Test
    @DisplayName("GX-11 GX-13 the caller interrupted: a body that is deaf to it is waited for, and is what it returned")
    void executeAll_callerInterruptedBodyDeaf_waitsForIt() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        AtomicReference<List<GroupResult<String>>> results = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread caller = beside(() -> {
            results.set(
                    executor.executeAll(List.of(task("a", "deaf", gate.holdingDeaf("done")), task("a", "waiting"))));
            flag.set(Thread.currentThread().isInterrupted());
        });
        gate.awaitArrival();
        eventually("all are submitted", () -> executor.stats().waiting() == 1);

        caller.interrupt();
        gate.awaitInterrupt();
        assertThat(executor.stats().waiting())
                .as("cancelled before the running one")
                .isZero();
        gate.open();

        awaitEnd(caller);
        assertThat(flag).isTrue();
        assertThat(results.get())
                .extracting(GroupResult::status)
                .containsExactly(TaskStatus.SUCCESS, TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-13 a caller that comes interrupted still gets one result per task, and keeps its flag")
    void executeAll_callerInterruptedBefore_resultPerTask() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2));
        Gate gate = gate();
        Thread.currentThread().interrupt();

        List<GroupResult<String>> results = executor.executeAll(
                List.of(task("a", "1", gate.holding("x")), task("a", "2", gate.holding("x")), task("a", "3")));

        assertThat(Thread.interrupted()).as("flag of the caller").isTrue();
        assertThat(results)
                .extracting(GroupResult::status)
                .containsExactly(TaskStatus.CANCELLED, TaskStatus.CANCELLED, TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-13 a null element is misuse before anything is submitted")
    void executeAll_nullElement_submitsNothing() {
        RecordingListener listener = new RecordingListener();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));

        assertThatThrownBy(() -> executor.executeAll(Arrays.asList(task("a", "1"), task("a", "2"), null)))
                .isInstanceOf(NullPointerException.class);

        assertThat(listener.tasks).isEmpty();
        assertThat(executor.stats().submitted()).isZero();
        assertThat(executor.stats().groups()).isZero();
    }

    @Test
    @DisplayName("GX-13 a task may run a batch in other groups")
    void executeAll_fromInsideATask_runs() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(2));

        List<GroupResult<Integer>> results = executor.executeAll(List.of(new GroupTask<>(
                "a",
                "outer",
                () -> executor.executeAll(List.of(task("b", "1"), task("b", "2"), task("c", "3")))
                        .size())));

        assertThat(results).extracting(GroupResult::value).containsExactly(3);
    }

    @Test
    @DisplayName("GX-13 GX-17 GX-18 a shutdown in the middle: the rest is refused, to the caller and to the listener")
    void executeAll_shutdownMeanwhile_restIsRejected() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        List<String> told = new CopyOnWriteArrayList<>();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onSubmitted(GroupTask<?> task) {
                if (task.taskId().equals("2")) {
                    self.get().shutdown();
                }
            }

            @Override
            public void onRejected(GroupTask<?> task) {
                told.add(task.taskId());
            }
        }));
        self.set(executor);

        List<GroupResult<String>> results = executor.executeAll(Stream.of("1", "2", "3")
                .map(id -> new GroupTask<>("a", id, () -> "done"))
                .toList());

        assertThat(results)
                .extracting(GroupResult::status)
                .containsExactly(TaskStatus.SUCCESS, TaskStatus.REJECTED, TaskStatus.REJECTED);
        assertThat(results.get(1).error())
                .isInstanceOfSatisfying(
                        RejectedTaskException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo("GX_ERR_SHUTDOWN"));
        assertThat(told).containsExactly("2");
    }
}
