package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What waiting tasks and forgotten groups cost. */
class FootprintTest extends GroupExecutorContract {
    private static final int MILLION = 1_000_000;

    /** Far more than what varies between garbage collections, far less than a million groups take. */
    private static final long SLACK = 32L << 20;

    private final Gate gate = gate();

    private static long heapInUse() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Threads are numbered as they are made, virtual ones too. */
    private static long numberOfNextThread() {
        return Thread.ofVirtual().unstarted(() -> {}).threadId();
    }

    @Test
    @DisplayName("GX-8 a million waiting tasks cost no thread and at most 100 bytes each")
    void waiting_aMillion_costAQueueNodeEach() {
        GroupExecutor executor = executor();
        Callable<String> body = () -> "done";
        executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();
        long threadsBefore = numberOfNextThread();
        long heapBefore = heapInUse();

        for (int i = 0; i < MILLION; i++) {
            executor.submit("a", "task", body);
        }

        long bytes = (heapInUse() - heapBefore) / MILLION;
        assertThat(executor.stats().waiting()).isEqualTo(MILLION);
        assertThat(numberOfNextThread() - threadsBefore).as("threads made").isLessThan(1_000);
        assertThat(bytes).as("bytes a waiting task").isLessThanOrEqualTo(100);
        executor.shutdownGroup("a");
        eventually("idle", () -> isIdle(executor.stats()));
        assertThat(executor.stats().completed()).isEqualTo(MILLION + 1);
    }

    @Test
    @DisplayName("GX-4 GX-8 tasks that wait for a global permit in many groups cost no thread either")
    void waiting_inManyGroupsForAGlobalPlace_costNoThread() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        executor.submit("x", "holder", gate.holding("done"));
        gate.awaitArrival();
        long threadsBefore = numberOfNextThread();
        List<TaskHandle<String>> handles = new ArrayList<>();

        for (int i = 0; i < 20_000; i++) {
            handles.add(executor.submit(group("g" + i % 10_000), "task", () -> "done"));
        }

        assertThat(numberOfNextThread() - threadsBefore).as("threads made").isLessThan(100);
        assertThat(executor.stats().waiting()).isEqualTo(20_000);
        gate.open();
        assertThat(handles).allSatisfy(handle -> assertThat(statusOf(handle)).isEqualTo(TaskStatus.SUCCESS));
    }

    @Test
    @DisplayName("GX-8 GX-11 a million waiting tasks can be cancelled from either end, each at once")
    void cancel_aMillionWaiting_leaveNothing() {
        GroupExecutor executor = executor();
        executor.submit("a", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>(MILLION);
        for (int i = 0; i < MILLION; i++) {
            handles.add(executor.submit("a", "task", () -> "never"));
        }

        for (int i = 0; i < MILLION / 2; i++) {
            handles.get(MILLION - 1 - i).cancel(false);
            handles.get(i).cancel(false);
        }

        assertThat(executor.stats().waiting()).isZero();
        assertThat(handles).allMatch(TaskHandle::isDone);
    }

    @Test
    @DisplayName("GX-19 an idle group keeps no thread")
    void idle_group_keepsNoThread() {
        GroupExecutor executor = executor();
        AtomicReference<Thread> thread = new AtomicReference<>();
        resultOf(executor.submit("a", "1", () -> {
            thread.set(Thread.currentThread());
            return "done";
        }));

        eventually("thread has ended", () -> !thread.get().isAlive());
    }

    @Test
    @DisplayName("GX-15 GX-19 a million groups, used once and evicted, idle or busy, leave the heap flat")
    void evictGroup_aMillionGroups_heapIsFlat() {
        GroupExecutor executor = executor();
        useAndEvict(executor, 0, MILLION / 10);
        long before = heapInUse();

        useAndEvict(executor, MILLION / 10, MILLION);

        assertThat(executor.stats().groups()).isZero();
        assertThat(heapInUse() - before).as("growth of the heap").isLessThan(SLACK);
        assertThat(executor.stats().completed()).isEqualTo(MILLION);
    }

    private static void useAndEvict(GroupExecutor executor, int from, int to) {
        List<TaskHandle<Integer>> handles = new ArrayList<>();
        for (int i = from; i < to; i++) {
            handles.add(executor.submit("g" + i, "task", () -> 1));
            if (i % 2 == 0) {
                executor.evictGroup("g" + i);
            }
            if (handles.size() == 100) {
                handles.forEach(GroupExecutorContract::resultOf);
                handles.forEach(handle -> executor.evictGroup(handle.groupKey()));
                handles.clear();
            }
        }
    }
}
