package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each rule promises, in its plainest case. */
@Timeout(600)
class GroupExecutorTest {
    private final List<GroupExecutor> executors = new ArrayList<>();
    private final List<CountDownLatch> gates = new ArrayList<>();

    private GroupExecutor executor(GroupPolicy.Builder policy) {
        GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy.build());
        executors.add(executor);
        return executor;
    }

    @AfterEach
    void everythingEnds() {
        gates.forEach(CountDownLatch::countDown);
        for (GroupExecutor executor : executors) {
            executor.close();
            GroupExecutorStats stats = executor.stats();
            assertThat(stats.running() + stats.waiting()).isZero();
            assertThat(stats.submitted()).isEqualTo(stats.completed() + stats.rejected());
        }
    }

    /** A body that runs until its gate opens. */
    private final class Blocked {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);

        Blocked() {
            gates.add(gate);
        }

        String call() throws InterruptedException {
            begun.countDown();
            gate.await();
            return "done";
        }

        void awaitBegun() throws InterruptedException {
            begun.await();
        }
    }

    private Blocked block(GroupExecutor executor, String key) throws InterruptedException {
        Blocked blocked = new Blocked();
        executor.submit(key, "blocked", blocked::call);
        blocked.awaitBegun();
        return blocked;
    }

    @Test
    @DisplayName("GX-1 bad limits are named")
    void build_badLimit_isNamed() {
        assertThatThrownBy(() ->
                        GroupPolicy.builder().defaultMaxConcurrencyPerGroup(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("defaultMaxConcurrencyPerGroup: 0 (expected: >= 1)");
        assertThatThrownBy(() -> GroupPolicy.builder()
                        .perGroupQueueThreshold(Map.of("a", -1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("perGroupQueueThreshold[a]: -1 (expected: >= 0)");
    }

    @Test
    @DisplayName("GX-1 the defaults")
    void groupStats_defaults() {
        GroupExecutor executor = executor(GroupPolicy.builder());
        executor.submit("a", "task", () -> "done").join();

        assertThat(executor.groupStats("a"))
                .contains(new GroupStats("a", 0, 0, 0, 1, Integer.MAX_VALUE, Integer.MAX_VALUE, 0));
    }

    @Test
    @DisplayName("GX-2 own entry, resolver, default; the first answer stays until the group is evicted")
    void concurrency_resolvedOnce() {
        AtomicInteger answer = new AtomicInteger(3);
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(7)
                .perGroupMaxConcurrency(Map.of("own", 2))
                .concurrencyResolver(key -> {
                    if (key.equals("bad")) {
                        throw new IllegalStateException("no answer");
                    }
                    return answer.get();
                }));

        assertThat(concurrency(executor, "own")).isEqualTo(2);
        assertThat(concurrency(executor, "resolved")).isEqualTo(3);
        assertThat(concurrency(executor, "bad")).isEqualTo(7);
        answer.set(0);
        assertThat(concurrency(executor, "resolved")).isEqualTo(3);
        executor.evictGroup("resolved");
        assertThat(concurrency(executor, "resolved")).isEqualTo(7);
    }

    private static int concurrency(GroupExecutor executor, String key) {
        executor.submit(key, "task", () -> "done").join();
        return executor.groupStats(key).orElseThrow().maxConcurrency();
    }

    @Test
    @DisplayName("GX-3 of a group no more run at once than its limit, and another one does not wait for it")
    void testMaxConcurrencyPerGroup() throws InterruptedException {
        int limit = 3;
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(limit));
        CountDownLatch begun = new CountDownLatch(limit);
        CountDownLatch gate = new CountDownLatch(1);
        gates.add(gate);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<TaskHandle<Integer>> handles = new ArrayList<>();

        for (int i = 0; i < 10; i++) {
            handles.add(executor.submit("a", "task " + i, () -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                begun.countDown();
                gate.await();
                return inside.decrementAndGet();
            }));
        }

        begun.await();
        GroupStats stats = executor.groupStats("a").orElseThrow();
        assertThat(stats.running()).isEqualTo(limit);
        assertThat(stats.waiting()).isEqualTo(10 - limit);
        assertThat(executor.submit("b", "task", () -> "done").join().status()).isEqualTo(TaskStatus.SUCCESS);
        gate.countDown();
        assertThat(handles)
                .allSatisfy(handle -> assertThat(handle.join().status()).isEqualTo(TaskStatus.SUCCESS));
        assertThat(most).hasValue(limit);
    }

    @Test
    @DisplayName("GX-4 ten that wait in one group leave the permits to others")
    void waiting_holdsNothing() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(10));
        block(executor, "a");
        for (int i = 0; i < 10; i++) {
            executor.submit("a", "waits", () -> "done");
        }

        assertThat(executor.submit("b", "task", () -> "done").join().status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(executor.groupStats("a").orElseThrow().waiting()).isEqualTo(10);
    }

    @Test
    @DisplayName("GX-5 a stage holds the flight, not the group")
    void submitStage_pending_isInFlightOnly() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxInFlightPerGroup(2));
        CompletableFuture<String> stage = new CompletableFuture<>();
        TaskHandle<String> handle = executor.submitStage("a", "stage", () -> stage);

        executor.submit("a", "task", () -> "done").join();
        GroupStats pending = executor.groupStats("a").orElseThrow();
        assertThat(pending.running()).isZero();
        assertThat(pending.inFlight()).isEqualTo(1);

        stage.completeExceptionally(new CompletionException(new IllegalStateException("failed")));
        GroupResult<String> result = handle.join();
        assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(result.error()).isInstanceOf(IllegalStateException.class);
        assertThat(executor.stats().inFlight()).isZero();
    }

    @Test
    @DisplayName("GX-5 cancelled while the stage is pending: the handle ends, the permits stay")
    void submitStage_cancelled_keepsItsPermits() {
        GroupExecutor executor = executor(GroupPolicy.builder());
        CompletableFuture<String> stage = new CompletableFuture<>();
        TaskHandle<String> handle = executor.submitStage("a", "stage", () -> stage);
        while (stage.getNumberOfDependents() == 0) { // the executor does not know of its end until then
            Thread.yield();
        }

        assertThat(handle.cancel(false)).isTrue();
        assertThat(handle.join().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(executor.stats().inFlight()).isEqualTo(1);
        stage.complete("late");
        assertThat(executor.stats().inFlight()).isZero();
        assertThat(handle.cancel(true)).isFalse();
    }

    @Test
    @DisplayName("GX-5 no stage is a failure")
    void submitStage_null_fails() {
        GroupExecutor executor = executor(GroupPolicy.builder());

        GroupResult<String> result =
                executor.<String>submitStage("a", "stage", () -> null).join();

        assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(result.error()).isInstanceOf(NullPointerException.class);
        assertThat(executor.stats().inFlight()).isZero();
    }

    @Test
    @DisplayName("GX-6 one more than may wait is refused, in the group and in all")
    void submit_overThreshold_isRefused() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultQueueThresholdPerGroup(1)
                .globalQueueThreshold(2)
                .rejectionPolicy(RejectionPolicy.DISCARD));
        for (String key : List.of("a", "b", "c")) {
            block(executor, key);
        }
        executor.submit("a", "waits", () -> "done");

        assertThat(executor.submit("a", "over", () -> "done").join().status()).isEqualTo(TaskStatus.REJECTED);
        executor.submit("b", "waits", () -> "done");
        assertThat(executor.submit("c", "over", () -> "done").join().status()).isEqualTo(TaskStatus.REJECTED);
    }

    @Test
    @DisplayName("GX-7 in the order of submission within a group, and in turn among groups")
    void start_order_isSubmissionWithinAndTurnsAmongGroups() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Blocked first = block(executor, "a");
        ConcurrentLinkedQueue<String> started = new ConcurrentLinkedQueue<>();
        List<TaskHandle<Boolean>> handles = new ArrayList<>();
        for (String id : List.of("b1", "c1", "b2", "a1", "c2", "a2")) {
            handles.add(executor.submit(id.substring(0, 1), id, () -> started.add(id)));
        }
        first.gate.countDown();
        handles.forEach(TaskHandle::join);

        assertThat(started).containsExactly("a1", "b1", "c1", "a2", "b2", "c2");
    }

    @Test
    @DisplayName("GX-9 GX-12 ABORT throws from the handle, and fails its future")
    void refused_abort_throwsFromTheHandle() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultQueueThresholdPerGroup(0));
        block(executor, "a");

        TaskHandle<String> handle = executor.submit("a", "task", () -> "done");

        assertThat(handle.isDone()).isTrue();
        assertThatThrownBy(handle::join)
                .isInstanceOf(RejectedTaskException.class)
                .hasMessageContaining("'task'");
        assertThatThrownBy(handle::await).isInstanceOf(RejectedTaskException.class);
        assertThatThrownBy(handle.toCompletableFuture()::join).hasCauseInstanceOf(RejectedTaskException.class);
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS runs on the submitting thread, without permits")
    void refused_callerRuns_runsHere() throws InterruptedException {
        GroupExecutor executor = executor(
                GroupPolicy.builder().defaultQueueThresholdPerGroup(0).rejectionPolicy(RejectionPolicy.CALLER_RUNS));
        block(executor, "a");

        GroupResult<Thread> result =
                executor.submit("a", "task", Thread::currentThread).join();
        CompletableFuture<String> stage = new CompletableFuture<>();
        TaskHandle<String> staged = executor.submitStage("a", "stage", () -> stage);

        assertThat(result.value()).isSameAs(Thread.currentThread());
        assertThat(staged.isDone()).isFalse();
        CompletableFuture<GroupResult<String>> future = staged.toCompletableFuture();
        stage.complete("done");
        assertThat(staged.join().value()).isEqualTo("done");
        assertThat(future.join().value()).isEqualTo("done");
        assertThat(executor.stats().rejected()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-9 the handler's answer is the result; a throw and a null are REJECTED")
    void refused_handler_decides() throws InterruptedException {
        IllegalStateException thrown = new IllegalStateException("handler");
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultQueueThresholdPerGroup(0)
                .rejectionHandler(new RejectionHandler() {
                    @Override
                    public <T> @Nullable GroupResult<T> onRejected(GroupTask<T> task) {
                        return switch (task.taskId()) {
                            case "throws" -> throw thrown;
                            case "null" -> null;
                            default -> new GroupResult<>("a", task.taskId(), TaskStatus.SUCCESS, null, null, 0, 0);
                        };
                    }
                }));
        block(executor, "a");

        assertThat(executor.submit("a", "ok", () -> "done").join().status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(executor.submit("a", "null", () -> "done").join().status()).isEqualTo(TaskStatus.REJECTED);
        assertThat(executor.submit("a", "throws", () -> "done").join().error()).isSameAs(thrown);
    }

    @Test
    @DisplayName("GX-10 what was thrown, errors too; interrupts and cancellations are CANCELLED; null is a value")
    void end_status_isWhatTheBodyDid() {
        GroupExecutor executor = executor(GroupPolicy.builder());
        StackOverflowError error = new StackOverflowError();

        assertThat(executor.submit("a", "null", () -> null).join().status()).isEqualTo(TaskStatus.SUCCESS);
        GroupResult<?> failed = executor.submit("a", "error", () -> {
                    throw error;
                })
                .join();
        assertThat(failed.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(failed.error()).isSameAs(error);
        assertThat(executor.submit("a", "interrupted", () -> {
                            throw new InterruptedException();
                        })
                        .join()
                        .status())
                .isEqualTo(TaskStatus.CANCELLED);
        assertThat(executor.submit("a", "cancelled", () -> {
                            throw new CancellationException();
                        })
                        .join()
                        .status())
                .isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-10 no thread to be had: FAILED, and the permits are back")
    void start_noThread_fails() {
        OutOfMemoryError error = new OutOfMemoryError("no thread");
        VirtualThreadGroupExecutor executor = new VirtualThreadGroupExecutor(
                GroupPolicy.builder().globalMaxInFlight(1).build(), body -> {
                    throw error;
                });
        executors.add(executor);

        for (int i = 0; i < 3; i++) {
            GroupResult<String> result =
                    executor.submit("a", "task", () -> "done").join();
            assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
            assertThat(result.error()).isSameAs(error);
        }
    }

    @Test
    @DisplayName("GX-11 a waiting task leaves at once; a running one is interrupted only if asked")
    void cancel_waitingAndRunning() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultQueueThresholdPerGroup(1));
        Blocked body = new Blocked();
        TaskHandle<String> running = executor.submit("a", "running", body::call);
        body.awaitBegun();
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "done");

        assertThat(waiting.cancel(false)).isTrue();
        assertThat(waiting.join().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(waiting.join().durationNanos()).isZero();
        TaskHandle<Boolean> next =
                executor.submit("a", "next", () -> Thread.currentThread().isInterrupted());
        assertThat(running.cancel(false)).isFalse();
        assertThat(running.isDone()).isFalse();
        assertThat(running.cancel(true)).isTrue();
        assertThat(running.join().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(running.cancel(true)).isFalse();
        assertThat(next.join().value()).isFalse();
    }

    @Test
    @DisplayName("GX-12 a time-out leaves the task alone; the future's cancel is the task's")
    void await_timeout_leavesTheTaskAlone() throws Exception {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = new Blocked();
        TaskHandle<String> handle = executor.submit("a", "task", body::call);
        body.awaitBegun();

        assertThatThrownBy(() -> handle.await(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> handle.join(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(handle.isDone()).isFalse();
        CompletableFuture<GroupResult<String>> future = handle.toCompletableFuture();
        assertThat(future.cancel(false)).isTrue();
        assertThat(handle.await().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(future.join()).isSameAs(handle.join());
        assertThat(handle.toCompletableFuture().join()).isSameAs(handle.join());
    }

    @Test
    @DisplayName("GX-12 a dependent that blocks does not hold back the group's next task")
    void toCompletableFuture_blockingDependent_holdsNobodyBack() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = new Blocked();
        TaskHandle<String> handle = executor.submit("a", "task", body::call);
        TaskHandle<String> next = executor.submit("a", "next", () -> "next");
        CompletableFuture<String> both = handle.toCompletableFuture()
                .thenApply(result -> result.value() + " " + next.join().value());
        body.gate.countDown();

        assertThat(both.join()).isEqualTo("done next");
    }

    @Test
    @DisplayName("GX-13 one result each, in order, refusals too")
    void executeAll_results_inOrder() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultQueueThresholdPerGroup(0));
        CountDownLatch last = new CountDownLatch(1);
        List<GroupTask<String>> tasks = List.of(
                new GroupTask<>("a", "1", () -> {
                    last.await();
                    return "1";
                }),
                new GroupTask<>("a", "2", () -> "2"),
                new GroupTask<>("b", "3", () -> {
                    last.countDown();
                    throw new IllegalStateException("3");
                }));

        List<GroupResult<String>> results = executor.executeAll(tasks);

        assertThat(results).extracting(GroupResult::taskId).containsExactly("1", "2", "3");
        assertThat(results)
                .extracting(GroupResult::status)
                .containsExactly(TaskStatus.SUCCESS, TaskStatus.REJECTED, TaskStatus.FAILED);
    }

    @Test
    @DisplayName("GX-13 an interrupted caller cancels the rest and keeps its flag")
    void executeAll_interrupted_cancelsTheRest() {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = new Blocked();
        AtomicInteger ran = new AtomicInteger();
        Thread.currentThread().interrupt();

        List<GroupResult<Object>> results = executor.executeAll(
                List.of(new GroupTask<>("a", "1", body::call), new GroupTask<>("a", "2", ran::incrementAndGet)));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(results).extracting(GroupResult::status).containsOnly(TaskStatus.CANCELLED);
        assertThat(ran).hasValue(0);
    }

    @Test
    @DisplayName("GX-15 a busy group is forgotten when it is idle")
    void evictGroup_busy_isForgottenWhenIdle() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = block(executor, "a");
        TaskHandle<String> last = executor.submit("a", "last", () -> {
            executor.evictGroup("a");
            return "done";
        });
        executor.evictGroup("a");

        assertThat(executor.groupStats("a")).isPresent();
        body.gate.countDown();
        last.join();
        assertThat(executor.groupStats("a")).isEmpty();
    }

    @Test
    @DisplayName("GX-16 shutdownGroup ends its own, and the group can be used again")
    void shutdownGroup_endsItsOwn() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = new Blocked();
        Blocked other = block(executor, "b");
        TaskHandle<String> running = executor.submit("a", "running", body::call);
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "done");
        body.awaitBegun();

        executor.shutdownGroup("a");

        assertThat(waiting.join().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(running.join().status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(other.gate.getCount()).isEqualTo(1);
        assertThat(executor.groupStats("b").orElseThrow().running()).isEqualTo(1);
        assertThat(executor.submit("a", "again", () -> "done").join().status()).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-17 shutdown takes no more, and lets the accepted end")
    void shutdown_letsAcceptedEnd() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = new Blocked();
        TaskHandle<String> running = executor.submit("a", "running", body::call);
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "done");

        executor.shutdown();

        assertThatThrownBy(() -> executor.submit("a", "late", () -> "done")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> executor.executeAll(List.of())).isInstanceOf(IllegalStateException.class);
        body.gate.countDown();
        assertThat(executor.shutdown(Duration.ofMinutes(2))).isTrue();
        assertThat(running.join().status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(waiting.join().status()).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-17 a body that does not listen: shutdown says so, and close waits for it")
    void shutdown_deafBody_isFalse() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        TaskHandle<String> deaf = executor.submit("a", "deaf", () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException goesOn) {
                interrupted.countDown();
            }
            gate.await();
            return "deaf";
        });

        assertThat(executor.shutdown(Duration.ofMillis(50))).isFalse();
        interrupted.await();
        gate.countDown();
        assertThat(executor.shutdown(Duration.ofMinutes(2))).isTrue();
        assertThat(deaf.join().value()).isEqualTo("deaf");
    }

    @Test
    @DisplayName("GX-17 close from inside tasks waits for neither of them")
    void close_fromInside_doesNotWaitForItself() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        CountDownLatch both = new CountDownLatch(2);
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (String key : List.of("a", "b")) {
            handles.add(executor.submit(key, "closes", () -> {
                both.countDown();
                both.await();
                executor.close();
                return "closed";
            }));
        }

        for (TaskHandle<String> handle : handles) {
            assertThat(handle.join().status()).isIn(TaskStatus.SUCCESS, TaskStatus.CANCELLED);
        }
        executor.close();
    }

    @Test
    @DisplayName("GX-17 GX-18 close from any callback does not hang")
    void close_fromListener_doesNotHang() {
        for (String when : List.of("submitted", "started", "completed", "rejected")) {
            AtomicReference<GroupExecutor> it = new AtomicReference<>();
            GroupExecutor executor = executor(GroupPolicy.builder()
                    .rejectionPolicy(RejectionPolicy.DISCARD)
                    .taskLifecycleListener(new Telling(news -> {
                        if (news.startsWith(when)) {
                            it.get().close();
                        }
                    })));
            it.set(executor);

            if (when.equals("submitted")) {
                assertThatThrownBy(() -> executor.submit("a", "task", () -> "done"))
                        .isInstanceOf(IllegalStateException.class);
            } else {
                assertThat(executor.submit("a", "task", () -> "done").join().status())
                        .isIn(TaskStatus.SUCCESS, TaskStatus.CANCELLED);
            }
        }
    }

    /** Notes each callback in words. */
    private record Telling(java.util.function.Consumer<String> heard) implements TaskLifecycleListener {
        @Override
        public void onSubmitted(GroupTask<?> task) {
            heard.accept("submitted " + task.taskId());
        }

        @Override
        public void onStarted(GroupTask<?> task) {
            heard.accept("started " + task.taskId());
        }

        @Override
        public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
            heard.accept("completed " + task.taskId() + " " + result.status());
        }

        @Override
        public void onRejected(GroupTask<?> task) {
            heard.accept("rejected " + task.taskId());
        }
    }

    @Test
    @DisplayName("GX-18 each task's story, told once, whatever the listener throws")
    void listener_order() throws InterruptedException {
        ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultQueueThresholdPerGroup(1)
                .rejectionPolicy(RejectionPolicy.CALLER_RUNS)
                .taskLifecycleListener(new Telling(news -> {
                    told.add(news);
                    throw new IllegalStateException("listener");
                })));
        Blocked body = new Blocked();
        TaskHandle<String> running = executor.submit("a", "1", body::call);
        body.awaitBegun();
        TaskHandle<String> waiting = executor.submit("a", "2", () -> "done");
        executor.submit("a", "3", () -> "done");
        waiting.cancel(false);
        body.gate.countDown();
        running.join();

        assertThat(told)
                .containsExactly(
                        "submitted 1",
                        "started 1",
                        "submitted 2",
                        "submitted 3",
                        "rejected 3",
                        "completed 2 CANCELLED",
                        "completed 1 SUCCESS");
    }

    @Test
    @DisplayName("GX-14 the duration is without the wait")
    void duration_excludesTheWait() throws InterruptedException {
        GroupExecutor executor = executor(GroupPolicy.builder());
        Blocked body = new Blocked();
        TaskHandle<String> first = executor.submit("a", "first", body::call);
        TaskHandle<Long> second = executor.submit("a", "second", System::nanoTime);
        body.awaitBegun();
        long released = System.nanoTime();
        body.gate.countDown();

        assertThat(second.join().startTimeNanos() - released).isNotNegative();
        assertThat(second.join().startTimeNanos() - first.join().endTimeNanos()).isNotNegative();
        assertThat(second.join().value() - second.join().startTimeNanos()).isNotNegative();
    }

    @Test
    @DisplayName("GX-19 a group used and evicted is gone")
    void evictGroup_idle_isGone() {
        GroupExecutor executor = executor(GroupPolicy.builder());
        for (int i = 0; i < 1_000; i++) {
            executor.submit("group " + i, "task", () -> "done").join();
            executor.evictGroup("group " + i);
        }

        assertThat(executor.stats().groups()).isZero();
        assertThat(executor.stats().completed()).isEqualTo(1_000);
    }
}
