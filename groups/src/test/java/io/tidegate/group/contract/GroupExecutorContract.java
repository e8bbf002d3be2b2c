package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupExecutorStats;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupStats;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every test starts from, and what it must leave behind: nothing running, waiting or in flight, every submitted
 * task accounted for, and no group once the groups are evicted.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class GroupExecutorContract {
    /** How long a test waits for an event that must come: a limit that only ends a hanging test. */
    static final int PATIENCE_SECONDS = 600;

    private static final long POLL_NANOS = 50_000;

    private final List<GroupExecutor> made = new CopyOnWriteArrayList<>();
    private final List<Gate> gates = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<?>> stages = new CopyOnWriteArrayList<>();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    GroupExecutorContract() {
        keys.addAll(List.of("a", "b", "c", "d", "x"));
    }

    final GroupExecutor executor(GroupPolicy.Builder policy) {
        GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy.build());
        made.add(executor);
        return executor;
    }

    final GroupExecutor executor() {
        return executor(GroupPolicy.builder());
    }

    /** A policy with one task at a time in a group; none waits, and refusals are results. */
    static GroupPolicy.Builder noWaiting() {
        return GroupPolicy.builder().defaultQueueThresholdPerGroup(0).rejectionPolicy(RejectionPolicy.DISCARD);
    }

    final Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    final <T> CompletableFuture<T> stage() {
        CompletableFuture<T> stage = new CompletableFuture<>();
        stages.add(stage);
        return stage;
    }

    /** Names a group other than a, b, c, d and x that the test uses. */
    final String group(String key) {
        keys.add(key);
        return key;
    }

    @AfterEach
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    final void nothingIsLeft() {
        gates.forEach(Gate::open);
        stages.forEach(stage -> stage.cancel(false));
        made.forEach(this::assertNothingLeft);
    }

    private void assertNothingLeft(GroupExecutor executor) {
        eventually("executor is idle", () -> isIdle(executor.stats()));
        eventually("submitted = completed + rejected", () -> isCountedOut(executor.stats()));
        keys.forEach(executor::evictGroup);
        eventually("evicted groups are gone", () -> executor.stats().groups() == 0);
        executor.close();
        assertThat(isIdle(executor.stats())).as("idle after close").isTrue();
    }

    static boolean isIdle(GroupExecutorStats stats) {
        return stats.running() == 0 && stats.waiting() == 0 && stats.inFlight() == 0;
    }

    /** A permit is back a moment before its task is counted. */
    private static boolean isCountedOut(GroupExecutorStats stats) {
        return stats.submitted() == stats.completed() + stats.rejected();
    }

    /** Asks again and again until the answer is yes. */
    static void eventually(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start)
                    .as("patience until: %s", what)
                    .isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    static <T> GroupResult<T> resultOf(TaskHandle<T> handle) {
        try {
            return handle.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no result of task " + handle.taskId(), e);
        }
    }

    static TaskStatus statusOf(TaskHandle<?> handle) {
        return resultOf(handle).status();
    }

    static GroupStats busy(GroupExecutor executor, String groupKey) {
        return executor.groupStats(groupKey)
                .orElseThrow(() -> new AssertionError("no stats of busy group " + groupKey));
    }

    /** Runs the action on a thread of its own, and returns the thread. */
    static Thread beside(Runnable action) {
        return Thread.ofPlatform().daemon().start(action);
    }

    static void awaitEnd(Thread thread) {
        try {
            assertThat(thread.join(Duration.ofSeconds(PATIENCE_SECONDS)))
                    .as("end of %s", thread.getName())
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a thread", e);
        }
    }

    /** Lets time pass for a measurement, never to order events. */
    static void pass(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            LockSupport.parkNanos(nanos);
        }
    }

    /** Throws a checked exception where the compiler allows none. */
    @SuppressWarnings("unchecked") // E is erased, which is the trick
    static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
