package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupStats;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.reading.Figures;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StatsTest extends GroupExecutorContract {
    private final Gate gate = gate();

    @Test
    @DisplayName(
            "GX-3 GX-6 the stats say what runs, waits and is in flight, and what was submitted, completed and refused")
    void stats_afterEachStep_addUp() {
        GroupExecutor executor = executor(
                GroupPolicy.builder().perGroupQueueThreshold(Map.of("a", 1)).rejectionPolicy(RejectionPolicy.DISCARD));
        assertThat(Figures.of(executor.stats())).isEqualTo("");

        TaskHandle<String> running = executor.submit("a", "1", gate.holding("done"));
        gate.awaitArrival();
        assertThat(Figures.of(executor.stats())).isEqualTo("groups=1 running=1 inFlight=1 submitted=1");
        TaskHandle<String> waiting = executor.submit("a", "2", () -> "done");
        assertThat(Figures.of(executor.stats())).isEqualTo("groups=1 running=1 waiting=1 inFlight=1 submitted=2");
        executor.submit("a", "3", () -> "never");
        assertThat(Figures.of(executor.stats()))
                .isEqualTo("groups=1 running=1 waiting=1 inFlight=1 submitted=3 rejected=1");
        CompletableFuture<String> stage = stage();
        executor.submitStage("b", "4", () -> stage);
        eventually("callable has ended", () -> executor.stats().running() == 1);
        assertThat(Figures.of(executor.stats()))
                .isEqualTo("groups=2 running=1 waiting=1 inFlight=2 submitted=4 rejected=1");
        waiting.cancel(false);
        assertThat(Figures.of(executor.stats()))
                .isEqualTo("groups=2 running=1 inFlight=2 submitted=4 completed=1 rejected=1");
        gate.open();
        resultOf(running);
        assertThat(executor.stats().completed()).isEqualTo(2);
        assertThat(executor.stats().inFlight()).isEqualTo(1);
    }

    @Test
    @DisplayName("GX-7 the age of the oldest waiting task runs from its submission, and is 0 when none waits")
    void oldestWaitingNanos_waiting_isTheAgeOfTheHead() {
        GroupExecutor executor = executor();
        executor.submit("a", "holder", gate.holding("done"));
        assertThat(busy(executor, "a").oldestWaitingNanos()).isZero();
        long before = System.nanoTime();
        TaskHandle<String> first = executor.submit("a", "1", () -> "done");
        long between = System.nanoTime();
        pass(2_000_000);
        long beforeSecond = System.nanoTime();
        executor.submit("a", "2", () -> "done");

        long asked = System.nanoTime();
        long age = busy(executor, "a").oldestWaitingNanos();
        assertThat(age).isBetween(asked - between, System.nanoTime() - before);

        first.cancel(false);
        age = busy(executor, "a").oldestWaitingNanos();
        assertThat(age).isBetween(0L, System.nanoTime() - beforeSecond);
    }

    @Test
    @DisplayName("GX-15 groups lists every group with its counts, idle ones until they are evicted")
    void groups_busyAndIdle_areListed() {
        GroupExecutor executor = executor();
        assertThat(executor.groups()).isEmpty();
        executor.submit("a", "1", gate.holding("done"));
        executor.submit("a", "2", () -> "done");
        executor.submit("b", "1", () -> "done").join();

        assertThat(executor.groups())
                .extracting(GroupStats::groupKey, GroupStats::running, GroupStats::waiting)
                .containsExactlyInAnyOrder(tuple("a", 1, 1), tuple("b", 0, 0));
        executor.evictGroup("b");
        assertThat(executor.groups()).extracting(GroupStats::groupKey).containsExactly("a");
    }
}
