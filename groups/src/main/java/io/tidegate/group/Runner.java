package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/** What a virtual thread does: one task, and then those that may start next, for as long as there are any. */
final class Runner implements Runnable {
    /*
     * A virtual thread keeps its carrier until it blocks. One that goes from one short task to the next never would, so
     * it steps aside after a while: groups share carriers, and a full one must not keep the others from theirs.
     *
     * The end of a task is the start of the next one if nothing of a user's ran in between, which saves a look at the
     * clock.
     */
    private static final long TURN_NANOS = 1_000_000;

    private @Nullable Task<?> first;
    private @Nullable Thread thread;
    private boolean knowsTime;
    private long now;
    private long turnStart;

    Runner(Task<?> first) {
        this.first = first;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        turnStart = time();
        Task<?> task = first;
        first = null; // the thread keeps its Runnable, and must not keep the task
        while (task != null) {
            task = task.run(this);
            if (task != null && now - turnStart >= TURN_NANOS) {
                stepAside();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread's yield lets others have the carrier
    private void stepAside() {
        Thread.yield();
        knowsTime = false;
        turnStart = time();
    }

    @SuppressWarnings("NullAway") // set before the first task runs
    Thread thread() {
        return thread;
    }

    /** Returns the time now, or that of the latest end if nothing but bookkeeping has happened since. */
    long time() {
        if (!knowsTime) {
            now = System.nanoTime();
            knowsTime = true;
        }
        return now;
    }

    /** User code has run, or is about to. */
    void forgetTime() {
        knowsTime = false;
    }
}
