package io.tidegate.group;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Finds the tasks that have waited for as long as they may. */
final class WaitLimit {
    /*
     * All tasks of an executor may wait equally long, so in a group they become overdue in the order of their arrival.
     * One timer for each group with waiting tasks is enough: it is set for the first in line, and when it fires it
     * takes the overdue tasks and is set again for the next one. So a waiting task costs no more than without a limit.
     *
     * `watched` is true while the timer is set or about to be set. A submitter puts its task into the queue before it
     * reads `watched`; a timer that finds no task clears `watched` and then looks once more: one of them sees the
     * other.
     *
     * The timer's thread runs no user code, because one callback that blocks would hold back all other time-outs.
     */

    /** After how many seconds with nothing to watch the thread ends. */
    private static final long IDLE_SECONDS = 1;

    /**
     * How long the timer rests for each task without a limit that it passed over: many times as long as the look at the
     * task takes. Otherwise the timer would search a long queue of such tasks all the time.
     */
    private static final long REST_NANOS = 100;

    private static final long NO_MEMORY_NANOS = 1_000_000;

    /** How many tasks are refused in one go; then other groups have their turn. */
    private static final int AT_ONCE = 1_000;

    private final VirtualThreadGroupExecutor executor;
    private final long nanos;
    private final ScheduledThreadPoolExecutor timer;

    /** Made in advance, so that a look that failed for lack of memory can be repeated. */
    private final Consumer<Group> look = this::look;

    WaitLimit(VirtualThreadGroupExecutor executor, long nanos) {
        this(executor, nanos, newTimer());
    }

    WaitLimit(VirtualThreadGroupExecutor executor, long nanos, ScheduledThreadPoolExecutor timer) {
        this.executor = executor;
        this.nanos = nanos;
        this.timer = timer;
    }

    private static ScheduledThreadPoolExecutor newTimer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform()
                        .daemon()
                        .name("tidegate-group-wait")
                        .inheritInheritableThreadLocals(false)
                        .factory());
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Notes that a task waits in the group. */
    void watch(Group group) {
        if (!group.watched.get() && group.watched.compareAndSet(false, true)) {
            if (!isSet(group, look, nanos)) {
                group.watched.set(false); // the next task that waits tries again; a submit must not fail for it
            }
        }
    }

    /** Sets the timer on its own thread, where only memory can be missing: no other thread would set it. */
    private void set(Group group, Consumer<Group> step, long delay) {
        while (!isSet(group, step, delay) && !timer.isShutdown()) {
            LockSupport.parkNanos(this, NO_MEMORY_NANOS);
        }
    }

    private boolean isSet(Group group, Consumer<Group> step, long delay) {
        try {
            group.timer = timer.schedule(() -> take(group, step), delay, TimeUnit.NANOSECONDS);
        } catch (Throwable noThread) {
            return false;
        }
        if (group.isRetired()) {
            group.cancelTimer();
        }
        return true;
    }

    private void take(Group group, Consumer<Group> step) {
        try {
            step.accept(group);
        } catch (Throwable noMemory) {
            set(group, look, nanos);
        }
    }

    private void look(Group group) {
        List<Task<?>> overdue = new ArrayList<>();
        long left = group.showOverdue(nanos, node -> overdue.add((Task<?>) node));
        int shown = overdue.size();
        overdue.removeIf(task -> !task.hasMaxWait());
        if (!overdue.isEmpty()) {
            refuse(group, overdue, 0);
        } else if (left > 0) {
            set(group, look, Math.max(left, REST_NANOS * shown));
        } else {
            group.watched.set(false);
            watchMissed(group);
        }
    }

    /* A task that came before `watched` was cleared has set no timer, and may be overdue already. */
    private void watchMissed(Group group) {
        AtomicBoolean overdue = new AtomicBoolean();
        long left = group.showOverdue(nanos, node -> {
            if (((Task<?>) node).hasMaxWait()) {
                overdue.set(true);
            }
        });
        if ((overdue.get() || left > 0) && group.watched.compareAndSet(false, true)) {
            set(group, look, overdue.get() ? 0 : left);
        }
    }

    private void refuse(Group group, List<Task<?>> overdue, int from) {
        int to = Math.min(overdue.size(), from + AT_ONCE);
        for (Task<?> task : overdue.subList(from, to)) {
            RejectedTaskException why = RejectedTaskException.waitTimeout(task.groupKey(), task.taskId(), nanos);
            if (task.takeWaiting()) { // from here on no step may need memory
                executor.refuseLate(task, why);
            }
        }
        set(group, to < overdue.size() ? same -> refuse(same, overdue, to) : look, 0);
    }
}
