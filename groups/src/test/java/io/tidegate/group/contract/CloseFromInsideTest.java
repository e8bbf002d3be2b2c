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
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An executor that is closed by its own tasks and listeners. */
class CloseFromInsideTest extends GroupExecutorContract {
    private final Gate gate = gate();

    @Test
    @DisplayName("GX-17 close from inside a task does not wait for that one")
    void close_onlyTask_returns() {
        GroupExecutor executor = executor();
        AtomicBoolean closed = new AtomicBoolean();
        TaskHandle<String> handle = executor.submit("a", "1", () -> {
            executor.close();
            closed.set(true);
            return "closed";
        });

        resultOf(handle);

        assertThat(closed).isTrue();
    }

    @Test
    @DisplayName("GX-17 close from inside a task waits for the others, running and waiting, in its group and elsewhere")
    void close_othersRun_waitsForThem() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2));
        Gate cleanUp = gate();
        AtomicInteger ended = new AtomicInteger();
        GroupTask<String> other = new GroupTask<>("a", "other", () -> {
            try {
                gate.pass();
            } finally {
                cleanUp.passDeaf();
                ended.incrementAndGet();
            }
            return "never";
        });
        TaskHandle<String> sameGroup = executor.submit(other);
        TaskHandle<String> otherGroup = executor.submit("b", "other", other.callable());
        gate.awaitArrivals(2);
        AtomicInteger endedAtClose = new AtomicInteger();
        AtomicReference<TaskHandle<String>> waiting = new AtomicReference<>();
        TaskHandle<String> closer = executor.submit("a", "closer", () -> {
            waiting.set(executor.submit("a", "waiting", () -> "never"));
            executor.close();
            endedAtClose.set(ended.get());
            return "closed";
        });

        cleanUp.awaitArrivals(2);
        assertThat(closer.isDone()).isFalse();
        cleanUp.open();

        resultOf(closer);
        assertThat(endedAtClose).hasValue(2);
        assertThat(statusOf(sameGroup)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(statusOf(otherGroup)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(statusOf(waiting.get())).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-17 two tasks that close at once do not wait for each other for ever")
    void close_twoTasksAtOnce_bothEnd() {
        GroupExecutor executor = executor();
        Gate both = gate();
        TaskHandle<String> first = executor.submit("a", "1", () -> {
            both.passDeaf();
            executor.close();
            return "closed";
        });
        TaskHandle<String> second = executor.submit("b", "2", () -> {
            both.passDeaf();
            executor.close();
            return "closed";
        });
        both.awaitArrivals(2);

        both.open();

        resultOf(first);
        resultOf(second);
    }

    @Test
    @DisplayName("GX-17 close from inside a task that another one awaits with executeAll returns")
    void close_insideTaskAwaitedByExecuteAll_returns() {
        GroupExecutor executor = executor();
        AtomicReference<TaskStatus> inner = new AtomicReference<>();
        TaskHandle<String> outer = executor.submit("a", "outer", () -> {
            GroupTask<String> closer = new GroupTask<>("b", "closer", () -> {
                executor.close();
                return "closed";
            });
            inner.set(executor.executeAll(List.of(closer)).get(0).status());
            return "done";
        });

        assertThat(resultOf(outer).value()).isEqualTo("done");
        assertThat(inner).hasValue(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-17 and so it does when the waiting task is awaited in turn, and comes to wait later")
    void close_insideTaskAwaitedThroughOthers_returns() {
        GroupExecutor executor = executor();
        Gate first = gate();
        TaskHandle<String> outer = executor.submit(
                "a",
                "outer",
                () -> executor.submit("b", "middle", () -> {
                            GroupTask<String> before = new GroupTask<>("c", "before", first.holdingDeaf("before"));
                            GroupTask<String> closer = new GroupTask<>("d", "closer", () -> {
                                executor.close();
                                return "closed";
                            });
                            return executor.executeAll(List.of(before, closer))
                                    .get(1)
                                    .value();
                        })
                        .join()
                        .value());
        first.awaitInterrupt();

        first.open();

        assertThat(resultOf(outer).value()).isEqualTo("closed");
    }

    @Test
    @DisplayName("GX-17 close from inside a task waits for one that awaits yet another")
    void close_othersAwaitEachOther_waitsForThem() {
        GroupExecutor executor = executor();
        AtomicBoolean ended = new AtomicBoolean();
        Gate cleanUp = gate();
        TaskHandle<String> other = executor.submit("a", "other", () -> {
            executor.submit("b", "deaf", gate.holdingDeaf("deaf")).join();
            cleanUp.passDeaf();
            ended.set(true);
            return "other";
        });
        gate.awaitArrival();
        TaskHandle<Boolean> closer = executor.submit("c", "closer", () -> {
            executor.close();
            return ended.get();
        });
        gate.awaitInterrupt();
        gate.open();
        cleanUp.awaitArrival();
        assertThat(closer.isDone()).isFalse();

        cleanUp.open();

        assertThat(resultOf(closer).value()).isTrue();
        resultOf(other);
    }

    @Test
    @DisplayName("GX-17 GX-18 close from a listener of a task that another one awaits returns")
    void close_fromOnCompletedOfAwaitedTask_returns() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                if (task.taskId().equals("inner")) {
                    self.get().close();
                }
            }
        }));
        self.set(executor);
        TaskHandle<String> outer = executor.submit(
                "a",
                "outer",
                () -> executor.executeAll(List.of(new GroupTask<>("b", "inner", () -> "inner")))
                        .get(0)
                        .value());

        assertThat(resultOf(outer).value()).isEqualTo("inner");
    }

    @Test
    @DisplayName("GX-17 shutdown from inside a task lets it end")
    void shutdown_fromInsideTask_letsItEnd() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = executor.submit("a", "1", () -> {
            executor.shutdown();
            return "done";
        });

        assertThat(resultOf(handle).value()).isEqualTo("done");
        assertThat(executor.shutdown(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
    }

    @Test
    @DisplayName("GX-17 GX-18 close from a listener, on the thread of a task, does not wait for that one")
    void close_fromOnCompleted_returns() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        AtomicInteger closed = new AtomicInteger();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                self.get().close();
                closed.incrementAndGet();
            }
        }));
        self.set(executor);

        assertThat(resultOf(executor.submit("a", "1", () -> "done")).value()).isEqualTo("done");

        assertThat(closed).hasValue(1);
    }

    @Test
    @DisplayName("GX-17 GX-18 shutdown from onSubmitted: the task being submitted still ends, or is not accepted")
    void shutdown_fromOnSubmitted_taskEnds() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onSubmitted(GroupTask<?> task) {
                self.get().shutdown();
            }
        }));
        self.set(executor);

        try {
            assertThat(statusOf(executor.submit("a", "1", () -> "done"))).isEqualTo(TaskStatus.SUCCESS);
        } catch (IllegalStateException refused) {
            assertThat(isIdle(executor.stats())).isTrue();
        }
    }
}
