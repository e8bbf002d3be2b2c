package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HandleTest extends GroupExecutorContract {
    private final Gate gate = gate();

    private TaskHandle<String> running(GroupExecutor executor) {
        TaskHandle<String> handle = executor.submit("a", "running", gate.holding("done"));
        gate.awaitArrival();
        return handle;
    }

    private static GroupResult<String> join(TaskHandle<String> handle) {
        try {
            return handle.join(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("GX-12 a time-out of await or join is thrown and leaves the task alone, running or waiting")
    void awaitAndJoin_timeout_leaveTaskAlone() {
        GroupExecutor executor = executor();
        TaskHandle<String> running = running(executor);
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "done");

        for (TaskHandle<String> handle : List.of(running, waiting)) {
            assertThatThrownBy(() -> handle.await(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> handle.await(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> handle.join(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> handle.join(-1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(handle.isDone()).isFalse();
        }

        gate.open();
        assertThat(statusOf(running)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(statusOf(waiting)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-12 all ways to wait give the same result")
    void awaitAndJoin_done_giveTheSameResult() throws Exception {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = executor.submit(new GroupTask<>("a", "1", () -> "value"));
        GroupResult<String> result = handle.await();

        assertThat(handle.isDone()).isTrue();
        assertThat(handle.groupKey()).isEqualTo("a");
        assertThat(handle.taskId()).isEqualTo("1");
        assertThat(handle.join()).isEqualTo(result);
        assertThat(handle.await(0, TimeUnit.NANOSECONDS)).isEqualTo(result);
        assertThat(handle.join(0, TimeUnit.NANOSECONDS)).isEqualTo(result);
        assertThat(handle.join(Long.MAX_VALUE, TimeUnit.DAYS)).isEqualTo(result);
        assertThat(handle.toCompletableFuture()).isCompletedWithValue(result);
    }

    @Test
    @DisplayName("GX-12 many threads wait for one handle")
    void join_manyThreads_allReturn() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = running(executor);
        Set<Thread> waiters = new HashSet<>();
        Set<String> values = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 8; i++) {
            waiters.add(beside(() -> values.add(join(handle).value())));
        }

        gate.open();

        waiters.forEach(GroupExecutorContract::awaitEnd);
        assertThat(values).containsExactly("done");
    }

    @Test
    @DisplayName("GX-12 await answers an interrupt of the waiter and leaves the task alone")
    void await_waiterInterrupted_leavesTaskAlone() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = running(executor);

        Thread.currentThread().interrupt();
        assertThatThrownBy(handle::await).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> handle.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        gate.open();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-12 join waits through an interrupt of the waiter and keeps its flag")
    void join_waiterInterrupted_waitsAndKeepsFlag() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = running(executor);
        AtomicReference<GroupResult<String>> timed = new AtomicReference<>();
        AtomicReference<GroupResult<String>> untimed = new AtomicReference<>();
        AtomicBoolean kept = new AtomicBoolean();
        Gate inside = gate();
        Thread waiter = beside(() -> {
            Thread.currentThread().interrupt();
            inside.open();
            timed.set(join(handle));
            untimed.set(handle.join());
            kept.set(Thread.currentThread().isInterrupted());
        });
        inside.passDeaf();
        waiter.interrupt();

        gate.open();

        awaitEnd(waiter);
        assertThat(timed.get().value()).isEqualTo("done");
        assertThat(untimed.get().value()).isEqualTo("done");
        assertThat(kept).isTrue();
    }

    @Test
    @DisplayName("GX-12 the future starts no thread")
    void toCompletableFuture_pending_startsNoThread() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = running(executor);
        long before = Thread.ofVirtual().unstarted(() -> {}).threadId();

        for (int i = 0; i < 1_000; i++) {
            handle.toCompletableFuture();
        }

        long after = Thread.ofVirtual().unstarted(() -> {}).threadId();
        assertThat(after - before).as("threads made, by their numbers").isLessThan(100);
    }

    @Test
    @DisplayName("GX-12 the future ends with the task: cancelled and failed tasks are results, too")
    void toCompletableFuture_anyEnd_holdsTheResult() {
        GroupExecutor executor = executor();
        TaskHandle<String> running = running(executor);
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");
        TaskHandle<String> failing = executor.submit("a", "failing", () -> {
            throw new IllegalStateException("failed");
        });
        CompletableFuture<GroupResult<String>> first = running.toCompletableFuture();
        CompletableFuture<GroupResult<String>> second = waiting.toCompletableFuture();
        CompletableFuture<GroupResult<String>> third = failing.toCompletableFuture();
        assertThat(first).isNotDone();

        waiting.cancel(false);
        gate.open();

        assertThat(first.join().status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(second.join().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(third.join().status()).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    @DisplayName("GX-12 cancelling the future interrupts a running task")
    void cancelFuture_running_interruptsIt() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = running(executor);

        handle.toCompletableFuture().cancel(false);

        gate.awaitInterrupt();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-12 cancelling the future takes a waiting task out of the queue")
    void cancelFuture_waiting_leavesQueue() {
        GroupExecutor executor = executor();
        running(executor);
        TaskHandle<String> handle = executor.submit("a", "waiting", () -> "never");

        assertThat(handle.toCompletableFuture().cancel(true)).isTrue();

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(busy(executor, "a").waiting()).isZero();
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-10 GX-12 a dependent of the future may wait for the group's next task: the permit is free by then")
    void toCompletableFuture_dependentWaitsForNextTask_nextRuns() {
        GroupExecutor executor = executor();
        TaskHandle<String> first = running(executor);
        TaskHandle<String> next = executor.submit("a", "next", () -> "next");
        CompletableFuture<String> dependent =
                first.toCompletableFuture().thenApply(result -> resultOf(next).value());

        gate.open();

        assertThat(dependent.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join())
                .isEqualTo("next");
    }

    @Test
    @DisplayName("GX-12 a dependent of the future that throws does no harm")
    void toCompletableFuture_dependentThrows_groupGoesOn() {
        GroupExecutor executor = executor();
        TaskHandle<String> first = running(executor);
        TaskHandle<String> next = executor.submit("a", "next", () -> "next");
        CompletableFuture<String> dependent = first.toCompletableFuture().thenApply(result -> {
            throw new AssertionError("dependent");
        });

        gate.open();

        assertThat(resultOf(next).value()).isEqualTo("next");
        assertThat(dependent).failsWithin(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("GX-12 cancelling the future after the end changes nothing")
    void cancelFuture_ended_changesNothing() {
        TaskHandle<String> handle = executor().submit("a", "1", () -> "done");
        resultOf(handle);

        assertThat(handle.toCompletableFuture().cancel(true)).isFalse();

        assertThat(resultOf(handle).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-12 what else is done to a future does not reach the task or its handle")
    void completeFuture_byHand_leavesTaskAlone() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = running(executor);
        GroupResult<String> made = new GroupResult<>("a", "running", TaskStatus.SUCCESS, "made up", null, 0, 0);

        handle.toCompletableFuture().complete(made);
        handle.toCompletableFuture().completeExceptionally(new IllegalStateException());
        handle.toCompletableFuture().obtrudeValue(made);

        assertThat(handle.isDone()).isFalse();
        gate.open();
        assertThat(resultOf(handle).value()).isEqualTo("done");
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-22 get returns the value, null too, or throws what the task threw in an ExecutionException")
    void get_valueOrError() throws Exception {
        GroupExecutor executor = executor();
        AssertionError error = new AssertionError("failed");
        TaskHandle<String> failed = executor.submit("a", "1", () -> {
            throw error;
        });

        assertThat(executor.submit("a", "2", () -> "value").get()).isEqualTo("value");
        assertThat(executor.submit("a", "3", () -> null).get()).isNull();
        assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class).hasCause(error);
    }

    @Test
    @DisplayName("GX-22 get of a cancelled task throws a CancellationException with the reason, and can be interrupted")
    void get_cancelledOrInterrupted_throws() {
        GroupExecutor executor = executor();
        TaskHandle<String> running = running(executor);
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");

        Thread.currentThread().interrupt();
        assertThatThrownBy(waiting::get).isInstanceOf(InterruptedException.class);
        waiting.cancel(false);
        running.cancel(true);

        assertThatThrownBy(waiting::get)
                .isInstanceOf(CancellationException.class)
                .hasMessage("task 'waiting' of group 'a' was cancelled");
        assertThatThrownBy(running::get)
                .isInstanceOf(CancellationException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    @DisplayName("GX-22 orElseThrow of a result returns the value or throws what there is instead")
    void orElseThrow_eachStatus() {
        IllegalStateException error = new IllegalStateException("failed");

        assertThat(result(TaskStatus.SUCCESS, "value", null).orElseThrow()).isEqualTo("value");
        assertThat(result(TaskStatus.SUCCESS, null, null).orElseThrow()).isNull();
        assertThatThrownBy(() -> result(TaskStatus.FAILED, null, error).orElseThrow())
                .isInstanceOf(CompletionException.class)
                .hasCause(error);
        assertThatThrownBy(() -> result(TaskStatus.CANCELLED, null, error).orElseThrow())
                .isInstanceOf(CancellationException.class)
                .hasCause(error);
        assertThatThrownBy(() -> result(TaskStatus.REJECTED, null, error).orElseThrow())
                .isInstanceOf(RejectedTaskException.class)
                .hasCause(error);
        assertThat(executor()
                        .submit("a", "1", () -> {
                            throw error;
                        })
                        .toCompletableFuture()
                        .thenApply(GroupResult::orElseThrow)
                        .handle((value, thrown) -> thrown)
                        .join())
                .hasCause(error);
    }

    private static GroupResult<String> result(TaskStatus status, String value, Throwable error) {
        return new GroupResult<>("a", "1", status, value, error, 0, 0);
    }

    @Test
    @DisplayName("GX-22 a Runnable is a task without a value")
    void run_runnable_runs() throws Exception {
        GroupExecutor executor = executor();
        AtomicBoolean ran = new AtomicBoolean();
        IllegalStateException error = new IllegalStateException("failed");
        Runnable failing = () -> {
            throw error;
        };

        assertThat(executor.run("a", "1", () -> ran.set(true)).get()).isNull();
        assertThat(ran).isTrue();
        assertThat(resultOf(executor.run("a", "2", failing)).error()).isSameAs(error);
    }

    @Test
    @DisplayName("GX-12 the handle has one future, before the end and after it")
    void toCompletableFuture_again_isTheSame() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        TaskHandle<String> handle = executor.submit("a", "1", gate.holding("done"));
        CompletableFuture<GroupResult<String>> future = handle.toCompletableFuture();

        assertThat(handle.toCompletableFuture()).isSameAs(future);
        gate.open();
        resultOf(handle);

        assertThat(handle.toCompletableFuture()).isSameAs(future);
        assertThat(future.join().value()).isEqualTo("done");
    }
}
