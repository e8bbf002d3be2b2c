package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionHandler;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import io.tidegate.reading.Measures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuresTest extends GroupExecutorContract {
    private final Gate gate = gate();

    @TempDir
    Path folder;

    private static GroupPolicy.Builder discarding() {
        return GroupPolicy.builder().rejectionPolicy(RejectionPolicy.DISCARD);
    }

    private static Map<String, Long> counts(GroupExecutor executor) {
        return Measures.of(executor).counts;
    }

    @Test
    @DisplayName("OB-4 what runs, waits and is in flight, the common limit, what was submitted, and how it ended")
    void read_mixed_tellsAll() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(7));
        executor.submit("a", "1", gate.holding("done"));
        gate.awaitArrival();
        TaskHandle<String> waits = executor.submit("a", "2", () -> "never");
        CompletableFuture<String> stage = stage();
        TaskHandle<String> pending = executor.submitStage("b", "3", () -> stage);
        eventually("callable has ended", () -> executor.stats().running() == 1);
        assertThat(Measures.of(executor).gauges)
                .isEqualTo(Map.of(
                        "groups", 2.0,
                        "running", 1.0,
                        "in.flight", 2.0,
                        "waiting", 1.0,
                        "limit", 7.0,
                        "group.in.flight[group, a]", 1.0,
                        "group.waiting[group, a]", 1.0,
                        "group.in.flight[group, b]", 1.0,
                        "group.waiting[group, b]", 0.0));
        waits.cancel(false);
        stage.completeExceptionally(new IllegalStateException());
        resultOf(pending);
        statusOf(executor.submit("c", "4", () -> "done"));
        statusOf(executor.submit("c", "5", () -> {
            throw new IllegalStateException();
        }));
        assertThat(counts(executor))
                .isEqualTo(Map.of(
                        "submitted", 5L,
                        "refused[code, GX_ERR_GROUP_QUEUE]", 0L,
                        "refused[code, GX_ERR_GLOBAL_QUEUE]", 0L,
                        "refused[code, GX_ERR_WAIT_TIMEOUT]", 0L,
                        "refused[code, GX_ERR_SHUTDOWN]", 0L,
                        "ended[outcome, success]", 1L,
                        "ended[outcome, failure]", 2L,
                        "ended[outcome, cancelled]", 1L));
    }

    @Test
    @DisplayName("OB-4 a body that was asked to stop and throws has ended as cancelled, whatever it throws")
    void read_stopped_isCancelled() {
        GroupExecutor executor = executor();
        TaskHandle<String> stopped = executor.submit("a", "1", () -> {
            try {
                gate.pass();
            } catch (InterruptedException asked) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException();
        });
        gate.awaitArrival();
        stopped.cancel(true);
        assertThat(statusOf(stopped)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(counts(executor))
                .containsEntry("ended[outcome, cancelled]", 1L)
                .containsEntry("ended[outcome, failure]", 0L);
    }

    @Test
    @DisplayName("OB-4 without a common limit none is told")
    void read_unlimited_tellsNoLimit() {
        GroupExecutor executor = executor();
        assertThat(Measures.of(executor).gauges).doesNotContainKey("limit");
        executor.setGlobalMaxInFlight(3);
        assertThat(Measures.of(executor).gauges).containsEntry("limit", 3.0);
    }

    @Test
    @DisplayName("OB-4 refusals are told by what refused, whether a handler or the caller then takes the task")
    void read_refused_tellsCodes() {
        GroupExecutor byGroup = executor(noWaiting());
        GroupExecutor byAll = executor(discarding().globalQueueThreshold(0));
        GroupExecutor late = executor(discarding().maxWait(Duration.ofNanos(1)));
        GroupExecutor runs = executor(
                GroupPolicy.builder().defaultQueueThresholdPerGroup(0).rejectionPolicy(RejectionPolicy.CALLER_RUNS));
        GroupExecutor asks = executor(
                GroupPolicy.builder().defaultQueueThresholdPerGroup(0).rejectionHandler(new RejectionHandler() {
                    @Override
                    public <T> GroupResult<T> onRejected(GroupTask<T> task) {
                        throw new IllegalStateException();
                    }
                }));
        for (GroupExecutor executor : List.of(byGroup, byAll, late, runs, asks)) {
            executor.submit("a", "1", gate.holding("done"));
            resultOf(executor.submit("a", "2", () -> "never or here"));
        }
        assertThat(counts(byGroup)).containsEntry("refused[code, GX_ERR_GROUP_QUEUE]", 1L);
        assertThat(counts(byAll)).containsEntry("refused[code, GX_ERR_GLOBAL_QUEUE]", 1L);
        assertThat(counts(late)).containsEntry("refused[code, GX_ERR_WAIT_TIMEOUT]", 1L);
        assertThat(counts(asks)).containsEntry("refused[code, GX_ERR_GROUP_QUEUE]", 1L);
        assertThat(counts(runs))
                .containsEntry("refused[code, GX_ERR_GROUP_QUEUE]", 1L)
                .containsEntry("ended[outcome, success]", 0L);
    }

    @Test
    @DisplayName("OB-4 what comes to a view after the shutdown is told as refused by it, and not as submitted")
    void read_shutDown_isTold() {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        executor.shutdown();
        assertThatThrownBy(() -> view.execute(() -> {})).isInstanceOf(RejectedTaskException.class);
        assertThat(counts(executor))
                .containsEntry("refused[code, GX_ERR_SHUTDOWN]", 1L)
                .containsEntry("submitted", 0L);
    }

    @Test
    @DisplayName("OB-5 runs and waits are timed from the first reading on: waits of those that waited, runs of bodies")
    void read_times_areTaken() {
        GroupExecutor executor = executor();
        statusOf(executor.submit("a", "unseen", () -> "done"));
        assertThat(Measures.of(executor).times.get("run").count()).isZero();
        TaskHandle<String> holder = executor.submit("a", "1", gate.holding("done"));
        gate.awaitArrival();
        TaskHandle<String> second = executor.submit("a", "2", () -> "done");
        TaskHandle<String> gone = executor.submit("a", "3", () -> "never");
        pass(1_000_000);
        gone.cancel(false);
        assertThat(Measures.of(executor).times.get("wait").count()).isEqualTo(1);
        gate.open();
        resultOf(holder);
        resultOf(second);
        Measures told = Measures.of(executor);
        assertThat(told.times.get("wait").count()).isEqualTo(2);
        assertThat(told.times.get("wait").p50Nanos()).isGreaterThan(900_000);
        assertThat(told.times.get("run").count()).isEqualTo(2);
        assertThat(told.times.get("run").maxNanos()).isGreaterThanOrEqualTo(1_000_000);
    }

    @Test
    @DisplayName("OB-5 the run of a stage ends with the stage")
    void read_stage_runsUntilItsEnd() {
        GroupExecutor executor = executor();
        Measures.of(executor);
        CompletableFuture<String> stage = stage();
        TaskHandle<String> task = executor.submitStage("a", "1", () -> stage);
        eventually(
                "callable has ended",
                () -> executor.stats().inFlight() == 1 && executor.stats().running() == 0);
        assertThat(Measures.of(executor).times.get("run").count()).isZero();
        stage.complete("done");
        resultOf(task);
        assertThat(Measures.of(executor).times.get("run").count()).isEqualTo(1);
    }

    @Test
    @DisplayName("OB-4 of a thousand groups the five most loaded are told, of equal ones the first by name")
    void read_manyGroups_tellsFive() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        executor.submit("x", "holder", gate.holding("done"));
        gate.awaitArrival();
        for (int i = 0; i < 1_000; i++) {
            executor.submit(group("g" + (1_000 + i)), "1", () -> "done");
        }
        for (String loaded : List.of("g1999", "g1500", "g1500", "g1001", "g1001", "g1001")) {
            executor.submit(loaded, "2", () -> "done");
        }
        assertThat(Measures.of(executor).gauges)
                .containsEntry("group.waiting[group, g1001]", 4.0)
                .containsEntry("group.waiting[group, g1500]", 3.0)
                .containsEntry("group.waiting[group, g1999]", 2.0)
                .containsEntry("group.waiting[group, g1000]", 1.0)
                .containsEntry("group.waiting[group, g1002]", 1.0)
                .containsEntry("group.in.flight[group, g1001]", 0.0)
                .hasSize(5 + 2 * 5);
    }

    @Test
    @DisplayName("OB-1 reading changes nothing that callers see")
    void read_any_changesNothing() {
        GroupExecutor executor = executor();
        executor.submit("a", "1", gate.holding("done"));
        gate.awaitArrival();
        executor.submit("a", "2", () -> "done");
        var before = executor.stats();
        Measures.of(executor);
        assertThat(executor.stats()).isEqualTo(before);
    }

    private List<String> recorded(String event, Runnable scene) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable(event);
            recording.start();
            scene.run();
            recording.stop();
            Path file = folder.resolve("flight.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(told -> told.getEventType().getName().equals(event))
                    .map(MeasuresTest::line)
                    .toList();
        }
    }

    private static String line(RecordedEvent event) {
        return Stream.of("kind", "source", "code", "outcome")
                .filter(event::hasField)
                .map(event::getString)
                .collect(Collectors.joining(" "));
    }

    @Test
    @DisplayName("OB-7 refusals are recorded with kind, the executor's name and code")
    void refusals_on_areRecorded() throws IOException {
        GroupExecutor executor = executor(noWaiting().name("orders"));
        executor.submit("a", "holder", gate.holding("done"));
        assertThat(recorded(
                        "tidegate.Refusal",
                        () -> executor.executeAll(List.of(new GroupTask<>("a", "1", () -> "never")))))
                .containsExactly("group orders GX_ERR_GROUP_QUEUE");
    }

    @Test
    @DisplayName("OB-7 waits are recorded, of those that waited, whether they were started or cancelled")
    void waits_on_areRecorded() throws IOException {
        GroupExecutor executor = executor(GroupPolicy.builder().name("orders"));
        assertThat(recorded("tidegate.Wait", () -> {
                    executor.submit("a", "holder", gate.holding("done"));
                    TaskHandle<String> waits = executor.submit("a", "1", () -> "done");
                    executor.submit("a", "2", () -> "never").cancel(false);
                    gate.open();
                    resultOf(waits);
                }))
                .containsExactly("group orders", "group orders");
    }

    @Test
    @DisplayName(
            "OB-7 holds are recorded with their outcome; that of a stage ends with it, be the task cancelled or not")
    void holds_on_areRecorded() throws IOException {
        GroupExecutor executor = executor(GroupPolicy.builder().name("orders"));
        CompletableFuture<String> stage = stage();
        assertThat(recorded("tidegate.Hold", () -> {
                    statusOf(executor.submit("a", "1", () -> "done"));
                    statusOf(executor.submit("a", "2", () -> {
                        throw new IllegalStateException();
                    }));
                    TaskHandle<String> cancelled = executor.submitStage("a", "3", () -> stage);
                    eventually(
                            "pending",
                            () -> executor.stats().inFlight() == 1
                                    && executor.stats().running() == 0);
                    cancelled.cancel(false);
                    stage.complete("done");
                }))
                .containsExactlyInAnyOrder("group orders success", "group orders failure", "group orders cancelled");
    }

    @Test
    @DisplayName("OB-7 what waited and ran when the recording ended goes on as ever, and is not recorded")
    void events_turnedOff_hinderNobody() throws IOException {
        GroupExecutor executor = executor();
        assertThat(recorded("tidegate.Wait", () -> {
                    executor.submit("a", "holder", gate.holding("done"));
                    executor.submit("a", "1", () -> "done");
                }))
                .isEmpty();
        gate.open();
        assertThat(statusOf(executor.submit("a", "2", () -> "done"))).isEqualTo(TaskStatus.SUCCESS);
    }
}
