package io.tidegate.group.contract;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that floods groups with tiny tasks and submits to a quiet one now and then. It counts how many of the flood
 * run between the quiet task's submission and its start, and fails if these are too many.
 */
final class FloodLoad {
    /**
     * A scheduler that forgets a thread lets any number pass. A busy machine that stops a carrier lets some pass, too:
     * what the other one runs meanwhile, for seconds at the worst.
     */
    private static final long TOO_MANY = 5_000_000;

    /** The same limit, for a flood that ends if its queues run empty. */
    private static final long TOO_MANY_OF_BACKLOG = 1_000_000;

    private static final int BACKLOG = 1_200_000;

    /** How many tasks, each a thread. */
    private static final int NEW_GROUPS_BACKLOG = 2_000;

    private static final int ROUNDS = 10;
    private static final long POLL_NANOS = 50_000;

    /** Where the flood comes from. */
    enum Flood {
        /** Each task submits the next one of its group. */
        INSIDE,
        /** Threads outside keep the queues of the groups filled. */
        OUTSIDE,
        /** Each task has a thread of its own. */
        FRESH_THREADS,
        /** Each task has a thread of its own, because there is a listener. */
        LISTENED,
        /** A permit goes from group to group; the quiet group can have the other permit. */
        PASSING,
        /** Each task is the first one of its group. */
        NEW_GROUPS;

        GroupPolicy policy() {
            GroupPolicy.Builder builder = GroupPolicy.builder();
            switch (this) {
                case FRESH_THREADS -> builder.freshThreads();
                case LISTENED -> builder.taskLifecycleListener(new TaskLifecycleListener() {});
                case PASSING -> builder.globalMaxInFlight(2);
                default -> {}
            }
            return builder.build();
        }
    }

    private final Flood flood;
    private final GroupExecutor executor;
    private final AtomicLong ran = new AtomicLong();
    private final AtomicLong submitted = new AtomicLong();
    private volatile boolean over;

    private FloodLoad(Flood flood) {
        this.flood = flood;
        this.executor = GroupExecutor.newVirtualThreadExecutor(flood.policy());
    }

    /** Arguments: the names of floods and how many groups they flood; no argument for all floods. */
    public static void main(String[] arguments) {
        Flood[] floods = arguments.length == 0
                ? Flood.values()
                : Arrays.stream(arguments).map(Flood::valueOf).toArray(Flood[]::new);
        for (Flood flood : floods) {
            for (int groups : new int[] {1, 4, 50}) {
                new FloodLoad(flood).run(groups);
            }
        }
    }

    private void run(int groups) {
        try {
            if (flood == Flood.OUTSIDE) {
                fill(groups);
            }
            if (flood == Flood.OUTSIDE || flood == Flood.NEW_GROUPS) {
                Thread.ofPlatform().daemon().start(() -> floodFromOutside(groups));
            } else {
                for (int i = 0; i < groups; i++) {
                    again("wild " + i);
                }
            }
            awaitRan(10_000);
            long most = 0;
            long longest = 0;
            for (int i = 0; i < ROUNDS; i++) {
                long start = System.nanoTime();
                most = Math.max(most, i % 2 == 0 ? quiet(i) : quietFromInside(i));
                longest = Math.max(longest, System.nanoTime() - start);
            }
            System.out.println(flood + ", " + groups + " groups: at most " + most + " others before a quiet task, "
                    + TimeUnit.NANOSECONDS.toMicros(longest) + " us");
        } finally {
            over = true;
            executor.close();
        }
    }

    private Integer again(String group) {
        ran.incrementAndGet();
        if (!over) {
            try {
                executor.submit(group, "task", () -> again(group));
            } catch (IllegalStateException closed) {
                return 0;
            }
        }
        return 1;
    }

    /** Lets no task run before all are submitted. */
    private void fill(int groups) {
        CountDownLatch filled = new CountDownLatch(1);
        for (int i = 0; i < groups; i++) {
            executor.submit("wild " + i, "first", () -> {
                filled.await();
                return 1;
            });
        }
        for (int i = 0; i < BACKLOG; i++) {
            executor.submit("wild " + i % groups, "task", ran::incrementAndGet);
        }
        submitted.set(BACKLOG);
        filled.countDown();
    }

    private void floodFromOutside(int groups) {
        boolean newGroups = flood == Flood.NEW_GROUPS;
        for (long i = 0; !over; i++) {
            if (submitted.get() - ran.get() > (newGroups ? NEW_GROUPS_BACKLOG : BACKLOG)) {
                LockSupport.parkNanos(1);
                continue;
            }
            String group = "wild " + (newGroups ? i : i % groups);
            submitted.incrementAndGet();
            try {
                executor.submit(group, "task", ran::incrementAndGet);
                if (newGroups) {
                    executor.evictGroup(group);
                }
            } catch (IllegalStateException closed) {
                return;
            }
        }
    }

    private void awaitRan(long tasks) {
        while (ran.get() < tasks) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Returns how many of the flood ran before the quiet task did. */
    private long quiet(int round) {
        TaskHandle<Long> task = executor.submit("quiet " + round, "quiet", ran::get);
        return othersBefore(task, ran.get());
    }

    private long quietFromInside(int round) {
        AtomicLong submittedAt = new AtomicLong();
        TaskHandle<TaskHandle<Long>> inside = executor.submit("inside " + round, "submitter", () -> {
            TaskHandle<Long> task = executor.submit("quiet " + round, "quiet", ran::get);
            submittedAt.set(ran.get());
            return task;
        });
        long before = othersBefore(inside, ran.get());
        return Math.max(before, othersBefore(inside.join().value(), submittedAt.get()));
    }

    private long othersBefore(TaskHandle<?> task, long submittedAt) {
        long tooMany = flood == Flood.OUTSIDE ? TOO_MANY_OF_BACKLOG : TOO_MANY;
        while (!task.isDone()) {
            if (ran.get() - submittedAt > tooMany) {
                System.out.println(flood + ": a quiet task has not run before " + tooMany + " others");
                Runtime.getRuntime().halt(1);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return task.join().value() instanceof Long startedAt ? Math.max(0, startedAt - submittedAt) : 0;
    }
}
