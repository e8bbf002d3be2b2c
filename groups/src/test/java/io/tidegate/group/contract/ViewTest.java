package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A group as an ExecutorService. */
class ViewTest extends GroupExecutorContract {
    private final Gate gate = gate();
    private final RecordingListener listener = new RecordingListener();

    private static <T> T valueOf(Future<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** An executor whose group "a" is full and lets no task wait. */
    private GroupExecutor full(GroupPolicy.Builder policy) {
        GroupExecutor executor = executor(policy.defaultQueueThresholdPerGroup(0));
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();
        return executor;
    }

    private void hold(ExecutorService view) {
        view.submit(gate.holding("done"));
        gate.awaitArrival();
    }

    private static void isRefused(Throwable thrown, String code) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        RejectedTaskException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    // ---- tasks ----

    @Test
    @DisplayName("GX-22 GX-3 the view's tasks are the group's: they count there and wait for the group's own")
    void submit_groupIsBusy_waitsThere() {
        GroupExecutor executor = executor();
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();

        Future<Thread> future = executor.executor("a").submit(Thread::currentThread);

        assertThat(busy(executor, "a").waiting()).isEqualTo(1);
        assertThat(future.isDone()).isFalse();
        gate.open();
        assertThat(valueOf(future).isVirtual()).isTrue();
        assertThat(future.state()).isEqualTo(Future.State.SUCCESS);
    }

    @Test
    @DisplayName("GX-22 submit ends with the value, or with what the task threw in an ExecutionException")
    void submit_valueRunnableAndFailure_asAnyExecutorService() {
        ExecutorService view =
                executor(GroupPolicy.builder().taskLifecycleListener(listener)).executor("a");
        Error error = new AssertionError("failed");

        Future<String> failed = view.submit((Callable<String>) () -> {
            throw error;
        });

        assertThat(valueOf(view.submit(() -> "value"))).isEqualTo("value");
        assertThat(valueOf(view.submit(() -> {}, "given"))).isEqualTo("given");
        assertThatThrownBy(() -> failed.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCause(error);
        assertThat(failed.exceptionNow()).isSameAs(error);
        assertThat(listener.of("executor")).contains("completed FAILED", "completed SUCCESS");
    }

    @Test
    @DisplayName("GX-22 a CompletableFuture runs in the group")
    void execute_supplyAsync_runsInGroup() {
        GroupExecutor executor = executor();

        CompletableFuture<Integer> future =
                CompletableFuture.supplyAsync(() -> busy(executor, "a").running(), executor.executor("a"));

        assertThat(valueOf(future)).isEqualTo(1);
    }

    @Test
    @DisplayName("GX-22 an ExecutorCompletionService runs in the group")
    void execute_completionService_runsInGroup() throws Exception {
        ExecutorCompletionService<String> service =
                new ExecutorCompletionService<>(executor().executor("a"));

        service.submit(() -> "value");

        assertThat(valueOf(service.take())).isEqualTo("value");
    }

    @Test
    @DisplayName(
            "GX-22 GX-10 what execute's runnable throws goes to the uncaught exception handler, and fails the task")
    void execute_throws_handlerHears() throws Exception {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        IllegalStateException thrown = new IllegalStateException("failed");
        AtomicReference<Throwable> heard = new AtomicReference<>();
        CountDownLatch told = new CountDownLatch(1);
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            heard.set(error);
            told.countDown();
            throw new IllegalArgumentException("the handler fails, too");
        });
        try {
            executor.executor("a").execute(() -> {
                throw thrown;
            });
            assertThat(told.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        assertThat(heard.get()).isSameAs(thrown);
        eventually("listener heard", () -> listener.of("executor").contains("completed FAILED"));
        assertThat(listener.results.get("executor").error()).isSameAs(thrown);
    }

    @Test
    @DisplayName("GX-22 GX-10 when a future has ended the permits are back: the next task is not refused by it")
    void get_then_nextIsNotRefused() {
        ExecutorService view = executor(noWaiting()).executor("a");

        for (int i = 0; i < 2_000; i++) {
            int n = i;
            assertThat(valueOf(view.submit(() -> n))).isEqualTo(n);
        }
    }

    @Test
    @DisplayName("GX-22 GX-10 an ended future keeps neither the body nor the task")
    void get_futureIsKept_bodyIsNot() {
        ExecutorService view = executor().executor("a");
        byte[] payload = new byte[1_000];
        WeakReference<byte[]> seen = new WeakReference<>(payload);
        Future<Integer> future = view.submit(lengthOf(payload));
        assertThat(valueOf(future)).isEqualTo(1_000);
        payload = null;

        eventually("body is gone", () -> {
            System.gc();
            return seen.get() == null;
        });
        assertThat(future.resultNow()).isEqualTo(1_000);
    }

    private static Callable<Integer> lengthOf(byte[] payload) {
        return () -> payload.length;
    }

    // ---- refusals ----

    @ParameterizedTest
    @EnumSource(names = {"ABORT", "DISCARD"})
    @DisplayName("GX-22 GX-23 a refusal is thrown where the task is handed in, under ABORT and DISCARD")
    void submit_refused_throws(RejectionPolicy policy) {
        GroupExecutor executor = full(GroupPolicy.builder().rejectionPolicy(policy));
        ExecutorService view = executor.executor("a");
        AtomicInteger runs = new AtomicInteger();
        Callable<String> body = () -> "never " + runs.incrementAndGet();

        assertThatThrownBy(() -> view.execute(runs::incrementAndGet))
                .satisfies(thrown -> isRefused(thrown, "GX_ERR_GROUP_QUEUE"));
        assertThatThrownBy(() -> view.submit(body)).satisfies(thrown -> isRefused(thrown, "GX_ERR_GROUP_QUEUE"));
        assertThatThrownBy(() -> view.invokeAll(List.of(body)))
                .satisfies(thrown -> isRefused(thrown, "GX_ERR_GROUP_QUEUE"));
        assertThatThrownBy(() -> view.invokeAny(List.of(body)))
                .satisfies(thrown -> isRefused(thrown, "GX_ERR_GROUP_QUEUE"));
        assertThat(runs).hasValue(0);
        assertThat(executor.stats().rejected()).isEqualTo(4);
        view.shutdown();
        assertThat(view.isTerminated()).isTrue();
    }

    @Test
    @DisplayName("GX-22 GX-9 CALLER_RUNS: the caller runs it inside submit")
    void submit_callerRuns_runsHere() {
        ExecutorService view = full(GroupPolicy.builder().rejectionPolicy(RejectionPolicy.CALLER_RUNS))
                .executor("a");
        AtomicReference<Thread> executed = new AtomicReference<>();

        Future<Thread> future = view.submit(Thread::currentThread);
        view.execute(() -> executed.set(Thread.currentThread()));

        assertThat(future.resultNow()).isSameAs(Thread.currentThread());
        assertThat(executed).hasValue(Thread.currentThread());
        view.shutdown();
        assertThat(view.isTerminated()).isTrue();
    }

    @Test
    @DisplayName("GX-22 GX-9 what a handler answers is the end of the future")
    void submit_handlerAnswers_isTheFuturesEnd() {
        ExecutorService view = full(GroupPolicy.builder()
                        .rejectionHandler(new Handler(task -> new GroupResult<>(
                                task.groupKey(), task.taskId(), TaskStatus.SUCCESS, "instead", null, 0, 0))))
                .executor("a");

        assertThat(view.submit(() -> "never").resultNow()).isEqualTo("instead");
    }

    @Test
    @DisplayName("GX-22 GX-9 a handler that throws, or answers that the task is rejected, makes submit throw")
    void submit_handlerRejects_throws() {
        IllegalStateException broken = new IllegalStateException("handler");
        ExecutorService throwing = full(GroupPolicy.builder().rejectionHandler(new Handler(task -> {
                    throw broken;
                })))
                .executor("a");
        ExecutorService silent = full(GroupPolicy.builder().rejectionHandler(new Handler(task -> null)))
                .executor("a");
        ExecutorService curt = full(GroupPolicy.builder()
                        .rejectionHandler(new Handler(task -> new GroupResult<>(
                                task.groupKey(), task.taskId(), TaskStatus.REJECTED, null, null, 0, 0))))
                .executor("a");

        assertThatThrownBy(() -> throwing.submit(() -> "never"))
                .hasCause(broken)
                .satisfies(thrown -> isRefused(thrown, "GX_ERR_HANDLER"));
        assertThatThrownBy(() -> silent.submit(() -> "never"))
                .satisfies(thrown -> isRefused(thrown, "GX_ERR_GROUP_QUEUE"));
        assertThatThrownBy(() -> curt.submit(() -> "never")).satisfies(thrown -> isRefused(thrown, "GX_ERR_HANDLER"));
    }

    // ---- cancelling ----

    @Test
    @DisplayName("GX-22 GX-11 cancelling a future that waits takes its task out of the queue")
    void cancel_waiting_leavesQueue() {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        hold(view);
        Future<String> waiting = view.submit(() -> "never");

        assertThat(waiting.cancel(false)).isTrue();

        assertThat(waiting.isCancelled()).isTrue();
        assertThat(busy(executor, "a").waiting()).isZero();
        assertThat(waiting.cancel(true)).as("cancel after the end").isFalse();
        assertThatThrownBy(waiting::get).isInstanceOf(CancellationException.class);
    }

    @Test
    @DisplayName(
            "GX-22 GX-11 cancel(true) of a running one ends the future at once; the permits stay until the body ends")
    void cancel_running_interruptsAndKeepsPermits() {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        Future<String> running = view.submit(gate.holdingDeaf("late"));
        gate.awaitArrival();

        assertThat(running.cancel(true)).isTrue();

        assertThat(running.isCancelled()).isTrue();
        gate.awaitInterrupt();
        assertThat(busy(executor, "a").running()).isEqualTo(1);
        view.shutdown();
        assertThat(view.isTerminated()).isFalse();
        gate.open();
        eventually("view is terminated", view::isTerminated);
    }

    @Test
    @DisplayName("GX-22 GX-11 cancel(false) of a running one ends the future and leaves the body alone")
    void cancelFalse_running_leavesBodyAlone() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        Future<String> running = executor.executor("a").submit(gate.holding("done"));
        gate.awaitArrival();

        assertThat(running.cancel(false)).isTrue();

        assertThat(running.isCancelled()).isTrue();
        gate.open();
        eventually("body has ended", () -> listener.of("executor").contains("completed SUCCESS"));
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-22 GX-16 shutdownGroup cancels the futures of its views, and the views go on")
    void shutdownGroup_cancelsFutures() {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        Future<String> running = view.submit(gate.holding("never"));
        gate.awaitArrival();
        Future<String> waiting = view.submit(() -> "never");

        executor.shutdownGroup("a");

        assertThat(waiting.isCancelled()).isTrue();
        eventually("the running one is cancelled", running::isCancelled);
        assertThat(valueOf(view.submit(() -> "next"))).isEqualTo("next");
    }

    // ---- all and any ----

    @Test
    @DisplayName("GX-22 invokeAll waits for all, failed ones too; with too little time it cancels the rest")
    void invokeAll_waitsOrCancels() throws Exception {
        ExecutorService view = executor().executor("a");
        IllegalStateException thrown = new IllegalStateException("failed");

        List<Future<String>> all = view.invokeAll(List.of(() -> "1", () -> {
            throw thrown;
        }));
        List<Future<String>> rest =
                view.invokeAll(List.of(gate.holding("never"), () -> "never"), 1, TimeUnit.MILLISECONDS);

        assertThat(all.get(0).resultNow()).isEqualTo("1");
        assertThat(all.get(1).exceptionNow()).isSameAs(thrown);
        assertThat(rest).allSatisfy(future -> assertThat(future.isCancelled()).isTrue());
    }

    @Test
    @DisplayName("GX-22 invokeAny returns the first success and cancels the others")
    void invokeAny_firstSuccess_othersCancelled() throws Exception {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(3));
        ExecutorService view = executor.executor("a");

        String first = view.invokeAny(List.of(gate.holding("never"), () -> "first", gate.holding("never")));

        assertThat(first).isEqualTo("first");
        eventually("the others have ended", () -> isIdle(executor.stats()));
        assertThat(gate.arrivals()).isEqualTo(gate.interrupts());
    }

    @Test
    @DisplayName("GX-22 invokeAny fails if all fail, times out if none ends, and wants at least one")
    void invokeAny_noSuccess_throws() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));
        ExecutorService view = executor.executor("a");
        IllegalStateException thrown = new IllegalStateException("failed");
        Callable<String> failing = () -> {
            throw thrown;
        };

        assertThatThrownBy(() -> view.invokeAny(List.of(failing, failing)))
                .isInstanceOf(ExecutionException.class)
                .hasCause(thrown);
        assertThat(listener.of("executor"))
                .filteredOn("completed FAILED"::equals)
                .hasSize(2);
        assertThatThrownBy(() -> view.invokeAny(List.of(gate.holding("never")), 1, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> view.invokeAny(List.<Callable<String>>of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("GX-22 GX-16 invokeAny ends when its tasks are taken out of the queue")
    void invokeAny_shutdownGroup_ends() throws Exception {
        GroupExecutor executor = executor();
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = beside(() -> {
            try {
                executor.executor("a").invokeAny(List.of(() -> "never"));
            } catch (InterruptedException | ExecutionException e) {
                thrown.set(e);
            }
        });
        eventually("it waits", () -> busy(executor, "a").waiting() == 1);

        executor.shutdownGroup("a");

        awaitEnd(caller);
        assertThat(thrown.get()).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(CancellationException.class);
    }

    // ---- shutting down ----

    @Test
    @DisplayName("GX-22 shutdown ends the view and not the group: what it has runs on, others are taken")
    void shutdown_viewOnly() throws Exception {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        hold(view);
        Future<String> waiting = view.submit(() -> "done");

        view.shutdown();

        assertThat(view.isShutdown()).isTrue();
        assertThat(view.isTerminated()).isFalse();
        assertThat(view.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(() -> view.execute(() -> {})).satisfies(thrown -> isRefused(thrown, "GX_ERR_SHUTDOWN"));
        assertThatThrownBy(() -> view.submit(() -> "never")).satisfies(thrown -> isRefused(thrown, "GX_ERR_SHUTDOWN"));
        TaskHandle<String> ofGroup = executor.submit("a", "1", () -> "done");
        Future<String> ofOther = executor.executor("a").submit(() -> "done");
        gate.open();
        assertThat(view.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(view.isTerminated()).isTrue();
        assertThat(waiting.resultNow()).isEqualTo("done");
        assertThat(resultOf(ofGroup).value()).isEqualTo("done");
        assertThat(valueOf(ofOther)).isEqualTo("done");
    }

    @Test
    @DisplayName("GX-22 shutdownNow interrupts the view's running tasks and returns its waiting ones, in order")
    void shutdownNow_returnsWaiting() {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        hold(view);
        AtomicReference<String> done = new AtomicReference<>("");
        Runnable first = () -> done.accumulateAndGet("1", String::concat);
        view.execute(first);
        TaskHandle<String> ofGroup = executor.submit("a", "1", () -> "done");
        Future<String> second = view.submit(() -> done.accumulateAndGet("2", String::concat));

        List<Runnable> unstarted = view.shutdownNow();

        gate.awaitInterrupt();
        assertThat(unstarted).hasSize(2).startsWith(first);
        assertThat(second.isCancelled()).isTrue();
        unstarted.forEach(Runnable::run);
        assertThat(done).hasValue("12");
        eventually("view is terminated", view::isTerminated);
        assertThat(resultOf(ofGroup).value()).isEqualTo("done");
        assertThat(view.shutdownNow()).isEmpty();
    }

    @Test
    @DisplayName("GX-22 close waits for the view's tasks and leaves the group open")
    void close_waits() {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        hold(view);
        Future<String> waiting = view.submit(() -> "done");
        Thread closer = beside(view::close);
        eventually("close has begun", view::isShutdown);

        gate.open();

        awaitEnd(closer);
        assertThat(waiting.resultNow()).isEqualTo("done");
        assertThat(gate.interrupts()).isZero();
        assertThat(statusOf(executor.submit("a", "1", () -> "done"))).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-22 GX-17 GX-23 after a shutdown of the executor its views refuse, and are shut down")
    void shutdown_ofExecutor_viewRefuses() throws Exception {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");

        executor.shutdown();

        assertThatThrownBy(() -> view.execute(() -> {})).satisfies(thrown -> isRefused(thrown, "GX_ERR_SHUTDOWN"));
        assertThat(view.isShutdown()).isTrue();
        assertThat(view.isTerminated()).isTrue();
        assertThat(view.awaitTermination(0, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("GX-22 a thread that waits for a view's end notices the executor's")
    void awaitTermination_executorCloses_ends() throws Exception {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        hold(view);
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread waiter = Thread.ofPlatform().daemon().start(() -> {
            try {
                ended.complete(view.awaitTermination(1, TimeUnit.HOURS));
            } catch (InterruptedException impossible) {
                ended.completeExceptionally(impossible);
            }
        });
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        executor.close();

        assertThat(ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
