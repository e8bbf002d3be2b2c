package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.TaskHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Limits that change while tasks run and wait. */
class LiveLimitsTest extends GroupExecutorContract {
    private final Gate gate = gate();
    private final List<TaskHandle<String>> handles = new ArrayList<>();

    private void hold(GroupExecutor executor, String group, int tasks) {
        for (int i = 0; i < tasks; i++) {
            handles.add(executor.submit(group, "task", gate.holding("done")));
        }
    }

    private void endAll() {
        gate.open();
        handles.forEach(GroupExecutorContract::resultOf);
    }

    @Test
    @DisplayName("GX-23 a raised concurrency starts waiting tasks, and no more than fit")
    void setMaxConcurrency_raised_startsWhoWaits() {
        GroupExecutor executor = executor();
        hold(executor, "a", 5);
        gate.awaitArrivals(1);

        executor.setMaxConcurrency("a", 3);

        gate.awaitArrivals(2);
        assertThat(busy(executor, "a").running()).isEqualTo(3);
        assertThat(busy(executor, "a").waiting()).isEqualTo(2);
        assertThat(busy(executor, "a").maxConcurrency()).isEqualTo(3);
        endAll();
    }

    @Test
    @DisplayName("GX-23 a lowered concurrency stops nobody, and holds for those that come")
    void setMaxConcurrency_lowered_stopsNobody() {
        Gate second = gate();
        GroupExecutor executor = executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(3));
        hold(executor, "a", 3);
        gate.awaitArrivals(3);
        Meter meter = new Meter();

        executor.setMaxConcurrency("a", 1);
        for (int i = 0; i < 20; i++) {
            handles.add(executor.submit("a", "later", () -> (String) meter.around(second.holding("done"))));
        }
        assertThat(busy(executor, "a").running()).isEqualTo(3);
        gate.open();
        second.awaitArrivals(1);
        assertThat(busy(executor, "a").running()).isEqualTo(1);
        second.open();

        endAll();
        assertThat(meter.highest()).isEqualTo(1);
    }

    @Test
    @DisplayName("GX-23 the concurrency of a group stays until it is evicted, also if it was set before the first task")
    void setMaxConcurrency_unknownGroup_staysUntilEvicted() {
        GroupExecutor executor = executor();

        executor.setMaxConcurrency("a", 2);
        hold(executor, "a", 3);
        gate.awaitArrivals(2);
        assertThat(busy(executor, "a").waiting()).isEqualTo(1);
        endAll();
        executor.evictGroup("a");
        resultOf(executor.submit("a", "task", () -> "done"));

        assertThat(busy(executor, "a").maxConcurrency()).isEqualTo(1);
    }

    @Test
    @DisplayName("GX-23 GX-7 a raised global limit starts waiting tasks, the groups in turn")
    void setGlobalMaxInFlight_raised_startsWhoWaits() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().globalMaxInFlight(1).defaultMaxConcurrencyPerGroup(5));
        hold(executor, "x", 1);
        hold(executor, "a", 5);
        hold(executor, "b", 1);
        gate.awaitArrivals(1);

        executor.setGlobalMaxInFlight(3);

        gate.awaitArrivals(2);
        assertThat(executor.stats().inFlight()).isEqualTo(3);
        assertThat(busy(executor, "a").running()).isEqualTo(1);
        assertThat(busy(executor, "b").running()).isEqualTo(1);
        endAll();
    }

    @Test
    @DisplayName("GX-23 a lowered global limit stops nobody, and holds for those that come")
    void setGlobalMaxInFlight_lowered_stopsNobody() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(4));
        List<CompletableFuture<String>> stages = new ArrayList<>();
        for (String group : List.of("a", "b", "c", "d")) {
            CompletableFuture<String> stage = stage();
            stages.add(stage);
            handles.add(executor.submitStage(group, "stage", () -> stage));
        }
        executor.setGlobalMaxInFlight(2);
        hold(executor, "x", 1);

        stages.get(0).complete("done");
        resultOf(handles.get(0));
        stages.get(1).complete("done");
        resultOf(handles.get(1));
        assertThat(busy(executor, "x").waiting()).as("two are in flight").isEqualTo(1);
        stages.get(2).complete("done");
        gate.awaitArrival();

        assertThat(executor.stats().inFlight()).isEqualTo(2);
        stages.get(3).complete("done");
        endAll();
    }

    @Test
    @DisplayName("GX-23 GX-3 a first global limit counts what is in flight already")
    void setGlobalMaxInFlight_wasUnlimited_countsWhatIsInFlight() {
        GroupExecutor executor = executor();
        hold(executor, "a", 1);
        hold(executor, "b", 1);
        hold(executor, "c", 1);
        gate.awaitArrivals(3);

        executor.setGlobalMaxInFlight(2);
        hold(executor, "d", 1);

        assertThat(busy(executor, "d").waiting()).isEqualTo(1);
        assertThat(executor.stats().inFlight()).isEqualTo(3);
        executor.setGlobalMaxInFlight(GroupPolicy.UNLIMITED);
        gate.awaitArrival();
        endAll();
        assertThat(executor.stats().inFlight()).isZero();
    }

    @Test
    @DisplayName("GX-23 limits below 1 are refused")
    void setLimit_belowOne_isRefused() {
        GroupExecutor executor = executor();

        assertThatThrownBy(() -> executor.setGlobalMaxInFlight(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("globalMaxInFlight: 0 (expected: >= 1)");
        assertThatThrownBy(() -> executor.setMaxConcurrency("a", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxConcurrency[a]: 0 (expected: >= 1)");
        assertThat(executor.groupStats("a")).isEmpty();
    }
}
