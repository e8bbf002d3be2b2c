package io.tidegate.group;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The work of a virtual thread: one task, then those of its group that may start next, until there are none. */
final class TaskLoop extends PendingThread implements Runnable {
    /*
     * A virtual thread keeps its carrier until it blocks. A thread that goes from one short task to the next never
     * blocks, so it steps aside after each turn: groups share carriers, and a busy group must not keep other groups
     * from running. A yield helps threads in the queue of this carrier; PendingThreads handles the rest.
     *
     * A thread runs tasks of one group only: no other group sees what a task leaves on it. Its name, class loader and
     * interrupt flag are reset before each task.
     *
     * The end of a task is the start of the next one if no user code ran in between, which saves reading the clock.
     */
    static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final ClassLoader CLASS_LOADER = ClassLoader.getSystemClassLoader();

    private @Nullable Task<?> first;
    private @Nullable Thread thread;
    private boolean knowsTime;
    private long now;
    private long turnStart;

    TaskLoop(Task<?> first) {
        this.first = first;
    }

    @Override
    public void run() {
        Task<?> task = first;
        first = null; // the thread keeps this object, and must not keep the task
        if (task != null) {
            thread = Thread.currentThread();
            run(task, task.group, task.executor());
        }
    }

    @SuppressWarnings("ReferenceEquality") // groups are compared by identity
    private void run(Task<?> start, GroupQueue group, VirtualThreadGroupExecutor executor) {
        boolean quick = PendingThreads.ALL.begin(this);
        turnStart = quick ? time() - TURN_NANOS : time();
        Task<?> task = start;
        while (task != null) {
            Task<?> next = task.run(this);
            if (next != null && (next.group != group || executor.hasFreshThreads())) {
                executor.start(next);
                next = null;
            }
            task = next;
            if (task != null && now - turnStart >= TURN_NANOS) {
                stepAside();
            }
        }
    }

    private void stepAside() {
        PendingThreads.giveWay();
        PendingThreads.ALL.letLateOnesBegin();
        knowsTime = false;
        turnStart = time();
    }

    /**
     * Resets the thread for the next task; no user code may run between this and the task's body. Returns the error if
     * that fails, otherwise null.
     */
    @SuppressWarnings("ReferenceEquality") // equal is not enough for a class loader, and more than needed for a name
    @Nullable
    Throwable prepare(Task<?> task) {
        Thread mine = thread();
        try {
            String key = task.groupKey();
            String name = task.executor().hasFreshThreads() ? key + "/" + task.taskId() : key;
            if (mine.getName() != name) {
                mine.setName(name);
            }
            if (mine.getContextClassLoader() != CLASS_LOADER) {
                mine.setContextClassLoader(CLASS_LOADER);
            }
            return null;
        } catch (Throwable noMemory) {
            return noMemory;
        } finally {
            Thread.interrupted();
        }
    }

    @SuppressWarnings("NullAway") // set before the first task runs
    Thread thread() {
        return thread;
    }

    /** Returns the time now, or that of the latest end if only bookkeeping has happened since. */
    long time() {
        if (!knowsTime) {
            now = System.nanoTime();
            knowsTime = true;
        }
        return now;
    }

    /** Called when user code has run, or is about to run. */
    void forgetTime() {
        knowsTime = false;
    }
}
