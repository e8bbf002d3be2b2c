package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks for whose result there is no memory. */
@Timeout(600)
class NoMemoryTest {
    private static final int PATIENCE_SECONDS = 600;

    private final OutOfMemoryError noMemory = new OutOfMemoryError("for a test");
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger told = new AtomicInteger();
    private VirtualThreadGroupExecutor executor = executor(GroupPolicy.builder());

    private static VirtualThreadGroupExecutor executor(GroupPolicy.Builder policy) {
        return new VirtualThreadGroupExecutor(policy.globalMaxInFlight(1).build());
    }

    /** A task whose first results cannot be made. */
    private final class Poor<T> extends Task<T> {
        private final AtomicInteger without;

        Poor(Group group, String taskId, Object work, int without) {
            super(group, taskId, work);
            this.without = new AtomicInteger(without);
        }

        @Override
        GroupResult<T> makeResult(
                TaskStatus status, @Nullable Object value, @Nullable Throwable error, long start, long end) {
            if (without.getAndDecrement() > 0) {
                throw noMemory;
            }
            return super.makeResult(status, value, error, start, end);
        }
    }

    private Task<String> poor(String body) {
        return poor(body, 1);
    }

    private Task<String> poor(String body, int without) {
        return executor.enter(
                new GroupTask<>("a", "poor", () -> {
                    assertThat(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                            .isTrue();
                    if (body == null) {
                        throw new IllegalStateException("failed");
                    }
                    return body;
                }),
                (group, taskId, work) -> new Poor<>(group, taskId, work, without));
    }

    /** Closes the executor first, because a task's thread may still run after the task's end is visible. */
    @AfterEach
    void nothingIsLeft() {
        release.countDown();
        executor.close();
        GroupExecutorStats stats = executor.stats();
        assertThat(stats.inFlight()).isZero();
        assertThat(stats.waiting()).isZero();
        assertThat(stats.submitted()).isEqualTo(stats.completed() + stats.rejected());
    }

    private void assertNextRuns(TaskHandle<String> next) throws Exception {
        assertThat(next.await(PATIENCE_SECONDS, TimeUnit.SECONDS).value()).isEqualTo("next");
    }

    @Test
    @DisplayName("GX-10 no memory for the result: FAILED with that, the same for all who ask, and the permits are back")
    void end_noMemory_failsWithThat() throws Exception {
        for (String body : List.of("done", "failed")) {
            Task<String> task = poor(body.equals("done") ? body : null);
            TaskHandle<String> next = executor.submit("b", "next", () -> "next");
            release.countDown();

            GroupResult<String> result = task.await(PATIENCE_SECONDS, TimeUnit.SECONDS);

            assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
            assertThat(result.error()).isSameAs(noMemory);
            assertThat(result.value()).isNull();
            assertThat(result.durationNanos()).isZero();
            assertThat(task.join()).isSameAs(result);
            assertThat(task.toCompletableFuture().join()).isSameAs(result);
            assertNextRuns(next);
        }
    }

    @Test
    @DisplayName("GX-10 no memory for the result and its reader: the reader is told, and may ask again")
    void await_noMemory_asksAgain() throws Exception {
        Task<String> task = poor("done", 2);
        release.countDown();

        Throwable first = null;
        try {
            task.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (OutOfMemoryError thrown) {
            first = thrown;
        }

        assertThat(first).isSameAs(noMemory);
        assertThat(task.isDone()).isTrue();
        assertThat(task.await().error()).isSameAs(noMemory);
    }

    @Test
    @DisplayName("GX-10 no memory for the result: a future that was asked for ends too, and runs its dependents")
    void toCompletableFuture_noMemory_ends() throws Exception {
        Task<String> task = poor("done", 2);
        CompletableFuture<GroupResult<String>> future = task.toCompletableFuture();
        CompletableFuture<TaskStatus> dependent = future.thenApply(GroupResult::status);
        TaskHandle<String> next = executor.submit("b", "next", () -> "next");
        release.countDown();

        assertThat(dependent.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(TaskStatus.FAILED);

        assertThat(future.join().error()).isInstanceOf(OutOfMemoryError.class);
        assertThat(future.join().taskId()).isEqualTo("poor");
        assertNextRuns(next);
    }

    @Test
    @DisplayName("GX-11 no memory for the result of what is cancelled: CANCELLED")
    void cancel_noMemory_isCancelled() throws Exception {
        TaskHandle<String> before = executor.submit("b", "before", () -> {
            assertThat(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return "before";
        });
        Task<String> waiting = poor("never");

        assertThat(waiting.cancel(false)).isTrue();

        assertThat(waiting.isDone()).isTrue();
        assertThat(waiting.join().status()).isEqualTo(TaskStatus.CANCELLED);
        TaskHandle<String> next = executor.submit("b", "next", () -> "next");
        release.countDown();
        assertThat(before.join().status()).isEqualTo(TaskStatus.SUCCESS);
        assertNextRuns(next);
    }

    @Test
    @DisplayName("GX-10 GX-11 no memory for results: what is added to the error of one, others do not see")
    void error_noMemory_isOfOneTask() throws Exception {
        TaskHandle<String> before = executor.submit("b", "before", () -> {
            assertThat(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return "before";
        });
        List<Task<String>> waiting = List.of(poor("never"), poor("never"));
        waiting.forEach(task -> assertThat(task.cancel(false)).isTrue());
        assertNothingIsShared(waiting.stream().map(task -> task.join().error()).toList());
        release.countDown();
        before.join();

        List<Throwable> errors = new ArrayList<>();
        for (Task<String> task : List.of(poor("done", 2), poor("done", 2))) {
            errors.add(task.toCompletableFuture()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .error());
        }
        assertThat(errors).doesNotContain(noMemory);
        assertNothingIsShared(errors);
    }

    private static void assertNothingIsShared(List<Throwable> errors) {
        errors.get(0).addSuppressed(new IllegalStateException());
        assertThat(errors.get(1).getSuppressed()).isEmpty();
    }

    @Test
    @DisplayName("GX-18 no memory for the result: a listener is not told of that end, and the next task runs")
    void end_noMemoryAndListener_nextRuns() throws Exception {
        executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                told.incrementAndGet();
                throw noMemory;
            }
        }));
        Task<String> task = poor("done");
        TaskHandle<String> next = executor.submit("a", "next", () -> "next");
        release.countDown();

        assertThat(task.await(PATIENCE_SECONDS, TimeUnit.SECONDS).error()).isSameAs(noMemory);
        assertNextRuns(next);
        assertThat(told).hasValue(1);
    }

    @Test
    @DisplayName("GX-10 no memory for any result: nothing is lost, and close comes to its end")
    void close_noMemoryForResults_returns() {
        release.countDown();
        for (int i = 0; i < 100; i++) {
            poor("done", Integer.MAX_VALUE);
        }

        executor.close();

        assertThat(executor.stats().completed()).isEqualTo(100);
    }
}
