package io.tidegate.time;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Threads that run tasks as soon as possible: one, and more only while all of them are stuck. */
final class RunnerThreads {
    /*
     * There is one runner thread at first. While tasks wait, a look is planned at intervals: it checks whether the
     * first task in line is still the same. If it is, every runner is stuck, and their number is doubled.
     */
    private static final long IDLE_SECONDS = 10;

    private final BlockingQueue<Runnable> due = new LinkedBlockingQueue<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ThreadPoolExecutor threads;
    private final Consumer<Runnable> looks;

    /**
     * @param looks runs a look a moment later
     */
    RunnerThreads(ThreadFactory factory, Consumer<Runnable> looks) {
        this.threads = new ThreadPoolExecutor(1, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, due, factory);
        this.looks = looks;
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs the task. What it throws is dropped. */
    void run(Runnable task) {
        threads.execute(new Due(task));
        look(null);
    }

    /* Each due task is an object of its own, so that a look can tell whether the first in line has changed. */
    private static final class Due implements Runnable {
        private final Runnable task;

        Due(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                task.run();
            } catch (Throwable dropped) {
                // nothing can be notified, and the runner goes on
            }
        }
    }

    /* Plans a look if a task waits and no look is planned yet. */
    private void look(@Nullable Runnable firstBefore) {
        if (!due.isEmpty() && looking.compareAndSet(false, true)) {
            Runnable first = firstBefore == null ? due.peek() : firstBefore;
            try {
                looks.accept(() -> lookAgain(first));
            } catch (Throwable noMemory) {
                looking.set(false); // the next thread plans a look
                throw noMemory;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very same one
    private void lookAgain(@Nullable Runnable firstBefore) {
        Runnable first = due.peek();
        try {
            if (first != null && first == firstBefore) {
                threads.setCorePoolSize(2 * threads.getPoolSize()); // starts threads, one for each waiting task at most
                threads.setCorePoolSize(1); // and lets them end when there is no more to do
            }
        } finally {
            looking.set(false);
            look(first);
        }
    }

    /** Returns how many threads there are. */
    int size() {
        return threads.getPoolSize();
    }
}
