package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two threads that meet where the contract has to hold for either order, {@code tidegate.rounds} times. */
class RaceTest extends GroupExecutorContract {
    private static final int ROUNDS = Integer.getInteger("tidegate.rounds", 300);

    /** Runs both at the same time, one of them here. */
    private static void meet(Runnable here, Runnable there) {
        CyclicBarrier start = new CyclicBarrier(2);
        Thread other = beside(() -> {
            await(start);
            there.run();
        });
        await(start);
        here.run();
        awaitEnd(other);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("GX-11 GX-18 cancel meets start: the task ran or it did not, and all are told the same")
    void cancel_meetsStart_oneEnd() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(1));
        for (int i = 0; i < ROUNDS; i++) {
            Gate gate = new Gate();
            AtomicInteger runs = new AtomicInteger();
            TaskHandle<String> holder = executor.submit("a", "holder", gate.holding("done"));
            TaskHandle<Integer> contested = executor.submit("a", "contested", runs::incrementAndGet);
            TaskHandle<Boolean> next =
                    executor.submit("a", "next", () -> Thread.currentThread().isInterrupted());
            boolean[] cancelled = new boolean[1];
            boolean mayInterrupt = i % 2 == 0;

            meet(gate::open, () -> cancelled[0] = contested.cancel(mayInterrupt));

            TaskStatus status = statusOf(contested);
            assertThat(status).as("round %d", i).isEqualTo(runs.get() == 1 ? TaskStatus.SUCCESS : TaskStatus.CANCELLED);
            if (!cancelled[0]) {
                assertThat(status).isEqualTo(TaskStatus.SUCCESS);
            }
            assertThat(statusOf(holder)).isEqualTo(TaskStatus.SUCCESS);
            assertThat(resultOf(next).value()).isFalse();
        }
    }

    @Test
    @DisplayName("GX-5 GX-11 cancel meets the end of a stage: one end, and the permits come back once")
    void cancel_meetsStageEnd_oneEnd() {
        RecordingListener listener = new RecordingListener();
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxInFlightPerGroup(1)
                .globalMaxInFlight(1)
                .taskLifecycleListener(listener));
        for (int i = 0; i < ROUNDS; i++) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            TaskHandle<String> handle = executor.submitStage("a", "t" + i, () -> stage);

            meet(() -> stage.complete("done"), () -> handle.cancel(true));

            TaskStatus status = statusOf(handle);
            assertThat(status).isIn(TaskStatus.SUCCESS, TaskStatus.CANCELLED);
            assertThat(resultOf(executor.submit("a", "next", () -> 1)).value()).isEqualTo(1);
            assertThat(listener.of("t" + i))
                    .filteredOn(event -> event.startsWith("completed"))
                    .containsExactly("completed " + status);
        }
    }

    @Test
    @DisplayName("GX-17 shutdown meets submit: what is accepted ends, by itself or cancelled")
    void shutdown_meetsSubmit_acceptedTasksEnd() {
        for (int i = 0; i < ROUNDS; i++) {
            GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(
                    GroupPolicy.builder().globalMaxInFlight(2).build());
            List<TaskHandle<Integer>> accepted = new ArrayList<>();
            int way = i % 3;

            meet(
                    () -> {
                        switch (way) {
                            case 0 -> executor.shutdown();
                            case 1 -> executor.shutdown(Duration.ZERO);
                            default -> executor.close();
                        }
                    },
                    () -> submitUntilRefused(executor, accepted));

            for (TaskHandle<Integer> handle : accepted) {
                TaskStatus status = statusOf(handle);
                if (way == 0) {
                    assertThat(status).isEqualTo(TaskStatus.SUCCESS);
                } else {
                    assertThat(status).isIn(TaskStatus.SUCCESS, TaskStatus.CANCELLED);
                }
            }
            executor.close();
            assertThat(isIdle(executor.stats())).isTrue();
            assertThat(executor.stats().submitted()).isEqualTo(accepted.size());
            assertThat(executor.stats().completed()).isEqualTo(accepted.size());
            assertThat(executor.stats().groups()).isZero();
        }
    }

    private static void submitUntilRefused(GroupExecutor executor, List<TaskHandle<Integer>> accepted) {
        for (int n = 0; n < 5_000; n++) {
            try {
                accepted.add(executor.submit("g" + n % 3, "task", () -> 1));
            } catch (IllegalStateException refused) {
                return;
            }
        }
    }

    @Test
    @DisplayName("GX-17 close meets submit: when close has returned, no body starts any more")
    void close_meetsSubmit_nothingRunsAfterwards() {
        for (int i = 0; i < ROUNDS; i++) {
            GroupExecutor executor =
                    GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder().build());
            AtomicInteger runs = new AtomicInteger();
            int[] atClose = new int[1];

            meet(
                    () -> {
                        executor.close();
                        atClose[0] = runs.get();
                    },
                    () -> {
                        try {
                            for (int n = 0; n < 5_000; n++) {
                                executor.submit("g" + n % 2, "task", runs::incrementAndGet);
                            }
                        } catch (IllegalStateException refused) {
                            return;
                        }
                    });

            assertThat(runs).as("round %d", i).hasValue(atClose[0]);
        }
    }

    @Test
    @DisplayName("GX-16 shutdownGroup meets submit: every task ends, and the group goes on")
    void shutdownGroup_meetsSubmit_everyTaskEnds() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2));
        for (int i = 0; i < ROUNDS; i++) {
            List<TaskHandle<Integer>> handles = new ArrayList<>();

            meet(() -> executor.shutdownGroup("a"), () -> {
                for (int n = 0; n < 20; n++) {
                    handles.add(executor.submit("a", "task", () -> 1));
                }
            });

            assertThat(handles)
                    .allSatisfy(handle -> assertThat(statusOf(handle)).isIn(TaskStatus.SUCCESS, TaskStatus.CANCELLED));
            assertThat(statusOf(executor.submit("a", "next", () -> 1))).isEqualTo(TaskStatus.SUCCESS);
        }
    }

    @Test
    @DisplayName("GX-22 shutdown of a view meets submit: what is accepted runs, and the view is terminated")
    void shutdownOfView_meetsSubmit_acceptedRun() throws Exception {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2));
        for (int i = 0; i < ROUNDS; i++) {
            ExecutorService view = executor.executor("a");
            List<Future<Integer>> accepted = new ArrayList<>();

            meet(view::shutdown, () -> {
                try {
                    for (int n = 0; n < 1_000; n++) {
                        accepted.add(view.submit(() -> 1));
                    }
                } catch (RejectedTaskException refused) {
                    return;
                }
            });

            assertThat(view.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(accepted)
                    .allSatisfy(future -> assertThat(future.resultNow()).isEqualTo(1));
        }
    }

    @Test
    @DisplayName(
            "GX-22 shutdownNow of a view meets execute: each runnable is run, returned or refused, and one of these")
    void shutdownNowOfView_meetsExecute_noneIsLost() throws Exception {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2));
        for (int i = 0; i < ROUNDS; i++) {
            ExecutorService view = executor.executor("a");
            AtomicInteger runs = new AtomicInteger();
            List<Runnable> returned = new ArrayList<>();
            AtomicInteger refusals = new AtomicInteger();

            meet(() -> returned.addAll(view.shutdownNow()), () -> {
                for (int n = 0; n < 20; n++) {
                    try {
                        view.execute(() -> {
                            runs.incrementAndGet();
                            awaitInterrupt();
                        });
                    } catch (RejectedTaskException refused) {
                        refusals.incrementAndGet();
                    }
                }
            });

            assertThat(view.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(runs.get() + returned.size() + refusals.get())
                    .as("round %d", i)
                    .isEqualTo(20);
        }
    }

    @Test
    @DisplayName(
            "GX-22 GX-17 close of the executor meets submit to a view: every future ends, and the view is terminated")
    void close_meetsSubmitToView_everyFutureEnds() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            GroupExecutor executor =
                    GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder().build());
            ExecutorService view = executor.executor("a");
            List<Future<Integer>> accepted = new ArrayList<>();

            meet(executor::close, () -> {
                try {
                    for (int n = 0; n < 1_000; n++) {
                        accepted.add(view.submit(() -> 1));
                    }
                } catch (RejectedTaskException refused) {
                    return;
                }
            });

            assertThat(accepted)
                    .allSatisfy(future -> assertThat(future.isDone()).isTrue());
            assertThat(view.isTerminated()).isTrue();
            assertThat(executor.stats().groups()).isZero();
        }
    }

    private static void awaitInterrupt() {
        while (!Thread.interrupted()) {
            LockSupport.park();
        }
    }
}
