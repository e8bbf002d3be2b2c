package io.tidegate.lease.runner;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor that runs its tasks when the test says so. */
final class ManualExecutor implements Executor {
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private int refusals;

    @Override
    public void execute(Runnable turn) {
        if (refusals > 0) {
            refusals--;
            throw new RejectedExecutionException("full");
        }
        queue.add(turn);
    }

    void refuse(int times) {
        refusals = times;
    }

    int queued() {
        return queue.size();
    }

    void runNext() {
        queue.remove().run();
    }

    void runAll() {
        while (!queue.isEmpty()) {
            runNext();
        }
    }

    /** Drops all tasks, as if the threads had died. */
    void drop() {
        queue.clear();
    }
}
