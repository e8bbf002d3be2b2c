package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupExecutorStats;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupStats;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LimitsTest extends GroupExecutorContract {
    private static List<TaskHandle<String>> submit(GroupExecutor executor, String group, int count, Gate gate) {
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            handles.add(executor.submit(group, group + i, gate.holding("done")));
        }
        return handles;
    }

    private static void assertAllSucceed(List<TaskHandle<String>> handles) {
        assertThat(handles).allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.SUCCESS));
    }

    @Test
    @DisplayName("GX-3 a group runs as many tasks as its concurrency allows, and no more")
    void submit_overConcurrency_restWaits() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(2).perGroupMaxConcurrency(Map.of("b", 4)));
        Gate gate = gate();
        List<TaskHandle<String>> handles = submit(executor, "a", 5, gate);
        handles.addAll(submit(executor, "b", 5, gate));

        gate.awaitArrivals(6);

        assertThat(busy(executor, "a"))
                .extracting(GroupStats::running, GroupStats::waiting)
                .containsExactly(2, 3);
        assertThat(busy(executor, "b"))
                .extracting(GroupStats::running, GroupStats::waiting)
                .containsExactly(4, 1);
        assertThat(gate.arrivals()).isZero();
        gate.open();
        assertAllSucceed(handles);
    }

    @Test
    @DisplayName("GX-3 a group has no more tasks in flight than its bulkhead allows")
    void submit_overMaxInFlight_restWaits() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(5)
                .defaultMaxInFlightPerGroup(2)
                .perGroupMaxInFlight(Map.of("b", 3)));
        Gate gate = gate();
        List<TaskHandle<String>> handles = submit(executor, "a", 5, gate);
        handles.addAll(submit(executor, "b", 5, gate));

        gate.awaitArrivals(5);

        assertThat(busy(executor, "a"))
                .extracting(GroupStats::inFlight, GroupStats::waiting)
                .containsExactly(2, 3);
        assertThat(busy(executor, "b"))
                .extracting(GroupStats::inFlight, GroupStats::waiting)
                .containsExactly(3, 2);
        assertThat(gate.arrivals()).isZero();
        gate.open();
        assertAllSucceed(handles);
    }

    @Test
    @DisplayName("GX-3 all groups together have no more tasks in flight than the global limit")
    void submit_overGlobalMaxInFlight_restWaits() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(5).globalMaxInFlight(3));
        Gate gate = gate();
        List<TaskHandle<String>> handles = submit(executor, "a", 2, gate);
        handles.addAll(submit(executor, "b", 2, gate));
        handles.addAll(submit(executor, "c", 2, gate));

        gate.awaitArrivals(3);

        assertThat(executor.stats())
                .extracting(GroupExecutorStats::running, GroupExecutorStats::inFlight, GroupExecutorStats::waiting)
                .containsExactly(3, 3, 3);
        assertThat(gate.arrivals()).isZero();
        gate.open();
        assertAllSucceed(handles);
    }

    @Test
    @DisplayName("GX-3 no limit is ever passed under load, and the stats never say so either")
    void submit_fromManyThreads_keepsEveryLimit() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(3)
                .perGroupMaxInFlight(Map.of("a", 2))
                .globalMaxInFlight(5));
        Meter all = new Meter();
        Map<String, Meter> each = Map.of("a", new Meter(), "b", new Meter(), "c", new Meter());
        List<Thread> submitters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            submitters.add(beside(() -> {
                for (int round = 0; round < 3_000; round++) {
                    each.forEach(
                            (key, meter) -> executor.submit(key, "task", () -> all.around(() -> meter.around(null))));
                }
            }));
        }
        while (submitters.stream().anyMatch(Thread::isAlive) || !isIdle(executor.stats())) {
            assertThat(executor.stats().inFlight()).isBetween(0, 5);
            executor.groupStats("a").ifPresent(a -> {
                assertThat(a.inFlight()).isBetween(0, 2);
                assertThat(a.running()).isBetween(0, 2);
            });
            executor.groupStats("b").ifPresent(b -> assertThat(b.running()).isBetween(0, 3));
        }

        assertThat(all.highest()).isLessThanOrEqualTo(5);
        assertThat(each.get("a").highest()).isLessThanOrEqualTo(2);
        assertThat(each.get("b").highest()).isLessThanOrEqualTo(3);
        assertThat(each.get("c").highest()).isLessThanOrEqualTo(3);
        assertThat(all.entries()).isEqualTo(27_000);
    }

    @Test
    @DisplayName("GX-4 with a global limit of 10 and ten tasks waiting in group A, group B starts at once")
    void submit_tenWaitElsewhereUnderGlobalTen_startsAtOnce() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(10));
        Gate a = gate();
        Gate b = gate();
        List<TaskHandle<String>> handles = submit(executor, "a", 11, a);
        a.awaitArrival();
        assertThat(busy(executor, "a").waiting()).isEqualTo(10);

        TaskHandle<String> other = executor.submit("b", "b", b.holding("done"));
        b.awaitArrival();

        assertThat(executor.stats().inFlight()).isEqualTo(2);
        b.open();
        assertThat(statusOf(other)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(busy(executor, "a").waiting()).isEqualTo(10);
        a.open();
        assertAllSucceed(handles);
    }

    @Test
    @DisplayName("GX-4 what waits for the bulkhead or for a global permit holds nothing either")
    void waiting_atAnyLayer_holdsNoPermit() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(4)
                .perGroupMaxInFlight(Map.of("a", 1))
                .globalMaxInFlight(2));
        Gate gate = gate();
        List<TaskHandle<String>> handles = submit(executor, "a", 3, gate);
        handles.addAll(submit(executor, "b", 1, gate));
        gate.awaitArrivals(2);
        handles.addAll(submit(executor, "c", 2, gate));

        assertThat(executor.stats().inFlight()).isEqualTo(2);
        assertThat(busy(executor, "a"))
                .extracting(GroupStats::inFlight, GroupStats::waiting)
                .containsExactly(1, 2);
        assertThat(busy(executor, "c"))
                .extracting(GroupStats::running, GroupStats::inFlight, GroupStats::waiting)
                .containsExactly(0, 0, 2);
        gate.open();
        assertAllSucceed(handles);
    }

    @Test
    @DisplayName("GX-6 a threshold of 0 means that no task waits: the second is refused inside submit")
    void submit_thresholdZero_refusesInsteadOfWaiting() {
        GroupExecutor executor = executor(noWaiting());
        Gate gate = gate();
        TaskHandle<String> running = executor.submit("a", "1", gate.holding("done"));

        TaskHandle<String> refused = executor.submit("a", "2", () -> "never");

        assertThat(refused.isDone()).isTrue();
        assertThat(statusOf(refused)).isEqualTo(TaskStatus.REJECTED);
        assertThat(busy(executor, "a").waiting()).isZero();
        assertThat(executor.stats().rejected()).isEqualTo(1);
        gate.open();
        assertThat(statusOf(running)).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName(
            "GX-6 as many wait as the threshold says; the running ones do not count; a permit that frees can be taken")
    void submit_thresholdTwo_twoWait() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(3)
                .defaultQueueThresholdPerGroup(0)
                .perGroupQueueThreshold(Map.of("a", 2))
                .rejectionPolicy(RejectionPolicy.DISCARD));
        Gate gate = gate();
        List<TaskHandle<String>> accepted = submit(executor, "a", 5, gate);
        TaskHandle<String> refused = executor.submit("a", "6", () -> "never");
        assertThat(busy(executor, "a").queueThreshold()).isEqualTo(2);
        assertThat(accepted.get(3).cancel(false)).isTrue();

        TaskHandle<String> instead = executor.submit("a", "7", () -> "done");
        TaskHandle<String> refusedAgain = executor.submit("a", "8", () -> "never");

        assertThat(statusOf(refused)).isEqualTo(TaskStatus.REJECTED);
        assertThat(statusOf(refusedAgain)).isEqualTo(TaskStatus.REJECTED);
        gate.open();
        assertThat(statusOf(instead)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(statusOf(accepted.get(4))).isEqualTo(TaskStatus.SUCCESS);
    }

    @Test
    @DisplayName(
            "GX-6 the global threshold counts the waiting of all groups, and does not stop a task that need not wait")
    void submit_globalThreshold_countsAllGroups() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().globalQueueThreshold(2).rejectionPolicy(RejectionPolicy.DISCARD));
        Gate gate = gate();
        List<TaskHandle<String>> accepted = submit(executor, "a", 2, gate);
        accepted.addAll(submit(executor, "b", 2, gate));

        TaskHandle<String> refused = executor.submit("a", "refused", () -> "never");
        TaskHandle<String> idleGroup = executor.submit("c", "starts", () -> "done");

        assertThat(statusOf(refused)).isEqualTo(TaskStatus.REJECTED);
        assertThat(statusOf(idleGroup)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(executor.stats().waiting()).isEqualTo(2);
        gate.open();
        assertAllSucceed(accepted);
    }

    @Test
    @DisplayName("GX-6 waiting for a global permit is waiting too")
    void submit_noGlobalPlaceAndThresholdZero_refuses() {
        GroupExecutor executor = executor(noWaiting().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));

        TaskHandle<String> refused = executor.submit("b", "refused", () -> "never");

        assertThat(statusOf(refused)).isEqualTo(TaskStatus.REJECTED);
    }

    @Test
    @DisplayName("GX-6 many submit at once: exactly as many wait as the threshold says")
    void submit_manyAtOnce_thresholdIsExact() {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultQueueThresholdPerGroup(30)
                .globalQueueThreshold(50)
                .rejectionPolicy(RejectionPolicy.DISCARD));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        executor.submit("b", "holder", gate.holding("done"));
        gate.awaitArrivals(2);
        AtomicInteger refused = new AtomicInteger();

        List<Thread> submitters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String key = i % 2 == 0 ? "a" : "b";
            submitters.add(beside(() -> {
                for (int n = 0; n < 100; n++) {
                    if (executor.submit(key, "task", () -> "done").isDone()) {
                        refused.incrementAndGet();
                    }
                }
            }));
        }
        submitters.forEach(GroupExecutorContract::awaitEnd);

        assertThat(executor.stats().waiting()).isEqualTo(50);
        assertThat(busy(executor, "a").waiting()).isBetween(20, 30);
        assertThat(busy(executor, "b").waiting()).isBetween(20, 30);
        assertThat(refused).hasValue(350);
    }
}
