package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cancelling, shutting down and evicting do while a stage is pending. */
class PendingStageTest extends GroupExecutorContract {
    private final CompletableFuture<String> stage = stage();

    private TaskHandle<String> pending(GroupExecutor executor) {
        TaskHandle<String> handle = executor.submitStage("a", "pending", () -> stage);
        eventually("callable has ended", () -> busy(executor, "a").running() == 0);
        return handle;
    }

    private static GroupPolicy.Builder oneInFlight() {
        return GroupPolicy.builder().defaultMaxInFlightPerGroup(1).globalMaxInFlight(2);
    }

    /** The work goes on: it keeps its permits until the stage ends. */
    private void assertPlacesStayUntilStageEnds(GroupExecutor executor) {
        assertThat(executor.stats().inFlight()).isEqualTo(1);
        TaskHandle<String> next = executor.submit("a", "next", () -> "next");
        assertThat(next.isDone()).isFalse();
        assertThat(busy(executor, "a").inFlight()).isEqualTo(1);
        assertThat(busy(executor, "a").waiting()).isEqualTo(1);

        stage.complete("late");

        assertThat(resultOf(next).value()).isEqualTo("next");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("GX-5 GX-11 a cancelled body that still returns a stage: CANCELLED, and the permits stay")
    void cancel_bodyRunsAndReturnsStage_endsHandleAndKeepsPlaces(boolean byGroup) {
        GroupExecutor executor = executor(oneInFlight());
        Gate gate = gate();
        TaskHandle<String> handle = executor.submitStage("a", "deaf", gate.holdingDeaf(stage));
        gate.awaitArrival();

        if (byGroup) {
            executor.shutdownGroup("a");
        } else {
            assertThat(handle.cancel(true)).isTrue();
        }
        gate.awaitInterrupt();
        assertThat(handle.isDone()).isFalse();
        gate.open();

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertPlacesStayUntilStageEnds(executor);
    }

    @Test
    @DisplayName("GX-5 GX-11 the same with a stage that has ended: CANCELLED, and the permits are back")
    void cancel_bodyRunsAndReturnsEndedStage_isCancelled() {
        GroupExecutor executor = executor(oneInFlight());
        Gate gate = gate();
        stage.complete("early");
        TaskHandle<String> handle = executor.submitStage("a", "deaf", gate.holdingDeaf(stage));
        gate.awaitArrival();

        handle.cancel(true);
        gate.awaitInterrupt();
        gate.open();

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(executor.stats().inFlight()).isZero();
    }

    @Test
    @DisplayName("GX-5 GX-11 cancel(false) while the body runs does nothing to the stage it returns")
    void cancelFalse_bodyRuns_stageDecides() {
        GroupExecutor executor = executor(oneInFlight());
        Gate gate = gate();
        TaskHandle<String> handle = executor.submitStage("a", "deaf", gate.holdingDeaf(stage));
        gate.awaitArrival();

        assertThat(handle.cancel(false)).isFalse();
        gate.open();
        stage.complete("done");

        assertThat(resultOf(handle).value()).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("GX-5 cancelling the handle ends it at once; the permits stay with the work")
    void cancel_stagePending_endsHandleAndKeepsPlaces(boolean mayInterrupt) {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);

        assertThat(handle.cancel(mayInterrupt)).isTrue();

        assertThat(handle.isDone()).isTrue();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(handle.cancel(true)).as("after the end").isFalse();
        assertPlacesStayUntilStageEnds(executor);
        assertThat(statusOf(handle)).as("when the stage has ended").isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-5 GX-16 shutdownGroup ends the handle; the permits stay with the work")
    void shutdownGroup_stagePending_endsHandleAndKeepsPlaces() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);

        executor.shutdownGroup("a");

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertPlacesStayUntilStageEnds(executor);
    }

    @Test
    @DisplayName("GX-5 GX-17 close ends the handle and does not wait for the stage")
    void close_stagePending_endsHandleAndDoesNotWait() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);

        executor.close();

        assertThat(handle.isDone()).isTrue();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(executor.stats().inFlight()).isEqualTo(1);
        stage.complete("late");
        eventually("places are back", () -> executor.stats().inFlight() == 0);
    }

    @Test
    @DisplayName("GX-5 GX-17 shutdown with a time-out gives the stage that long; no body runs, so the answer is true")
    void shutdown_stagePendingAtTimeout_endsHandleAndAnswersTrue() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);

        assertThat(executor.shutdown(Duration.ofMillis(1))).isTrue();

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-5 GX-17 a stage that ends within the time-out of shutdown is what it ended with")
    void shutdown_stageEndsInTime_isWhatItEndedWith() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);
        executor.shutdown();
        assertThat(handle.isDone()).isFalse();

        Thread completer = beside(() -> stage.complete("in time"));
        boolean ended = executor.shutdown(Duration.ofSeconds(PATIENCE_SECONDS));

        assertThat(ended).isTrue();
        assertThat(resultOf(handle).value()).isEqualTo("in time");
        awaitEnd(completer);
    }

    @Test
    @DisplayName("GX-5 GX-15 a group with a pending stage is busy: evicted, it keeps its limits until the stage ends")
    void evictGroup_stagePending_keepsLimitsUntilStageEnds() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);

        executor.evictGroup("a");

        assertThat(executor.groupStats("a")).isPresent();
        assertThat(handle.isDone()).isFalse();
        assertPlacesStayUntilStageEnds(executor);
        assertThat(resultOf(handle).value()).isEqualTo("late");
        eventually("group is forgotten", () -> executor.stats().groups() == 0);
    }

    @Test
    @DisplayName("GX-11 GX-18 a pending stage that is cancelled completes once, and its late end is not told")
    void cancel_stagePending_listenerHearsOneEnd() {
        RecordingListener listener = new RecordingListener();
        GroupExecutor executor = executor(oneInFlight().taskLifecycleListener(listener));
        TaskHandle<String> handle = pending(executor);
        handle.cancel(true);
        resultOf(handle);

        stage.complete("late");

        eventually("places are back", () -> executor.stats().inFlight() == 0);
        assertThat(listener.of("pending")).containsExactly("submitted", "started", "completed CANCELLED");
        assertThat(executor.stats().completed()).isEqualTo(1);
    }

    @Test
    @DisplayName("GX-11 cancelling while the callable runs interrupts it, and its permits come back with its end")
    void cancel_callableRuns_interruptsIt() {
        GroupExecutor executor = executor(oneInFlight());
        Gate gate = gate();
        TaskHandle<String> handle = executor.submitStage("a", "1", gate.holding(stage));
        gate.awaitArrival();

        assertThat(handle.cancel(false)).isFalse();
        assertThat(handle.cancel(true)).isTrue();

        gate.awaitInterrupt();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(isIdle(executor.stats())).isTrue();
    }

    @Test
    @DisplayName("GX-11 cancelling a task that waits to make its stage takes it out of the queue")
    void cancel_waiting_neverMakesStage() {
        GroupExecutor executor = executor(oneInFlight());
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        TaskHandle<String> handle = executor.submitStage("a", "1", () -> {
            throw new AssertionError("must not run");
        });

        assertThat(handle.cancel(false)).isTrue();

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(handle).durationNanos()).isZero();
    }

    @Test
    @DisplayName(
            "GX-5 GX-8 the thread that ends a stage does not run the next body: it has a virtual thread of its own")
    void completeStage_nextBodyBlocks_completerReturns() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);
        Gate gate = gate();
        TaskHandle<Boolean> next = executor.submit("a", "next", () -> {
            gate.passDeaf();
            return Thread.currentThread().isVirtual();
        });

        stage.complete("done");

        gate.awaitArrival();
        assertThat(resultOf(handle).value()).isEqualTo("done");
        gate.open();
        assertThat(resultOf(next).value()).isTrue();
    }

    @Test
    @DisplayName("GX-12 cancelling the future of a pending stage ends the handle; the user's stage is left alone")
    void cancelFuture_stagePending_leavesStageAlone() {
        GroupExecutor executor = executor(oneInFlight());
        TaskHandle<String> handle = pending(executor);

        handle.toCompletableFuture().cancel(false);

        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(stage.isDone()).isFalse();
        assertPlacesStayUntilStageEnds(executor);
    }
}
