package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShutdownGroupTest extends GroupExecutorContract {
    private final Gate gate = gate();

    private static void assertCancelled(List<? extends TaskHandle<?>> handles) {
        assertThat(handles).allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED));
    }

    @Test
    @DisplayName(
            "GX-16 the running tasks are interrupted, the waiting ones end unrun, all CANCELLED; other groups go on")
    void shutdownGroup_busy_cancelsAllOfItAndNothingElse() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(3));
        Gate other = gate();
        Meter runs = new Meter();
        List<TaskHandle<?>> handles = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            handles.add(executor.submit("a", "running", gate.holding("never")));
        }
        for (int i = 0; i < 100; i++) {
            handles.add(executor.submit("a", "waiting", () -> runs.around(null)));
        }
        TaskHandle<String> otherRunning = executor.submit("b", "running", other.holding("done"));
        gate.awaitArrivals(3);
        other.awaitArrival();

        executor.shutdownGroup("a");

        assertCancelled(handles);
        assertThat(runs.entries()).isZero();
        assertThat(otherRunning.isDone()).isFalse();
        other.open();
        assertThat(statusOf(otherRunning)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(other.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-16 the group can be used again, and its next task sees no interrupt")
    void shutdownGroup_usedAgain_runs() {
        GroupExecutor executor = executor();
        for (int i = 0; i < 500; i++) {
            Gate own = new Gate();
            TaskHandle<String> running = executor.submit("a", "running", own.holding("never"));
            if (i % 2 == 0) {
                own.awaitArrival();
            }

            executor.shutdownGroup("a");
            TaskHandle<Boolean> next =
                    executor.submit("a", "next", () -> Thread.currentThread().isInterrupted());

            assertThat(statusOf(running)).as("round %d", i).isEqualTo(TaskStatus.CANCELLED);
            assertThat(statusOf(next)).isEqualTo(TaskStatus.SUCCESS);
            assertThat(resultOf(next).value()).isFalse();
        }
    }

    @Test
    @DisplayName("GX-16 GX-3 it does not wait; limits hold until the old bodies have really ended")
    void shutdownGroup_deafBody_keepsItsPlace() {
        GroupExecutor executor = executor();
        TaskHandle<String> deaf = executor.submit("a", "deaf", gate.holdingDeaf("done"));
        gate.awaitArrival();

        executor.shutdownGroup("a");
        gate.awaitInterrupt();
        TaskHandle<String> next = executor.submit("a", "next", () -> "next");

        assertThat(deaf.isDone()).isFalse();
        assertThat(next.isDone()).isFalse();
        assertThat(busy(executor, "a").running()).isEqualTo(1);
        assertThat(busy(executor, "a").waiting()).isEqualTo(1);
        gate.open();
        resultOf(deaf);
        assertThat(resultOf(next).value()).isEqualTo("next");
    }

    @Test
    @DisplayName("GX-15 GX-16 called from inside a task of the group, it interrupts that task too and returns")
    void shutdownGroup_fromInsideTask_returns() {
        GroupExecutor executor = executor();
        TaskHandle<Boolean> inside = executor.submit("a", "inside", () -> {
            gate.pass();
            executor.shutdownGroup("a");
            return Thread.currentThread().isInterrupted();
        });
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");

        gate.open();

        assertThat(resultOf(inside).value()).isTrue();
        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(executor.submit(
                                "a", "next", () -> Thread.currentThread().isInterrupted()))
                        .value())
                .isFalse();
    }

    @Test
    @DisplayName("GX-10 GX-15 GX-16 called by a listener for each of thousands that wait, it still ends them all")
    void shutdownGroup_fromOnCompletedOfManyWaiting_endsAll() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                self.get().shutdownGroup("a");
            }
        }));
        self.set(executor);
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            handles.add(executor.submit("a", "task", gate.holding("never")));
        }
        gate.awaitArrival();

        executor.shutdownGroup("a");

        eventually("all have ended", () -> handles.stream().allMatch(TaskHandle::isDone));
        assertCancelled(handles);
    }

    @Test
    @DisplayName("GX-16 the waiting ones give their permits back, in the group and in all")
    void shutdownGroup_waiting_freesPlaces() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().globalQueueThreshold(2).rejectionPolicy(RejectionPolicy.DISCARD));
        Gate other = gate();
        executor.submit("b", "holder", other.holding("done"));
        TaskHandle<String> running = executor.submit("a", "running", gate.holding("never"));
        executor.submit("a", "waiting", () -> "never");
        executor.submit("a", "waiting", () -> "never");

        executor.shutdownGroup("a");
        assertThat(statusOf(running)).isEqualTo(TaskStatus.CANCELLED);
        TaskHandle<String> first = executor.submit("b", "1", () -> "done");
        TaskHandle<String> second = executor.submit("b", "2", () -> "done");
        other.open();

        assertThat(statusOf(first)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(statusOf(second)).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-16 GX-7 a group that waits for a global permit ends too, and the next head starts")
    void shutdownGroup_waitingForGlobalPlace_endsAndLetsNextStart() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        executor.submit("x", "holder", gate.holding("done"));
        TaskHandle<String> head = executor.submit("a", "1", () -> "never");
        TaskHandle<String> next = executor.submit("b", "2", () -> "done");

        executor.shutdownGroup("a");

        assertThat(statusOf(head)).isEqualTo(TaskStatus.CANCELLED);
        gate.open();
        assertThat(statusOf(next)).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-16 a group that is idle or unknown is left as it is")
    void shutdownGroup_idleOrUnknown_doesNothing() {
        GroupExecutor executor = executor();
        executor.shutdownGroup("a");
        assertThat(executor.stats().groups()).isZero();
        resultOf(executor.submit("a", "1", () -> 1));

        executor.shutdownGroup("a");

        assertThat(resultOf(executor.submit("a", "2", () -> 2)).value()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-16 GX-18 the waiting ones are told as submitted and completed, the running one as started too")
    void shutdownGroup_busy_listenerHearsTheEnds() {
        RecordingListener listener = new RecordingListener();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        TaskHandle<String> running = executor.submit("a", "running", gate.holding("never"));
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");
        gate.awaitArrival();

        executor.shutdownGroup("a");

        assertCancelled(List.of(running, waiting));
        assertThat(listener.of("running")).containsExactly("submitted", "started", "completed CANCELLED");
        assertThat(listener.of("waiting")).containsExactly("submitted", "completed CANCELLED");
    }
}
