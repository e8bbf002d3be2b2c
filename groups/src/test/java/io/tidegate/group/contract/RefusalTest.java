package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Refusal;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupExecutorStats;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a refused task ends with, by policy. */
class RefusalTest extends GroupExecutorContract {
    private final Gate gate = gate();
    private final RecordingListener listener = new RecordingListener();

    /** An executor whose group "a" is full and lets no task wait. */
    private GroupExecutor full(RejectionPolicy policy) {
        GroupExecutor executor = executor(noWaiting().rejectionPolicy(policy).taskLifecycleListener(listener));
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();
        return executor;
    }

    @Test
    @DisplayName("GX-9 ABORT: submit returns a handle, and everything that waits for it throws")
    void submit_abort_awaitAndJoinThrow() {
        GroupExecutor executor = full(RejectionPolicy.ABORT);

        TaskHandle<String> refused = executor.submit("a", "refused", () -> "never");

        assertThat(refused.isDone()).isTrue();
        assertThat(refused.groupKey()).isEqualTo("a");
        assertThat(refused.taskId()).isEqualTo("refused");
        assertThatThrownBy(refused::await).isInstanceOf(RejectedTaskException.class);
        assertThatThrownBy(() -> refused.await(1, TimeUnit.SECONDS)).isInstanceOf(RejectedTaskException.class);
        assertThatThrownBy(refused::join).isInstanceOf(RejectedTaskException.class);
        assertThatThrownBy(() -> refused.join(1, TimeUnit.SECONDS)).isInstanceOf(RejectedTaskException.class);
        assertThat(refused.cancel(true)).as("cancel after the end").isFalse();
    }

    @Test
    @DisplayName("RF-1 a rejected task is a refusal of its group")
    void submit_refused_isARefusal() {
        TaskHandle<String> refused = full(RejectionPolicy.ABORT).submit("a", "refused", () -> "never");

        assertThatThrownBy(refused::join).satisfies(error -> {
            Refusal refusal = Refusal.in(new ExecutionException(error)).orElseThrow();
            assertThat(refusal.code()).isEqualTo("GX_ERR_GROUP_QUEUE");
            assertThat(refusal.source()).isEqualTo("a");
            assertThat(refusal.retryAfter()).isZero();
        });
    }

    @Test
    @DisplayName("GX-23 a refusal says which limit refused, and with which number")
    void submit_refused_saysWhichLimit() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .perGroupQueueThreshold(Map.of("a", 2))
                .globalQueueThreshold(3)
                .rejectionPolicy(RejectionPolicy.DISCARD));
        for (String group : List.of("a", "a", "a", "b")) {
            executor.submit(group, "holder", gate.holding("done"));
        }

        Throwable byGroup = resultOf(executor.submit("a", "1", () -> "never")).error();
        executor.submit("b", "waiting", () -> "done");
        Throwable byAll = resultOf(executor.submit("b", "2", () -> "never")).error();

        assertThat(byGroup)
                .isInstanceOfSatisfying(RejectedTaskException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo("GX_ERR_GROUP_QUEUE");
                    assertThat(refusal.source()).isEqualTo("a");
                    assertThat(refusal.retryAfter()).isZero();
                })
                .hasMessage("task '1' of group 'a' refused, waiting in the group: 2 (expected: < 2)");
        assertThat(byAll)
                .isInstanceOfSatisfying(RejectedTaskException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo("GX_ERR_GLOBAL_QUEUE");
                    assertThat(refusal.source()).isEqualTo("b");
                })
                .hasMessage("task '2' of group 'b' refused, waiting in all: 3 (expected: < 3)");
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORT", "DISCARD"})
    @DisplayName("GX-22 GX-23 get throws the refusal, whatever the policy")
    void get_refused_throws(RejectionPolicy policy) {
        TaskHandle<String> refused = full(policy).submit("a", "refused", () -> "never");

        assertThatThrownBy(refused::get)
                .isInstanceOfSatisfying(
                        RejectedTaskException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo("GX_ERR_GROUP_QUEUE"));
    }

    @Test
    @DisplayName("GX-12 ABORT: the future ends exceptionally with the RejectedTaskException itself")
    void toCompletableFuture_abort_endsExceptionally() {
        TaskHandle<String> refused = full(RejectionPolicy.ABORT).submit("a", "refused", () -> "never");

        CompletableFuture<GroupResult<String>> future = refused.toCompletableFuture();

        assertThat(future).isCompletedExceptionally();
        assertThatThrownBy(future::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RejectedTaskException.class);
        assertThat(future.handle((result, error) -> error).join()).isInstanceOf(RejectedTaskException.class);
    }

    @Test
    @DisplayName("GX-9 DISCARD: the result is REJECTED")
    void submit_discard_resultIsRejected() {
        TaskHandle<String> refused = full(RejectionPolicy.DISCARD).submit("a", "refused", () -> "never");

        assertThat(refused.isDone()).isTrue();
        GroupResult<String> result = resultOf(refused);
        assertThat(result.status()).isEqualTo(TaskStatus.REJECTED);
        assertThat(result.groupKey()).isEqualTo("a");
        assertThat(result.taskId()).isEqualTo("refused");
        assertThat(result.value()).isNull();
        assertThat(result.durationNanos()).isZero();
        assertThat(refused.join()).isEqualTo(result);
        assertThat(refused.toCompletableFuture()).isCompletedWithValue(result);
        assertThat(refused.cancel(true)).isFalse();
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS: the submitting thread runs it, with no permit, before submit returns")
    void submit_callerRuns_runsHereWithoutPermits() {
        GroupExecutor executor = full(RejectionPolicy.CALLER_RUNS);
        AtomicReference<Thread> thread = new AtomicReference<>();
        AtomicReference<GroupExecutorStats> during = new AtomicReference<>();

        TaskHandle<String> handle = executor.submit("a", "mine", () -> {
            thread.set(Thread.currentThread());
            during.set(executor.stats());
            return "done";
        });

        assertThat(handle.isDone()).isTrue();
        assertThat(thread).hasValue(Thread.currentThread());
        assertThat(during.get().running()).isEqualTo(1);
        assertThat(during.get().inFlight()).isEqualTo(1);
        assertThat(during.get().waiting()).isZero();
        assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(resultOf(handle).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS: the result is what it did, however it ended")
    void submit_callerRunsAndThrows_resultSaysSo() {
        GroupExecutor executor = full(RejectionPolicy.CALLER_RUNS);
        IllegalStateException exception = new IllegalStateException("failed");
        AssertionError error = new AssertionError("failed");

        TaskHandle<String> failed = executor.submit("a", "1", () -> {
            throw exception;
        });
        TaskHandle<String> broken = executor.submit("a", "2", () -> {
            throw error;
        });
        TaskHandle<String> cancelled = executor.submit("a", "3", () -> {
            throw new CancellationException();
        });
        TaskHandle<String> empty = executor.submit("a", "4", () -> null);

        assertThat(resultOf(failed).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(resultOf(failed).error()).isSameAs(exception);
        assertThat(resultOf(broken).error()).isSameAs(error);
        assertThat(statusOf(cancelled)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(statusOf(empty)).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS: a body that submits is run inside itself")
    void submit_callerRunsAndSubmits_runsToo() {
        GroupExecutor executor = full(RejectionPolicy.CALLER_RUNS);

        TaskHandle<String> outer = executor.submit(
                "a",
                "outer",
                () -> resultOf(executor.submit("a", "inner", () -> "inner")).value() + " in outer");

        assertThat(resultOf(outer).value()).isEqualTo("inner in outer");
        assertThat(executor.stats().rejected()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS: a stage made by the caller ends the handle when it ends, and holds no permit")
    void submitStage_callerRuns_endsWithTheStage() {
        GroupExecutor executor = full(RejectionPolicy.CALLER_RUNS);
        CompletableFuture<String> stage = stage();
        AtomicReference<Thread> thread = new AtomicReference<>();

        TaskHandle<String> handle = executor.submitStage("a", "mine", () -> {
            thread.set(Thread.currentThread());
            return stage;
        });

        assertThat(thread).hasValue(Thread.currentThread());
        assertThat(executor.stats().inFlight()).isEqualTo(1);
        assertThat(handle.isDone()).isFalse();
        stage.complete("done");
        assertThat(resultOf(handle).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS: an interrupt of the caller reaches the body and is the caller's own business")
    void submit_callerRunsInterrupted_bodySeesIt() {
        GroupExecutor executor = full(RejectionPolicy.CALLER_RUNS);
        Thread.currentThread().interrupt();

        TaskHandle<Boolean> handle =
                executor.submit("a", "mine", () -> Thread.currentThread().isInterrupted());

        assertThat(Thread.interrupted()).as("flag of the caller").isTrue();
        assertThat(resultOf(handle).value()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("GX-9 GX-18 a refused task is told as submitted and rejected, and nothing else, under every policy")
    void submit_refused_listenerHearsRejected(RejectionPolicy policy) {
        GroupExecutor executor = full(policy);

        executor.submit("a", "refused", () -> "perhaps");

        assertThat(listener.of("refused")).containsExactly("submitted", "rejected");
        assertThat(executor.stats().rejected()).isEqualTo(1);
        assertThat(executor.stats().submitted()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("GX-9 GX-6 a refusal leaves no permit taken: when the group has room the next task runs")
    void submit_afterRefusals_nextRuns(RejectionPolicy policy) {
        GroupExecutor executor = full(policy);
        for (int i = 0; i < 100; i++) {
            executor.submit("a", "refused", () -> "perhaps");
        }
        gate.open();
        eventually("holder has ended", () -> isIdle(executor.stats()));

        TaskHandle<Thread> next = executor.submit("a", "next", Thread::currentThread);

        assertThat(resultOf(next).value().isVirtual()).isTrue();
        assertThat(executor.stats().rejected()).isEqualTo(100);
    }

    @ParameterizedTest
    @EnumSource(names = {"ABORT", "DISCARD"})
    @DisplayName("GX-9 a body refused under ABORT or DISCARD never runs")
    void submit_refused_neverRuns(RejectionPolicy policy) {
        Meter runs = new Meter();
        GroupExecutor executor = full(policy);

        executor.submit("a", "refused", () -> runs.around(null));
        gate.open();
        eventually("holder has ended", () -> isIdle(executor.stats()));

        assertThat(runs.entries()).isZero();
    }
}
