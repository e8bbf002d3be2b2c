package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a task that ran ends with, and what is true by then. */
class OutcomeTest extends GroupExecutorContract {
    private static final class Odd extends Throwable {
        private static final long serialVersionUID = 1;
    }

    static Stream<Named<Throwable>> thrown() {
        return Stream.of(
                named("runtime exception", new IllegalStateException("failed")),
                named("checked exception", new IOException("failed")),
                named("error", new AssertionError("failed")),
                named("out of memory", new OutOfMemoryError("made up")),
                named("stack overflow", new StackOverflowError("made up")),
                named("linkage error", new NoClassDefFoundError("made up")),
                named("neither exception nor error", new Odd()));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    @DisplayName("GX-10 FAILED holds whatever was thrown, and the group goes on")
    void submit_bodyThrows_isFailedWithIt(Throwable thrown) {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = executor.submit("a", "1", () -> {
            throw sneaky(thrown);
        });
        TaskHandle<String> next = executor.submit("a", "2", () -> "next");

        GroupResult<String> result = resultOf(handle);

        assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(result.error()).isSameAs(thrown);
        assertThat(result.value()).isNull();
        assertThat(resultOf(next).value()).isEqualTo("next");
    }

    @Test
    @DisplayName("GX-10 a real stack overflow ends the handle too")
    void submit_bodyOverflowsItsStack_isFailed() {
        GroupExecutor executor = executor();

        GroupResult<Integer> result = resultOf(executor.submit("a", "1", () -> deeper(1)));

        assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(result.error()).isInstanceOf(StackOverflowError.class);
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static int deeper(int depth) {
        return deeper(depth + 1) + depth;
    }

    @Test
    @DisplayName("GX-10 a value is SUCCESS, null too")
    void submit_bodyReturns_isSuccess() {
        GroupExecutor executor = executor();

        GroupResult<String> value = resultOf(executor.submit("a", "1", () -> "value"));
        GroupResult<String> none = resultOf(executor.submit("a", "2", () -> null));

        assertThat(value.status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(value.value()).isEqualTo("value");
        assertThat(value.error()).isNull();
        assertThat(value.groupKey()).isEqualTo("a");
        assertThat(value.taskId()).isEqualTo("1");
        assertThat(none.status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(none.value()).isNull();
    }

    @Test
    @DisplayName("GX-10 a task runs on a virtual thread")
    void submit_runs_onVirtualThread() {
        assertThat(resultOf(executor().submit("a", "1", Thread::currentThread))
                        .value()
                        .isVirtual())
                .isTrue();
    }

    static Stream<Named<Callable<String>>> cancelledBodies() {
        return Stream.of(
                named("throws an InterruptedException", () -> {
                    throw new InterruptedException();
                }),
                named("throws a CancellationException", () -> {
                    throw new CancellationException();
                }),
                named("interrupts itself and waits", () -> {
                    Thread.currentThread().interrupt();
                    new Gate().pass();
                    return "never";
                }));
    }

    @ParameterizedTest
    @MethodSource("cancelledBodies")
    @DisplayName("GX-10 interruption and a thrown CancellationException are CANCELLED; the next task sees no interrupt")
    void submit_bodyInterruptedOrCancelled_isCancelled(Callable<String> body) {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = executor.submit("a", "1", body);
        TaskHandle<Boolean> next =
                executor.submit("a", "2", () -> Thread.currentThread().isInterrupted());

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(next).value()).isFalse();
    }

    @Test
    @DisplayName("GX-10 a body that swallows an interrupt and returns is what it returned")
    void cancel_bodySwallowsInterrupt_isSuccess() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        TaskHandle<String> handle = executor.submit("a", "1", gate.holdingDeaf("done all the same"));
        gate.awaitArrival();
        handle.cancel(true);
        gate.awaitInterrupt();

        gate.open();

        assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.SUCCESS);
        assertThat(resultOf(handle).value()).isEqualTo("done all the same");
    }

    @Test
    @DisplayName(
            "GX-10 permits are back before the handle is seen as done: with no waiting, the next task is never refused")
    void await_done_placeIsFree() {
        GroupExecutor executor = executor(noWaiting().globalMaxInFlight(1).defaultMaxInFlightPerGroup(1));
        for (int i = 0; i < 20_000; i++) {
            TaskHandle<Integer> handle = executor.submit("a", "task", () -> 1);
            if (i % 2 == 0) {
                eventually("done", handle::isDone);
            }
            assertThat(statusOf(handle)).as("round %d", i).isEqualTo(TaskStatus.SUCCESS);
        }
    }

    @Test
    @DisplayName("GX-10 GX-12 a dependent of the future finds the permits back and the stats at rest")
    void toCompletableFuture_dependent_findsPlaceFree() {
        GroupExecutor executor = executor(noWaiting());
        CompletableFuture<TaskStatus> chain = CompletableFuture.completedFuture(TaskStatus.SUCCESS);
        for (int i = 0; i < 2_000; i++) {
            chain = chain.thenCompose(status -> {
                assertThat(status).isEqualTo(TaskStatus.SUCCESS);
                return executor.submit("a", "task", () -> 1)
                        .toCompletableFuture()
                        .thenApply(GroupResult::status);
            });
        }

        assertThat(chain.join()).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName("GX-10 onCompleted has run before the handle is seen as done")
    void await_done_listenerHasHeard() {
        AtomicInteger heard = new AtomicInteger();
        AtomicReference<TaskHandle<?>> current = new AtomicReference<>();
        AtomicInteger doneTooEarly = new AtomicInteger();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                if (current.get().isDone()) {
                    doneTooEarly.incrementAndGet();
                }
                heard.incrementAndGet();
            }
        }));
        for (int i = 1; i <= 5_000; i++) {
            Gate gate = new Gate();
            TaskHandle<String> handle = executor.submit("a", "task", gate.holding("done"));
            current.set(handle);
            gate.open();
            eventually("done", handle::isDone);
            assertThat(heard).hasValue(i);
        }

        assertThat(doneTooEarly).hasValue(0);
    }

    @Test
    @DisplayName("GX-10 a finished task, its body and its value are not retained")
    void finished_handleDropped_isCollected() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2));
        List<WeakReference<Object>> traces = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            byte[] body = new byte[1];
            traces.add(new WeakReference<>(body));
            GroupResult<byte[]> result = resultOf(executor.submit("a", "1", () -> new byte[body.length]));
            traces.add(new WeakReference<>(result.value()));
            GroupResult<byte[]> failed = resultOf(executor.submit("a", "1", () -> {
                throw new IllegalStateException("failed " + body.length);
            }));
            traces.add(new WeakReference<>(failed.error()));
        }

        eventually("all is collected", () -> {
            System.gc();
            return traces.stream().allMatch(trace -> trace.refersTo(null));
        });
    }

    @Test
    @DisplayName("GX-14 the duration is running time: waiting is not in it")
    void durationNanos_waitedBefore_countsRunningOnly() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        AtomicLong inside = new AtomicLong();
        TaskHandle<String> handle = executor.submit("a", "1", () -> {
            long start = System.nanoTime();
            pass(2_000_000);
            inside.set(System.nanoTime() - start);
            return "done";
        });
        pass(50_000_000);
        long released = System.nanoTime();

        gate.open();

        GroupResult<String> result = resultOf(handle);
        assertThat(result.durationNanos())
                .isEqualTo(result.endTimeNanos() - result.startTimeNanos())
                .isBetween(inside.get(), System.nanoTime() - released);
    }

    @Test
    @DisplayName("GX-14 what failed or was interrupted has the time it ran")
    void durationNanos_failedOrCancelled_isTheTimeItRan() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        TaskHandle<String> failed = executor.submit("a", "1", () -> {
            pass(2_000_000);
            throw new IllegalStateException("failed");
        });
        assertThat(resultOf(failed).durationNanos()).isGreaterThanOrEqualTo(2_000_000);
        TaskHandle<String> cancelled = executor.submit("a", "2", gate.holding("never"));
        gate.awaitArrival();
        pass(2_000_000);
        cancelled.cancel(true);

        assertThat(resultOf(cancelled).durationNanos()).isGreaterThanOrEqualTo(2_000_000);
    }

    @Test
    @DisplayName("GX-14 what never ran has the duration 0")
    void durationNanos_neverRan_isZero() {
        GroupExecutor executor = executor(noWaiting().defaultQueueThresholdPerGroup(1));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        TaskHandle<String> cancelled = executor.submit("a", "1", () -> "never");
        TaskHandle<String> refused = executor.submit("a", "2", () -> "never");
        pass(1_000_000);
        cancelled.cancel(true);

        assertThat(resultOf(cancelled).durationNanos()).isZero();
        assertThat(resultOf(refused).durationNanos()).isZero();
    }
}
