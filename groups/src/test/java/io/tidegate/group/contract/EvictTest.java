package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvictTest extends GroupExecutorContract {
    private final Gate gate = gate();

    @Test
    @DisplayName("GX-15 an idle group is forgotten at once")
    void evictGroup_idle_isForgottenAtOnce() {
        GroupExecutor executor = executor();
        resultOf(executor.submit("a", "1", () -> 1));
        resultOf(executor.submit("b", "1", () -> 1));

        executor.evictGroup("a");

        assertThat(executor.groupStats("a")).isEmpty();
        assertThat(executor.stats().groups()).isLessThanOrEqualTo(1);
        assertThat(resultOf(executor.submit("a", "2", () -> 2)).value()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-15 GX-10 a group is idle, and can be forgotten at once, when the handle of its last task is done")
    void evictGroup_lastHandleDone_isForgottenAtOnce() {
        GroupExecutor executor = executor();
        for (int i = 0; i < 5_000; i++) {
            resultOf(executor.submit("a", "task", () -> 1));
            executor.evictGroup("a");
            assertThat(executor.groupStats("a")).as("round %d", i).isEmpty();
        }
    }

    @Test
    @DisplayName("GX-15 evicting a group that is not there does nothing, twice is once")
    void evictGroup_unknown_doesNothing() {
        GroupExecutor executor = executor();

        executor.evictGroup("a");
        executor.evictGroup("a");

        assertThat(executor.groupStats("a")).isEmpty();
        assertThat(executor.stats().groups()).isZero();
    }

    @Test
    @DisplayName(
            "GX-15 a busy group is forgotten as soon as it is idle; until then its limits hold, for later tasks too")
    void evictGroup_busy_keepsLimitsUntilIdle() {
        AtomicInteger limit = new AtomicInteger(1);
        GroupExecutor executor = executor(GroupPolicy.builder().concurrencyResolver(key -> limit.get()));
        TaskHandle<String> running = executor.submit("a", "1", gate.holding("done"));
        TaskHandle<String> waiting = executor.submit("a", "2", gate.holding("done"));
        gate.awaitArrival();
        limit.set(3);

        executor.evictGroup("a");
        TaskHandle<String> later = executor.submit("a", "3", gate.holding("done"));

        assertThat(busy(executor, "a").maxConcurrency()).isEqualTo(1);
        assertThat(busy(executor, "a").running()).isEqualTo(1);
        assertThat(busy(executor, "a").waiting()).isEqualTo(2);
        assertThat(running.isDone()).isFalse();
        gate.open();
        assertThat(statusOf(running)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(statusOf(later)).isEqualTo(TaskStatus.SUCCESS);
        eventually("group is forgotten", () -> executor.groupStats("a").isEmpty());

        Gate next = gate();
        executor.submit("a", "4", next.holding("done"));
        assertThat(busy(executor, "a").maxConcurrency()).isEqualTo(3);
    }

    @Test
    @DisplayName("GX-15 evictGroup may be called from inside a task of the group, and does not wait")
    void evictGroup_fromInsideTask_returns() {
        AtomicInteger limit = new AtomicInteger(1);
        GroupExecutor executor = executor(GroupPolicy.builder().concurrencyResolver(key -> limit.getAndIncrement()));
        TaskHandle<Integer> handle = executor.submit("a", "1", () -> {
            executor.evictGroup("a");
            return busy(executor, "a").maxConcurrency();
        });

        assertThat(resultOf(handle).value()).isEqualTo(1);
        eventually("group is forgotten", () -> executor.stats().groups() == 0);
        TaskHandle<Integer> next =
                executor.submit("a", "2", () -> busy(executor, "a").maxConcurrency());
        assertThat(resultOf(next).value()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"submitted", "started", "completed", "rejected"})
    @DisplayName("GX-15 evictGroup and shutdownGroup may be called from every callback of a listener of the group")
    void evictGroupAndShutdownGroup_fromListener_return(String callback) {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        AtomicInteger calls = new AtomicInteger();
        GroupExecutor executor = executor(noWaiting().taskLifecycleListener(new TaskLifecycleListener() {
            private void on(String event, GroupTask<?> task) {
                if (event.equals(callback)) {
                    self.get().evictGroup(task.groupKey());
                    self.get().shutdownGroup(task.groupKey());
                    calls.incrementAndGet();
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

            @Override
            public void onRejected(GroupTask<?> task) {
                on("rejected", task);
            }
        }));
        self.set(executor);
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            handles.add(executor.submit("a", "task", gate.holding("done")));
        }

        gate.open();

        assertThat(handles).allSatisfy(handle -> assertThat(statusOf(handle)).isNotEqualTo(TaskStatus.FAILED));
        assertThat(calls).hasPositiveValue();
        eventually("idle", () -> isIdle(executor.stats()));
    }

    @Test
    @DisplayName("GX-15 GX-3 limits hold while a group is evicted again and again under load")
    void evictGroup_underLoad_limitsHold() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2).globalMaxInFlight(3));
        Meter a = new Meter();
        Meter all = new Meter();
        AtomicBoolean over = new AtomicBoolean();
        Thread evictor = beside(() -> {
            while (!over.get()) {
                executor.evictGroup("a");
                executor.evictGroup("b");
            }
        });
        List<Thread> submitters = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            submitters.add(beside(() -> {
                for (int n = 0; n < 30_000; n++) {
                    TaskHandle<Object> first = executor.submit("a", "task", () -> all.around(() -> a.around(null)));
                    TaskHandle<Object> second = executor.submit("b", "task", () -> all.around(null));
                    if (n % 3 == 0) {
                        resultOf(first);
                        resultOf(second);
                    }
                }
            }));
        }

        submitters.forEach(GroupExecutorContract::awaitEnd);
        eventually("idle", () -> isIdle(executor.stats()));
        over.set(true);
        awaitEnd(evictor);
        assertThat(a.highest()).isLessThanOrEqualTo(2);
        assertThat(all.highest()).isLessThanOrEqualTo(3);
        assertThat(all.entries()).isEqualTo(120_000);
    }

    @Test
    @DisplayName("GX-15 groupStats is empty for a group never used")
    void groupStats_unknown_isEmpty() {
        GroupExecutor executor = executor();

        assertThat(executor.groupStats("a")).isEmpty();
        assertThat(executor.stats().groups()).as("asking makes no group").isZero();
    }

    @Test
    @DisplayName("GX-15 groupStats is present while a task of the group runs, waits, or its stage is pending")
    void groupStats_busy_isPresent() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        CompletableFuture<String> stage = stage();
        executor.submitStage("a", "pending", () -> stage);

        executor.submit("b", "waiting", () -> "done");

        assertThat(executor.groupStats("a")).isPresent();
        assertThat(executor.groupStats("b")).isPresent();
    }

    @Test
    @DisplayName("GX-15 evictIdle forgets groups that have been idle for long enough, and no other")
    void evictIdle_forgetsIdleGroupsByAge() {
        GroupExecutor executor = executor();
        resultOf(executor.submit("a", "1", () -> 1));
        resultOf(executor.submit("b", "1", () -> 1));
        executor.submit("b", "running", gate.holding("done"));
        gate.awaitArrival();

        executor.evictIdle(Duration.ofDays(1));
        assertThat(executor.groupStats("a")).isPresent();
        executor.evictIdle(Duration.ZERO);

        assertThat(executor.groupStats("a")).isEmpty();
        assertThat(executor.groupStats("b")).isPresent();
        gate.open();
        eventually("group is idle", () -> busy(executor, "b").inFlight() == 0);
        assertThat(executor.groupStats("b")).as("busy when it was looked at").isPresent();
    }
}
