package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a task may wait. */
class MaxWaitTest extends GroupExecutorContract {
    private static final Duration SHORT = Duration.ofMillis(5);

    private final Gate gate = gate();
    private final RecordingListener listener = new RecordingListener();

    private GroupExecutor executor(RejectionPolicy policy) {
        return executor(GroupPolicy.builder().maxWait(SHORT).rejectionPolicy(policy));
    }

    private TaskHandle<String> hold(GroupExecutor executor, String groupKey) {
        TaskHandle<String> holder = executor.submit(groupKey, "holder", gate.holding("done"));
        gate.awaitArrival();
        return holder;
    }

    private static void isTimeout(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        RejectedTaskException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo("GX_ERR_WAIT_TIMEOUT"))
                .hasMessageContaining("PT0.005S");
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORT", "CALLER_RUNS"})
    @DisplayName("GX-9 GX-23 a task that has waited for maxWait is refused; the running one is left alone")
    void submit_waitsTooLong_throws(RejectionPolicy policy) {
        GroupExecutor executor = executor(policy);
        TaskHandle<String> holder = hold(executor, "a");
        AtomicInteger runs = new AtomicInteger();

        TaskHandle<String> late = executor.submit("a", "late", () -> "never " + runs.incrementAndGet());

        assertThatThrownBy(() -> late.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).satisfies(MaxWaitTest::isTimeout);
        assertThatThrownBy(late::get).satisfies(MaxWaitTest::isTimeout);
        assertThat(late.cancel(true)).isFalse();
        assertThat(busy(executor, "a").waiting()).isZero();
        assertThat(executor.stats().rejected()).isEqualTo(1);
        gate.open();
        assertThat(resultOf(holder).value()).isEqualTo("done");
        assertThat(runs).hasValue(0);
    }

    @Test
    @DisplayName("GX-9 GX-18 GX-23 DISCARD: the result is REJECTED, and the listener hears submitted and rejected")
    void submit_discard_resultSaysSo() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .maxWait(SHORT)
                .rejectionPolicy(RejectionPolicy.DISCARD)
                .taskLifecycleListener(listener));
        hold(executor, "a");

        GroupResult<String> result = resultOf(executor.submit("a", "late", () -> "never"));
        GroupResult<String> stage = resultOf(executor.submitStage("a", "stage", MaxWaitTest.this::<String>stage));

        assertThat(result.status()).isEqualTo(TaskStatus.REJECTED);
        assertThat(result.error()).satisfies(MaxWaitTest::isTimeout);
        assertThat(result.durationNanos()).isZero();
        assertThat(stage.status()).isEqualTo(TaskStatus.REJECTED);
        assertThat(listener.of("late")).containsExactly("submitted", "rejected");
        assertThat(listener.of("stage")).containsExactly("submitted", "rejected");
    }

    @Test
    @DisplayName("GX-9 the handler is asked, on a thread of its own, and may close the executor")
    void submit_handler_decides() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        AtomicReference<Thread> asked = new AtomicReference<>();
        GroupExecutor executor = executor(GroupPolicy.builder().maxWait(SHORT).rejectionHandler(new Handler(task -> {
            asked.set(Thread.currentThread());
            self.get().close();
            return new GroupResult<>("a", task.taskId(), TaskStatus.SUCCESS, "instead", null, 0, 0);
        })));
        self.set(executor);
        hold(executor, "a");

        TaskHandle<String> late = executor.submit("a", "late", () -> "never");

        assertThat(resultOf(late).value()).isEqualTo("instead");
        assertThat(asked.get().isVirtual()).isTrue();
    }

    @Test
    @DisplayName("GX-6 GX-9 all that wait are refused, of each group, and those that come later too")
    void submit_manyWait_allRefused() {
        GroupExecutor executor = executor(RejectionPolicy.DISCARD);
        hold(executor, "a");
        hold(executor, "b");
        List<TaskHandle<String>> late = new ArrayList<>();

        for (int i = 0; i < 10_000; i++) {
            late.add(executor.submit(i % 2 == 0 ? "a" : "b", "late", () -> "never"));
        }

        assertThat(late).allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.REJECTED));
        assertThat(statusOf(executor.submit("a", "later", () -> "never"))).isEqualTo(TaskStatus.REJECTED);
        assertThat(executor.stats().rejected()).isEqualTo(10_001);
        assertThat(isCounted(executor)).isTrue();
    }

    private static boolean isCounted(GroupExecutor executor) {
        return executor.stats().waiting() == 0 && executor.stats().inFlight() == 2;
    }

    @Test
    @DisplayName("GX-9 a task that starts in time is not refused, however long it then runs")
    void submit_startsInTime_runs() {
        GroupExecutor executor = executor(RejectionPolicy.DISCARD);
        TaskHandle<String> holder = hold(executor, "a");

        for (int i = 0; i < 3; i++) {
            assertThat(statusOf(executor.submit("a", "late", () -> "never"))).isEqualTo(TaskStatus.REJECTED);
        }

        gate.open();
        assertThat(resultOf(holder).value()).isEqualTo("done");
        GroupExecutor patient = executor(GroupPolicy.builder().maxWait(Duration.ofSeconds(Long.MAX_VALUE)));
        Gate other = gate();
        patient.submit("a", "holder", other.holding("done"));
        TaskHandle<String> waiting = patient.submit("a", "waiting", () -> "done");
        other.open();
        assertThat(resultOf(waiting).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-9 a callback that blocks holds back no other refusal")
    void submit_callbackBlocks_othersEnd() {
        Gate blocking = gate();
        GroupExecutor asking = executor(GroupPolicy.builder().maxWait(SHORT).rejectionHandler(new Handler(task -> {
            if (task.taskId().equals("blocking")) {
                blocking.passDeaf();
            }
            return null;
        })));
        hold(asking, "a");
        asking.submit("a", "blocking", () -> "never");
        blocking.awaitArrival();
        assertThat(statusOf(asking.submit("a", "other", () -> "never"))).isEqualTo(TaskStatus.REJECTED);

        GroupExecutor discarding = executor(RejectionPolicy.DISCARD);
        hold(discarding, "b");
        TaskHandle<String> late = discarding.submit("b", "dependent", () -> "never");
        beside(() -> late.toCompletableFuture().thenRun(blocking::passDeaf)); // the stage may run it at once
        blocking.awaitArrival();
        assertThat(statusOf(discarding.submit("b", "other", () -> "never"))).isEqualTo(TaskStatus.REJECTED);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "GX-22 in a view the future of submit fails with the refusal; a runnable of execute is run however late")
    void view_waitsTooLong_submitFailsExecuteRuns() {
        GroupExecutor executor = executor(RejectionPolicy.ABORT);
        ExecutorService view = executor.executor("a");
        hold(executor, "a");
        CountDownLatch ran = new CountDownLatch(1);

        view.execute(ran::countDown);
        for (int i = 0; i < 3; i++) {
            Future<String> late = view.submit(() -> "never");
            assertThatThrownBy(() -> late.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .satisfies(MaxWaitTest::isTimeout);
        }

        assertThat(ran.getCount()).isEqualTo(1);
        assertThat(busy(executor, "a").waiting()).isEqualTo(1);
        gate.open();
        await(ran);
        view.close();
    }

    @Test
    @DisplayName("GX-17 a shutdown that waits sees the refused ones end")
    void shutdown_waiting_refusedEnd() {
        GroupExecutor executor = executor(RejectionPolicy.DISCARD);
        hold(executor, "a");
        TaskHandle<String> late = executor.submit("a", "late", () -> "never");
        executor.shutdown();

        assertThat(statusOf(late)).isEqualTo(TaskStatus.REJECTED);

        gate.open();
        assertThat(executor.shutdown(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
    }

    @Test
    @DisplayName("GX-8 GX-19 without a waiting task no thread watches")
    void timer_nobodyWaits_noThread() {
        GroupExecutor executor = executor(RejectionPolicy.DISCARD);
        hold(executor, "a");
        assertThat(statusOf(executor.submit("a", "late", () -> "never"))).isEqualTo(TaskStatus.REJECTED);
        gate.open();

        eventually(
                "the timer's thread has ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("tidegate-group-wait")));
    }

    @Test
    @DisplayName("GX-10 GX-11 the time-out meets start and cancel: each task ends once, and nothing is left")
    void timeout_meetsStartAndCancel_oneEnd() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .maxWait(Duration.ofNanos(200_000))
                .globalMaxInFlight(1)
                .rejectionPolicy(RejectionPolicy.DISCARD)
                .taskLifecycleListener(listener));
        List<TaskHandle<Integer>> handles = new ArrayList<>();

        for (int i = 0; i < 5_000; i++) {
            int n = i;
            handles.add(executor.submit(i % 2 == 0 ? "a" : "b", "task " + i, () -> n));
            if (i % 3 == 0) {
                handles.get(i / 2).cancel(true);
            }
        }

        for (int i = 0; i < handles.size(); i++) {
            List<String> told = switch (statusOf(handles.get(i))) {
                case SUCCESS -> List.of("submitted", "started", "completed SUCCESS");
                case REJECTED -> List.of("submitted", "rejected");
                case CANCELLED -> listener.of("task " + i);
                case FAILED -> List.of();
            };
            assertThat(listener.of("task " + i)).isEqualTo(told).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("GX-9 a task that begins to wait while the timer finds nobody is refused all the same")
    void submit_whileTheTimerLooks_isRefused() throws Exception {
        GroupExecutor executor =
                executor(GroupPolicy.builder().maxWait(Duration.ofNanos(1)).rejectionPolicy(RejectionPolicy.DISCARD));
        hold(executor, "a");

        for (int i = 0; i < 20_000; i++) {
            TaskHandle<String> late = executor.submit("a", "late", () -> "never");
            assertThat(late.await(PATIENCE_SECONDS, TimeUnit.SECONDS).status()).isEqualTo(TaskStatus.REJECTED);
        }
    }

    @Test
    @DisplayName("GX-21 the handler of a time-out sees nothing of the thread that set the timer")
    void listener_timeOut_hasNothingOfTheSubmitter() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        CompletableFuture<String> seen = new CompletableFuture<>();
        GroupExecutor executor = executor(GroupPolicy.builder()
                .maxWait(SHORT)
                .rejectionPolicy(RejectionPolicy.DISCARD)
                .taskLifecycleListener(new TaskLifecycleListener() {
                    @Override
                    public void onRejected(GroupTask<?> task) {
                        seen.complete("tenant " + tenant.get());
                    }
                }));
        hold(executor, "b");

        resultOf(executor.submit("a", "submitter", () -> {
            tenant.set("a");
            return executor.submit("b", "late", () -> "never");
        }));

        assertThat(seen.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join()).isEqualTo("tenant null");
    }
}
