package io.tidegate.time;

import io.tidegate.stage.StackRoom;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks when they are due, on threads of its own, so that neither the common pool nor other due tasks delay them.
 * There is one timekeeper for the whole library.
 */
public final class Timekeeper {
    /*
     * A due task may run code of users and so may block. With one thread for all tasks, one task that blocks would stop
     * all others; a thread for each task would be thousands when thousands are due at the same time, although most take
     * only a moment.
     *
     * So one thread, the clock, knows what is due when and runs no user code: it hands due tasks over to runner
     * threads, and runs the looks that find out whether all runners are stuck. So n tasks that block delay the others
     * by log n looks, and there are only about as many threads as are stuck at the same time.
     *
     * All threads are daemons, inherit nothing, and end when there has been nothing to do for a while.
     */
    private static final long LOOK_MILLIS = 5;
    private static final long IDLE_SECONDS = 10;
    private static final ScheduledThreadPoolExecutor CLOCK =
            new ScheduledThreadPoolExecutor(1, task -> thread(task, "tidegate-clock"));
    private static final RunnerThreads RUNNERS =
            new RunnerThreads(task -> thread(task, "tidegate-runner"), Timekeeper::laterOnClock);

    static {
        CLOCK.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        CLOCK.allowCoreThreadTimeOut(true);
        CLOCK.setRemoveOnCancelPolicy(true);
    }

    private Timekeeper() {}

    /**
     * Initializes the class, and does nothing else. Without this call the first use may come near the end of a stack,
     * where initialization would fail; a class whose initialization fails once never works.
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
        private volatile @Nullable Future<?> scheduled;

        /** Called by the clock. */
        @Override
        public final @Nullable Void call() {
            handOver(this);
            return null;
        }

        /** Sets the task to run after this many nanoseconds. Called once. */
        public final void set(long delayNanos) {
            StackRoom.require();
            scheduled = CLOCK.schedule((Callable<@Nullable Void>) this, delayNanos, TimeUnit.NANOSECONDS);
        }

        /**
         * Cancels the task. It may run nevertheless if it is about to run, or if the stack has too little room to
         * remove it.
         */
        public final void callOff() {
            Future<?> set = scheduled;
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
        RUNNERS.run(task);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private static void laterOnClock(Runnable look) {
        CLOCK.schedule(look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
}
