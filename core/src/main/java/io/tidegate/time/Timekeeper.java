package io.tidegate.time;

import io.tidegate.stage.StackRoom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks when they are due, on its own threads: on time, whatever the common pool and other due tasks do. There is
 * one for the whole library.
 */
public final class Timekeeper {
    /*
     * A due task may run code of users and so may block. With one thread for all tasks, one task that blocks would stop
     * all others; a thread for each task would be thousands when thousands are due at the same time, although most take
     * only a moment.
     *
     * So one thread, the clock, knows what is due when and runs no user code: it hands due tasks over to runners. There
     * is one runner at first. While tasks wait for a runner, the clock regularly looks whether the first of them is the
     * same as at the last look. If it is, every runner is stuck, and their number is doubled. So n tasks that block
     * delay the others by log n looks, and there are as many threads as are stuck at the same time.
     *
     * All threads are daemons, inherit nothing, and end when there has been nothing to do for a while.
     */
    private static final long LOOK_MILLIS = 5;
    private static final long IDLE_SECONDS = 10;
    private static final BlockingQueue<Runnable> DUE = new LinkedBlockingQueue<>();
    private static final ThreadPoolExecutor RUNNERS = new ThreadPoolExecutor(
            1, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, DUE, task -> thread(task, "tidegate-runner"));
    private static final ScheduledThreadPoolExecutor CLOCK =
            new ScheduledThreadPoolExecutor(1, task -> thread(task, "tidegate-clock"));
    private static final AtomicBoolean LOOKING = new AtomicBoolean();

    static {
        RUNNERS.allowCoreThreadTimeOut(true);
        CLOCK.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        CLOCK.allowCoreThreadTimeOut(true);
        CLOCK.setRemoveOnCancelPolicy(true);
    }

    private Timekeeper() {}

    /**
     * Initializes the class, and does nothing else. Its first use may be near the end of a stack, where initialization
     * would fail; a class whose initialization fails once never works.
     */
    public static void ready() {}

    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    /*
     * If a stack overflow strikes the pool, the pool may keep its lock, or count a thread that does not exist: no task
     * would ever run again. So room on the stack is checked first.
     */

    /** Runs {@code task} once, after this many milliseconds. What it throws is dropped. */
    public static void later(Runnable task, long delayMillis) {
        later(task, delayMillis, TimeUnit.MILLISECONDS);
    }

    /** Runs {@code task} once, after that time. What it throws is dropped. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    public static void later(Runnable task, long delay, TimeUnit unit) {
        StackRoom.require();
        CLOCK.schedule(() -> handOver(task), delay, unit);
    }

    /** A task to be run once, unless it is called off before. What it throws is dropped. */
    public abstract static class Alarm implements Runnable, Callable<@Nullable Void> {
        private volatile @Nullable Future<?> clock;

        /** For the clock. */
        @Override
        public final @Nullable Void call() {
            handOver(this);
            return null;
        }

        /** Sets it to run after this many nanoseconds. Call it once. */
        public final void set(long delayNanos) {
            StackRoom.require();
            clock = CLOCK.schedule((Callable<@Nullable Void>) this, delayNanos, TimeUnit.NANOSECONDS);
        }

        /** Cancels the task. It may still run if it is about to, or if the stack has too little room to remove it. */
        public final void callOff() {
            Future<?> set = clock;
            if (set != null && hasRoom()) {
                set.cancel(false);
            }
        }

        private static boolean hasRoom() {
            try {
                StackRoom.require();
                return true;
            } catch (StackOverflowError none) {
                return false;
            }
        }
    }

    private static void handOver(Runnable task) {
        try {
            now(task);
        } catch (Throwable noThread) {
            later(task, LOOK_MILLIS);
        }
    }

    /** Runs {@code task} as soon as possible, on another thread. What it throws is dropped. */
    public static void now(Runnable task) {
        StackRoom.require();
        RUNNERS.execute(new Due(task));
        look(null);
    }

    /* Each task is an object of its own, so that the first in line differs from all others. */
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
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private static void look(@Nullable Runnable firstBefore) {
        if (!DUE.isEmpty() && LOOKING.compareAndSet(false, true)) {
            Runnable first = firstBefore == null ? DUE.peek() : firstBefore;
            try {
                CLOCK.schedule(() -> lookAgain(first), LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (Throwable noMemory) {
                LOOKING.set(false); // the next thread plans one
                throw noMemory;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very same one
    private static void lookAgain(@Nullable Runnable firstBefore) {
        Runnable first = DUE.peek();
        try {
            if (first != null && first == firstBefore) {
                RUNNERS.setCorePoolSize(2 * RUNNERS.getPoolSize()); // starts them, if so many tasks wait
                RUNNERS.setCorePoolSize(1); // and lets them end when there is no more to do
            }
        } finally {
            LOOKING.set(false);
            look(first);
        }
    }

    /** How many threads run due tasks, or would. */
    static int runners() {
        return RUNNERS.getPoolSize();
    }
}
