package io.tidegate.time;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Threads that run tasks as soon as possible: as few as do, and more while all are stuck. */
final class Runners {
    /*
     * They begin as one. While tasks wait for a runner, a look is planned every so often: whether the first of them is
     * still the one it was. If it is, every runner is stuck, and their number is doubled.
     */
    private static final long IDLE_SECONDS = 10;

    private final BlockingQueue<Runnable> due = new LinkedBlockingQueue<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ThreadPoolExecutor threads;
    private final Consumer<Runnable> looks;

    /**
     * @param looks has a look taken a moment later
     */
    Runners(ThreadFactory factory, Consumer<Runnable> looks) {
        this.threads = new ThreadPoolExecutor(1, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, due, factory);
        this.looks = looks;
        threads.allowCoreThreadTimeOut(true);
    }

    /** What it throws is dropped. */
    void run(Runnable task) {
        threads.execute(new Due(task));
        look(null);
    }

    /* An object of its own for each, so that the first in line is known from others. */
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

    /* One look at a time is planned, while something waits. */
    private void look(@Nullable Runnable firstBefore) {
        if (!due.isEmpty() && looking.compareAndSet(false, true)) {
            Runnable first = firstBefore == null ? due.peek() : firstBefore;
            try {
                looks.accept(() -> lookAgain(first));
            } catch (Throwable noMemory) {
                looking.set(false); // the next thread plans one
                throw noMemory;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very same one
    private void lookAgain(@Nullable Runnable firstBefore) {
        Runnable first = due.peek();
        try {
            if (first != null && first == firstBefore) {
                threads.setCorePoolSize(2 * threads.getPoolSize()); // starts them, if so many tasks wait
                threads.setCorePoolSize(1); // and lets them end when there is no more to do
            }
        } finally {
            looking.set(false);
            look(first);
        }
    }

    /** How many there are. */
    int size() {
        return threads.getPoolSize();
    }
}
