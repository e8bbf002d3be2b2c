package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupStats;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a task that returns a stage holds its permits, and what it ends with. */
class StageTest extends GroupExecutorContract {
    private static void assertPlaces(GroupExecutor executor, String group, int running, int inFlight, int waiting) {
        assertThat(busy(executor, group))
                .extracting(GroupStats::running, GroupStats::inFlight, GroupStats::waiting)
                .as("running, in flight, waiting")
                .containsExactly(running, inFlight, waiting);
    }

    private static void awaitCallableEnd(GroupExecutor executor, String group, int inFlight) {
        eventually(
                "callables have ended",
                () -> busy(executor, group).running() == 0
                        && busy(executor, group).inFlight() == inFlight);
    }

    @Test
    @DisplayName(
            "GX-5 the concurrency permit returns with the callable, so the next task starts while the stage is pending")
    void submitStage_callableReturned_nextCallableStarts() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxInFlightPerGroup(2));
        CompletableFuture<String> first = stage();
        CompletableFuture<String> second = stage();
        TaskHandle<String> one = executor.submitStage("a", "1", () -> first);
        TaskHandle<String> two = executor.submitStage("a", "2", () -> second);
        awaitCallableEnd(executor, "a", 2);

        TaskHandle<String> three = executor.submit("a", "3", () -> "three");

        assertPlaces(executor, "a", 0, 2, 1);
        assertThat(executor.stats().inFlight()).isEqualTo(2);
        assertThat(one.isDone()).isFalse();
        second.complete("two");
        assertThat(resultOf(two).value()).isEqualTo("two");
        assertThat(resultOf(three).value()).isEqualTo("three");
        first.complete("one");
        assertThat(resultOf(one).value()).isEqualTo("one");
    }

    @Test
    @DisplayName("GX-5 the concurrency permit is held while the callable runs")
    void submitStage_callableRuns_holdsConcurrency() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        CompletableFuture<String> first = stage();
        TaskHandle<String> one = executor.submitStage("a", "1", gate.holding(first));
        gate.awaitArrival();
        TaskHandle<String> two = executor.submit("a", "2", () -> "two");

        assertPlaces(executor, "a", 1, 1, 1);
        gate.open();

        assertThat(resultOf(two).value()).isEqualTo("two");
        assertPlaces(executor, "a", 0, 1, 0);
        assertThat(one.isDone()).isFalse();
        first.complete("one");
        assertThat(resultOf(one).value()).isEqualTo("one");
    }

    @Test
    @DisplayName("GX-5 the global permit is held until the stage is terminal")
    void submitStage_stagePending_holdsGlobalPlace() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        CompletableFuture<String> stage = stage();
        TaskHandle<String> pending = executor.submitStage("a", "1", () -> stage);
        TaskHandle<String> other = executor.submit("b", "2", () -> "two");
        awaitCallableEnd(executor, "a", 1);
        assertThat(other.isDone()).isFalse();
        assertPlaces(executor, "b", 0, 0, 1);

        stage.completeExceptionally(new IllegalStateException());

        assertThat(statusOf(pending)).isEqualTo(TaskStatus.FAILED);
        assertThat(resultOf(other).value()).isEqualTo("two");
    }

    @Test
    @DisplayName("GX-5 GX-10 the permits are back when the handle is seen as done")
    void submitStage_stageEnds_placesAreBackFirst() {
        GroupExecutor executor = executor(noWaiting().defaultMaxInFlightPerGroup(1));
        for (int i = 0; i < 2_000; i++) {
            CompletableFuture<Integer> stage = new CompletableFuture<>();
            TaskHandle<Integer> handle = executor.submitStage("a", "task", () -> stage);
            stage.complete(i);

            GroupResult<Integer> result = resultOf(handle);

            assertThat(result.status()).as("round %d", i).isEqualTo(TaskStatus.SUCCESS);
            assertThat(result.value()).isEqualTo(i);
            assertThat(isIdle(executor.stats())).isTrue();
        }
    }

    record End(Callable<CompletionStage<String>> body, TaskStatus status, Throwable error) {}

    private static CompletableFuture<String> failed(Throwable error) {
        return CompletableFuture.failedFuture(error);
    }

    static Stream<Named<End>> ends() {
        IllegalStateException error = new IllegalStateException("failed");
        CompletionException wrapped = new CompletionException(error);
        CompletionException bare = new CompletionException("no cause", null);
        OutOfMemoryError fatal = new OutOfMemoryError("made up");
        CompletionException causeless = new CompletionException("throws when it is asked", null) {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() {
                throw error;
            }
        };
        return Stream.of(
                named("value", new End(() -> CompletableFuture.completedFuture("done"), TaskStatus.SUCCESS, null)),
                named("null value", new End(() -> CompletableFuture.completedFuture(null), TaskStatus.SUCCESS, null)),
                named("minimal stage", new End(() -> CompletableFuture.completedStage("x"), TaskStatus.SUCCESS, null)),
                named("failure", new End(() -> failed(error), TaskStatus.FAILED, error)),
                named("fatal failure", new End(() -> failed(fatal), TaskStatus.FAILED, fatal)),
                named("wrapped failure", new End(() -> failed(wrapped), TaskStatus.FAILED, error)),
                named(
                        "failure of a dependent stage",
                        new End(() -> failed(error).thenApply(value -> value), TaskStatus.FAILED, error)),
                named(
                        "failure wrapped twice",
                        new End(() -> failed(new CompletionException(wrapped)), TaskStatus.FAILED, wrapped)),
                named("wrapper of nothing", new End(() -> failed(bare), TaskStatus.FAILED, bare)),
                named("hostile wrapper", new End(() -> failed(causeless), TaskStatus.FAILED, causeless)),
                named(
                        "callable throws",
                        new End(
                                () -> {
                                    throw error;
                                },
                                TaskStatus.FAILED,
                                error)),
                named(
                        "callable throws an error",
                        new End(
                                () -> {
                                    throw fatal;
                                },
                                TaskStatus.FAILED,
                                fatal)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    @DisplayName("GX-5 a stage's end is the task's end, with one CompletionException taken off")
    void submitStage_stageEnds_resultSaysHow(End end) {
        GroupExecutor executor = executor();

        GroupResult<String> result = resultOf(executor.submitStage("a", "1", end.body()));

        assertThat(result.status()).isEqualTo(end.status());
        assertThat(result.error()).isSameAs(end.error());
        assertThat(isIdle(executor.stats())).isTrue();
    }

    static Stream<Named<Callable<CompletionStage<String>>>> cancelledEnds() {
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        return Stream.of(
                named("cancelled stage", () -> cancelled),
                named("dependent of a cancelled stage", () -> cancelled.thenApply(value -> value)),
                named("stage failed with a CancellationException", () -> failed(new CancellationException())),
                named("callable throws a CancellationException", () -> {
                    throw new CancellationException();
                }),
                named("callable throws an InterruptedException", () -> {
                    throw new InterruptedException();
                }));
    }

    @ParameterizedTest
    @MethodSource("cancelledEnds")
    @DisplayName("GX-5 GX-10 a cancelled stage is CANCELLED")
    void submitStage_stageCancelled_isCancelled(Callable<CompletionStage<String>> body) {
        GroupExecutor executor = executor();

        assertThat(statusOf(executor.submitStage("a", "1", body))).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-5 a null stage is FAILED")
    void submitStage_nullStage_isFailed() {
        GroupExecutor executor = executor();

        GroupResult<String> result = resultOf(executor.submitStage("a", "1", () -> null));

        assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(result.error()).isNotNull();
    }

    @Test
    @DisplayName("GX-5 GX-10 a stage that cannot be listened to is FAILED and gives its permits back")
    void submitStage_stageThrowsWhenAsked_isFailed() {
        GroupExecutor executor = executor();
        @SuppressWarnings("unchecked") // every call throws, whatever the type
        CompletionStage<String> hostile = (CompletionStage<String>) Proxy.newProxyInstance(
                StageTest.class.getClassLoader(),
                new Class<?>[] {CompletionStage.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException(method.getName());
                });

        GroupResult<String> result = resultOf(executor.submitStage("a", "1", () -> hostile));

        assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(result.error()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("GX-5 GX-14 the duration runs to the end of the stage")
    void submitStage_stageEndsLate_durationRunsToItsEnd() {
        GroupExecutor executor = executor();
        CompletableFuture<String> stage = stage();
        AtomicLong started = new AtomicLong();
        TaskHandle<String> handle = executor.submitStage("a", "1", () -> {
            started.set(System.nanoTime());
            return stage;
        });
        awaitCallableEnd(executor, "a", 1);
        pass(5_000_000);
        long atLeast = System.nanoTime() - started.get();

        stage.complete("done");

        GroupResult<String> result = resultOf(handle);
        assertThat(result.durationNanos()).isGreaterThanOrEqualTo(atLeast);
        assertThat(result.durationNanos()).isEqualTo(result.endTimeNanos() - result.startTimeNanos());
    }
}
