package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupExecutorStats;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handler of refusals may do. */
class RejectionHandlerTest extends GroupExecutorContract {
    private final Gate gate = gate();
    private final AtomicReference<GroupExecutor> self = new AtomicReference<>();

    private GroupExecutor full(RejectionPolicy policy, Function<GroupTask<?>, GroupResult<?>> handler) {
        GroupExecutor executor = executor(noWaiting().rejectionPolicy(policy).rejectionHandler(new Handler(handler)));
        self.set(executor);
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();
        return executor;
    }

    private GroupExecutor full(Function<GroupTask<?>, GroupResult<?>> handler) {
        return full(RejectionPolicy.ABORT, handler);
    }

    private static GroupResult<String> answer(GroupTask<?> task, String value) {
        return new GroupResult<>(task.groupKey(), task.taskId(), TaskStatus.SUCCESS, value, null, 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("GX-9 a handler goes before every policy, and its answer is the result")
    void submit_handlerSet_itsAnswerIsTheResult(RejectionPolicy policy) {
        Meter runs = new Meter();
        GroupExecutor executor = full(policy, task -> answer(task, "instead"));

        TaskHandle<Object> handle = executor.submit("a", "refused", () -> runs.around(null));

        assertThat(handle.isDone()).isTrue();
        assertThat(resultOf(handle)).isEqualTo(answer(new GroupTask<>("a", "refused", () -> null), "instead"));
        assertThat(runs.entries()).isZero();
    }

    @Test
    @DisplayName("GX-9 the handler is given the task that was submitted, on the submitting thread, after onRejected")
    void submit_handlerSet_isGivenTheTask() {
        List<String> order = new CopyOnWriteArrayList<>();
        AtomicReference<GroupTask<?>> given = new AtomicReference<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        GroupExecutor executor = executor(noWaiting()
                .rejectionHandler(new Handler(task -> {
                    order.add("handler");
                    given.set(task);
                    thread.set(Thread.currentThread());
                    return answer(task, "instead");
                }))
                .taskLifecycleListener(new TaskLifecycleListener() {
                    @Override
                    public void onRejected(GroupTask<?> task) {
                        order.add("onRejected");
                    }
                }));
        executor.submit("a", "holder", gate.holding("done"));
        GroupTask<String> task = new GroupTask<>("a", "refused", () -> "never");

        resultOf(executor.submit(task));

        assertThat(order).containsExactly("onRejected", "handler");
        assertThat(given.get()).isEqualTo(task);
        assertThat(thread).hasValue(Thread.currentThread());
    }

    @Test
    @DisplayName("GX-9 a handler that throws gives REJECTED with that error, whatever it is")
    void submit_handlerThrows_isRejectedWithThatError() {
        for (Throwable thrown : List.of(
                new IllegalStateException("handler"),
                new Exception("handler"),
                new AssertionError("handler"),
                refusal(),
                new StackOverflowError())) {
            GroupExecutor executor = full(task -> {
                throw sneaky(thrown);
            });

            GroupResult<String> result = resultOf(executor.submit("a", "refused", () -> "never"));

            assertThat(result.status()).isEqualTo(TaskStatus.REJECTED);
            assertThat(result.error()).isSameAs(thrown);
            assertThat(result.durationNanos()).isZero();
        }
    }

    /** A refusal of another task, which a handler throws when it joins that task. */
    private Throwable refusal() {
        GroupExecutor executor = executor(noWaiting().rejectionPolicy(RejectionPolicy.ABORT));
        executor.submit("a", "holder", gate.holding("done"));
        return executor.submit("a", "refused", () -> "never")
                .toCompletableFuture()
                .handle((result, error) -> error)
                .join();
    }

    @Test
    @DisplayName("GX-9 a handler that joins a refused task under ABORT gives REJECTED, not an exception out of submit")
    void submit_handlerThrowsRefusal_resultIsRejected() {
        Throwable refused = refusal();
        assertThat(refused).isInstanceOf(RejectedTaskException.class);
        GroupExecutor executor = full(task -> {
            throw sneaky(refused);
        });

        assertThat(statusOf(executor.submit("a", "refused", () -> "never"))).isEqualTo(TaskStatus.REJECTED);
    }

    @Test
    @DisplayName("GX-9 a handler that returns null gives REJECTED")
    void submit_handlerReturnsNull_isRejected() {
        GroupExecutor executor = full(task -> null);

        GroupResult<String> result = resultOf(executor.submit("a", "refused", () -> "never"));

        assertThat(result.status()).isEqualTo(TaskStatus.REJECTED);
        assertThat(result.groupKey()).isEqualTo("a");
        assertThat(result.taskId()).isEqualTo("refused");
    }

    @Test
    @DisplayName("GX-9 a handler holds no permit and may submit to another group")
    void submit_handlerSubmitsElsewhere_runsThere() {
        AtomicReference<GroupExecutorStats> during = new AtomicReference<>();
        GroupExecutor executor = full(task -> {
            during.set(self.get().stats());
            return resultOf(self.get().submit("b", task.taskId(), () -> "elsewhere"));
        });

        GroupResult<String> result = resultOf(executor.submit("a", "refused", () -> "never"));

        assertThat(result.value()).isEqualTo("elsewhere");
        assertThat(during.get().running()).isEqualTo(1);
        assertThat(during.get().inFlight()).isEqualTo(1);
        assertThat(during.get().waiting()).isZero();
    }

    @Test
    @DisplayName("GX-9 a handler that submits to the same full group is asked again")
    void submit_handlerSubmitsAgain_isAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        GroupExecutor executor = full(task -> asked.incrementAndGet() < 3
                ? resultOf(self.get().submit("a", task.taskId(), task.callable()))
                : answer(task, "enough"));

        GroupResult<String> result = resultOf(executor.submit("a", "refused", () -> "never"));

        assertThat(result.value()).isEqualTo("enough");
        assertThat(asked).hasValue(3);
        assertThat(executor.stats().rejected()).isEqualTo(3);
    }

    @Test
    @DisplayName("GX-9 a handler may free the permit and submit again")
    void submit_handlerFreesPlace_nextSubmitRuns() {
        GroupExecutor executor = full(task -> {
            gate.open();
            eventually("holder has ended", () -> isIdle(self.get().stats()));
            return resultOf(self.get().submit("a", task.taskId(), task.callable()));
        });

        assertThat(resultOf(executor.submit("a", "refused", () -> "run after all"))
                        .value())
                .isEqualTo("run after all");
    }

    @Test
    @DisplayName("GX-9 a handler may run the body itself")
    void submit_handlerCallsBody_resultIsItsAnswer() {
        GroupExecutor executor = full(task -> {
            try {
                return answer(task, (String) task.callable().call());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(resultOf(executor.submit("a", "refused", () -> "by hand")).value())
                .isEqualTo("by hand");
    }

    @Test
    @DisplayName("GX-9 a task that makes a stage is refused through the handler too")
    void submitStage_handlerSet_itsAnswerIsTheResult() {
        GroupExecutor executor = full(task -> answer(task, "instead"));

        TaskHandle<String> handle = executor.submitStage("a", "refused", () -> {
            throw new AssertionError("must not run");
        });

        assertThat(resultOf(handle).value()).isEqualTo("instead");
    }

    @Test
    @DisplayName("GX-9 GX-15 a handler may evict or shut down the group that refused")
    void submit_handlerShutsGroupDown_everythingEnds() {
        GroupExecutor executor = executor(noWaiting().rejectionHandler(new Handler(task -> {
            self.get().evictGroup("a");
            self.get().shutdownGroup("a");
            return null;
        })));
        self.set(executor);
        TaskHandle<String> holder = executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();

        TaskHandle<String> refused = executor.submit("a", "refused", () -> "never");

        assertThat(statusOf(refused)).isEqualTo(TaskStatus.REJECTED);
        assertThat(statusOf(holder)).isEqualTo(TaskStatus.CANCELLED);
    }
}
