package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A context that goes with a task from the submitting thread to the thread that runs it. */
class DecoratorTest extends GroupExecutorContract {
    private static final ThreadLocal<String> CONTEXT = new ThreadLocal<>();

    private final Gate gate = gate();

    /** A decorator as it is written for any context: it calls the body itself. */
    private static <T> Callable<T> inContext(Callable<T> body) {
        String captured = CONTEXT.get();
        return () -> {
            String before = CONTEXT.get();
            CONTEXT.set(captured);
            try {
                return body.call();
            } finally {
                CONTEXT.set(before);
            }
        };
    }

    private GroupExecutor decorating() {
        CONTEXT.set("mine");
        return executor(GroupPolicy.builder().taskDecorator(DecoratorTest::inContext));
    }

    @AfterEach
    void forget() {
        CONTEXT.remove();
    }

    @Test
    @DisplayName("GX-10 the context of the submitting thread is there in each kind of task")
    void submit_decorated_seesSubmittersContext() throws Exception {
        GroupExecutor executor = decorating();
        AtomicReference<String> seen = new AtomicReference<>();

        TaskHandle<Void> runnable = executor.run("a", "1", () -> seen.set(CONTEXT.get()));

        assertThat(statusOf(runnable)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(seen).hasValue("mine");
        assertThat(resultOf(executor.submit("a", "2", CONTEXT::get)).value()).isEqualTo("mine");
        assertThat(resultOf(executor.submit(new GroupTask<>("a", "3", CONTEXT::get)))
                        .value())
                .isEqualTo("mine");
        assertThat(resultOf(executor.submitStage("a", "4", () -> CompletableFuture.completedFuture(CONTEXT.get())))
                        .value())
                .isEqualTo("mine");
        assertThat(executor.executeAll(List.of(new GroupTask<>("a", "5", CONTEXT::get))))
                .extracting(GroupResult::value)
                .containsExactly("mine");
        assertThat(executor.executor("a").submit(CONTEXT::get).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isEqualTo("mine");
    }

    @Test
    @DisplayName("GX-10 a task that waited sees the context of its own submit")
    void submit_waits_seesItsOwnContext() {
        GroupExecutor executor = decorating();
        executor.submit("a", "holder", gate.holding("done"));
        TaskHandle<String> first = executor.submit("a", "1", CONTEXT::get);
        CONTEXT.set("other");
        TaskHandle<String> second = executor.submit("a", "2", CONTEXT::get);

        gate.open();

        assertThat(resultOf(first).value()).isEqualTo("mine");
        assertThat(resultOf(second).value()).isEqualTo("other");
    }

    @Test
    @DisplayName("GX-9 CALLER_RUNS: what the caller runs is decorated, too")
    void submit_callerRuns_isDecorated() {
        GroupExecutor executor = executor(noWaiting()
                .rejectionPolicy(RejectionPolicy.CALLER_RUNS)
                .taskDecorator(body -> () -> "decorated " + body.call()));
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();

        TaskHandle<Object> here = executor.submit("a", "1", () -> "body");

        assertThat(here.isDone()).isTrue();
        assertThat(resultOf(here).value()).isEqualTo("decorated body");
    }

    @Test
    @DisplayName("GX-10 GX-18 a decorator that throws or returns null fails the task, which is told as any other")
    void submit_decoratorFails_taskFails() {
        RecordingListener listener = new RecordingListener();
        Error thrown = new AssertionError("failed");
        GroupExecutor throwing =
                executor(GroupPolicy.builder().taskLifecycleListener(listener).taskDecorator(body -> {
                    throw thrown;
                }));
        GroupExecutor empty = executor(GroupPolicy.builder().taskDecorator(body -> null));

        GroupResult<String> failed = resultOf(throwing.submit("a", "1", () -> "never"));

        assertThat(failed.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(failed.error()).isSameAs(thrown);
        assertThat(listener.of("1")).containsExactly("submitted", "started", "completed FAILED");
        assertThat(resultOf(empty.submit("a", "1", () -> "never")).error()).isInstanceOf(NullPointerException.class);
        assertThat(resultOf(empty.submitStage("a", "2", () -> stage())).error())
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    @DisplayName("GX-10 what the decorated body throws is the task's error")
    void call_decorationThrows_taskFails() {
        IllegalStateException thrown = new IllegalStateException("failed");
        GroupExecutor executor = executor(GroupPolicy.builder().taskDecorator(body -> () -> {
            body.call();
            throw thrown;
        }));

        assertThat(resultOf(executor.submit("a", "1", () -> "lost")).error()).isSameAs(thrown);
    }
}
