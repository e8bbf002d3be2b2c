package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nulls, everywhere one can be passed. */
class MisuseTest extends GroupExecutorContract {
    static Stream<Named<Consumer<GroupExecutor>>> nullsToExecutor() {
        return Stream.of(
                named("submit task", executor -> executor.submit(null)),
                named("submit group", executor -> executor.submit(null, "1", () -> "x")),
                named("submit id", executor -> executor.submit("a", null, () -> "x")),
                named("submit body", executor -> executor.submit("a", "1", null)),
                named("run runnable", executor -> executor.run("a", "1", null)),
                named("task without group", executor -> executor.submit(new GroupTask<>(null, "1", () -> "x"))),
                named("task without id", executor -> executor.submit(new GroupTask<>("a", null, () -> "x"))),
                named("task without body", executor -> executor.submit(new GroupTask<>("a", "1", null))),
                named(
                        "submitStage group",
                        executor -> executor.submitStage(null, "1", () -> CompletableFuture.completedFuture("x"))),
                named(
                        "submitStage id",
                        executor -> executor.submitStage("a", null, () -> CompletableFuture.completedFuture("x"))),
                named("submitStage body", executor -> executor.submitStage("a", "1", null)),
                named("executeAll", executor -> executor.executeAll(null)),
                named("executeAll element", executor -> executor.executeAll(Collections.singletonList(null))),
                named("evictGroup", executor -> executor.evictGroup(null)),
                named("shutdownGroup", executor -> executor.shutdownGroup(null)),
                named("shutdown", executor -> executor.shutdown(null)),
                named("executor", executor -> executor.executor(null)),
                named("executor, execute", executor -> executor.executor("a").execute(null)),
                named("executor, submit", executor -> executor.executor("a").submit((Runnable) null)),
                named(
                        "executor, invokeAny",
                        executor -> invokeAny(executor.executor("a"), Collections.singletonList(null))),
                named("groupStats", executor -> executor.groupStats(null)));
    }

    private static void invokeAny(ExecutorService view, List<Callable<String>> tasks) {
        try {
            view.invokeAny(tasks);
        } catch (InterruptedException | ExecutionException e) {
            throw sneaky(e);
        }
    }

    @ParameterizedTest
    @MethodSource("nullsToExecutor")
    @DisplayName("GX-13 a null is a NullPointerException, and nothing has happened")
    void executor_null_throwsAndDoesNothing(Consumer<GroupExecutor> misuse) {
        RecordingListener listener = new RecordingListener();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(listener));

        assertThatThrownBy(() -> misuse.accept(executor)).isInstanceOf(NullPointerException.class);

        assertThat(executor.stats().submitted()).isZero();
        assertThat(executor.stats().groups()).isZero();
        assertThat(listener.tasks).isEmpty();
        assertThat(resultOf(executor.submit("a", "1", () -> "still works")).value())
                .isEqualTo("still works");
    }

    static Stream<Named<Consumer<GroupPolicy.Builder>>> nullsToBuilder() {
        Map<String, Integer> nullLimit = Collections.singletonMap("a", null);
        Map<String, Integer> nullKey = Collections.singletonMap(null, 1);
        return Stream.of(
                named("concurrency map", builder -> builder.perGroupMaxConcurrency(null)),
                named("concurrency in the map", builder -> builder.perGroupMaxConcurrency(nullLimit)),
                named("key in the concurrency map", builder -> builder.perGroupMaxConcurrency(nullKey)),
                named("in-flight map", builder -> builder.perGroupMaxInFlight(null)),
                named("in flight in the map", builder -> builder.perGroupMaxInFlight(nullLimit)),
                named("threshold map", builder -> builder.perGroupQueueThreshold(null)),
                named("threshold in the map", builder -> builder.perGroupQueueThreshold(nullLimit)),
                named("resolver", builder -> builder.concurrencyResolver(null)),
                named("policy", builder -> builder.rejectionPolicy(null)),
                named("handler", builder -> builder.rejectionHandler(null)),
                named("decorator", builder -> builder.taskDecorator(null)),
                named("maxWait", builder -> builder.maxWait(null)),
                named("listener", builder -> builder.taskLifecycleListener(null)));
    }

    @ParameterizedTest
    @MethodSource("nullsToBuilder")
    @DisplayName("GX-1 GX-13 a null setting is a NullPointerException")
    void builder_null_throws(Consumer<GroupPolicy.Builder> misuse) {
        assertThatThrownBy(() -> {
                    GroupPolicy.Builder builder = GroupPolicy.builder();
                    misuse.accept(builder);
                    builder.build();
                })
                .isInstanceOf(NullPointerException.class);
    }

    static Stream<Named<Consumer<TaskHandle<String>>>> nullsToHandle() {
        return Stream.of(
                named("await", handle -> {
                    try {
                        handle.await(1, null);
                    } catch (Exception e) {
                        throw sneaky(e);
                    }
                }),
                named("join", handle -> {
                    try {
                        handle.join(1, null);
                    } catch (Exception e) {
                        throw sneaky(e);
                    }
                }));
    }

    @ParameterizedTest
    @MethodSource("nullsToHandle")
    @DisplayName("GX-13 a null unit is a NullPointerException, before and after the end")
    void handle_null_throws(Consumer<TaskHandle<String>> misuse) {
        Gate gate = gate();
        TaskHandle<String> handle = executor().submit("a", "1", gate.holding("done"));

        assertThatThrownBy(() -> misuse.accept(handle)).isInstanceOf(NullPointerException.class);
        gate.open();
        resultOf(handle);
        assertThatThrownBy(() -> misuse.accept(handle)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @DisplayName("GX-13 an executor without a policy is a NullPointerException")
    void newVirtualThreadExecutor_null_throws() {
        assertThatThrownBy(() -> GroupExecutor.newVirtualThreadExecutor(null)).isInstanceOf(NullPointerException.class);
    }
}
