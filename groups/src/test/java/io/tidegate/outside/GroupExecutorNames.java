package io.tidegate.outside;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupExecutorStats;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupStats;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.RejectionHandler;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToIntFunction;

/** A program that uses the group executor. */
abstract class GroupExecutorNames {
    static final class Deaf implements TaskLifecycleListener {}

    static final class Hearing implements TaskLifecycleListener {
        @Override
        public void onSubmitted(GroupTask<?> task) {}

        @Override
        public void onStarted(GroupTask<?> task) {}

        @Override
        public void onCompleted(GroupTask<?> task, GroupResult<?> result) {}

        @Override
        public void onRejected(GroupTask<?> task) {}
    }

    static final class Discarding implements RejectionHandler {
        @Override
        public <T> GroupResult<T> onRejected(GroupTask<T> task) {
            return new GroupResult<>(task.groupKey(), task.taskId(), TaskStatus.REJECTED, null, null, 0L, 0L);
        }
    }

    GroupPolicy policy() {
        ToIntFunction<String> resolver = String::length;
        GroupPolicy.Builder builder = GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(1)
                .perGroupMaxConcurrency(Map.of("a", 2))
                .concurrencyResolver(resolver)
                .globalMaxInFlight(10)
                .defaultMaxInFlightPerGroup(5)
                .perGroupMaxInFlight(Map.of("a", 6))
                .globalQueueThreshold(100)
                .defaultQueueThresholdPerGroup(10)
                .perGroupQueueThreshold(Map.of("a", 20))
                .rejectionPolicy(RejectionPolicy.ABORT)
                .rejectionHandler(new Discarding())
                .taskLifecycleListener(new Deaf())
                .taskLifecycleListener(new Hearing())
                .freshThreads();
        return builder.build();
    }

    List<GroupResult<String>> submit(GroupPolicy policy, CompletableFuture<String> stage) throws Exception {
        Callable<CompletableFuture<String>> starter = () -> stage;
        try (GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy)) {
            GroupTask<String> task = new GroupTask<>("a", "1", () -> "done");
            TaskHandle<String> handle = executor.submit(task);
            TaskHandle<String> second = executor.submit("a", "2", task.callable());
            TaskHandle<String> third = executor.submitStage("a", "3", starter);
            List<GroupResult<String>> all = executor.executeAll(List.of(task));
            return List.of(all.get(0), handle.await(), second.join(), third.join());
        }
    }

    void control(GroupExecutor executor) {
        executor.evictGroup("a");
        executor.shutdownGroup("a");
        executor.setGlobalMaxInFlight(5);
        executor.setMaxConcurrency("a", 2);
        executor.shutdown();
        boolean ended = executor.shutdown(Duration.ofSeconds(1));
        if (ended) {
            executor.close();
        }
    }

    List<Object> look(GroupExecutor executor) {
        GroupExecutorStats stats = executor.stats();
        GroupExecutorStats made = new GroupExecutorStats(
                stats.groups(),
                stats.running(),
                stats.waiting(),
                stats.inFlight(),
                stats.submitted(),
                stats.completed(),
                stats.rejected());
        Optional<GroupStats> ofGroup = executor.groupStats("a").map(GroupExecutorNames::copy);
        ExecutorService view = executor.executor("a");
        return List.of(made, ofGroup, view);
    }

    private static GroupStats copy(GroupStats stats) {
        return new GroupStats(
                stats.groupKey(),
                stats.running(),
                stats.waiting(),
                stats.inFlight(),
                stats.maxConcurrency(),
                stats.maxInFlight(),
                stats.queueThreshold(),
                stats.oldestWaitingNanos());
    }

    List<GroupResult<String>> await(TaskHandle<String> handle)
            throws InterruptedException, TimeoutException, ExecutionException {
        CompletableFuture<GroupResult<String>> future = handle.toCompletableFuture();
        boolean cancelled = handle.cancel(true) || handle.isDone();
        GroupResult<String> first = handle.await();
        GroupResult<String> second = handle.await(1L, TimeUnit.SECONDS);
        GroupResult<String> third = handle.join();
        GroupResult<String> fourth = handle.join(1L, TimeUnit.SECONDS);
        String value = handle.get();
        String key = handle.groupKey() + handle.taskId() + value;
        return cancelled && key.isEmpty() ? List.of() : List.of(first, second, third, fourth, future.join());
    }

    long fields(GroupResult<String> result) {
        String groupKey = result.groupKey();
        String taskId = result.taskId();
        String value = result.value();
        Throwable error = result.error();
        long startTimeNanos = result.startTimeNanos();
        long endTimeNanos = result.endTimeNanos();
        long durationNanos = result.durationNanos();
        int status = switch (result.status()) {
            case SUCCESS -> 0;
            case FAILED -> 1;
            case CANCELLED -> 2;
            case REJECTED -> 3;
        };
        return (groupKey + taskId + value + error).length() + startTimeNanos + endTimeNanos + durationNanos + status;
    }

    String code(RejectedTaskException refusal) {
        RejectedExecutionException thrown = refusal;
        return thrown.getMessage() + refusal.code();
    }

    int policy(RejectionPolicy policy) {
        return switch (policy) {
            case ABORT -> 0;
            case DISCARD -> 1;
            case CALLER_RUNS -> 2;
        };
    }
}
