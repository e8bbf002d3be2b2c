package io.tidegate.group;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Finds the tasks that have waited for as long as they may. */
final class WaitLimit {
    /*
     * All tasks of an executor may wait equally long, so the time of those who wait in a group is up in their order.
     * One timer for each group where somebody waits is enough: it is set for the first in line, and when it fires it
     * takes who is overdue and is set again for the next. So a task that waits costs no more than without a limit.
     *
     * `watched` is true while the timer is set or about to be. Whoever begins to wait is in the queue before it reads
     * `watched`; the timer that finds nobody clears it and then looks once more: one of them sees the other.
     *
     * The timer's thread runs nothing of a user's, or one callback that blocks would hold back all other time-outs.
     */

    /** The thread ends after this long with nothing to watch. */
    private static final long IDLE_SECONDS = 1;

    /** A look at a long queue of tasks that have no limit must not become what the group does. */
    private static final int REST = 20;

    private final VirtualThreadGroupExecutor executor;
    private final long nanos;
    private final ScheduledThreadPoolExecutor timer;

    WaitLimit(VirtualThreadGroupExecutor executor, long nanos) {
        this.executor = executor;
        this.nanos = nanos;
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("tidegate-group-wait").factory());
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Somebody waits in the group. */
    void watch(Group group) {
        if (!group.watched.get() && group.watched.compareAndSet(false, true)) {
            set(group, nanos);
        }
    }

    private void set(Group group, long delay) {
        try {
            group.timer = timer.schedule(() -> look(group), delay, TimeUnit.NANOSECONDS);
        } catch (Throwable noThread) {
            group.watched.set(false); // whoever waits next tries again; a submit must not fail for it
            return;
        }
        if (group.isRetired()) {
            group.cancelTimer();
        }
    }

    private void look(Group group) {
        long start = System.nanoTime();
        List<Task<?>> overdue = new ArrayList<>();
        long left = group.showOverdue(nanos, waiter -> {
            if (((Task<?>) waiter).hasMaxWait()) {
                overdue.add((Task<?>) waiter);
            }
        });
        if (left > 0) {
            set(group, Math.max(left, REST * (System.nanoTime() - start)));
        } else {
            group.watched.set(false);
            if (group.showOverdue(nanos, waiter -> {}) > 0) {
                watch(group);
            }
        }
        for (Task<?> task : overdue) {
            if (task.takeWaiting()) {
                executor.refuseLate(task, RejectedTaskException.waitTimeout(task.groupKey(), task.taskId(), nanos));
            }
        }
    }
}
