package io.tidegate.testkit;

import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Time that passes only when nothing is left to do at the moment, so each run does the same. Not thread-safe. */
final class VirtualTime {
    private record Task(long atNanos, long order, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
    private long nowNanos = TimeUnit.DAYS.toNanos(1);
    private long order;

    long nanos() {
        return nowNanos;
    }

    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(nowNanos);
    }

    void later(long nanos, Runnable action) {
        tasks.add(new Task(nowNanos + nanos, order++, action));
    }

    void laterMillis(long millis, Runnable action) {
        later(TimeUnit.MILLISECONDS.toNanos(millis), action);
    }

    /** Lets this much time pass, and runs everything that falls due. */
    void pass(long millis) {
        long untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!tasks.isEmpty() && tasks.peek().atNanos <= untilNanos) {
            Task next = tasks.remove();
            nowNanos = next.atNanos;
            next.action.run();
        }
        nowNanos = untilNanos;
    }

    /**
     * Returns an executor that supports only {@code schedule} of a {@link Runnable}, and runs each task so much too
     * late.
     */
    ScheduledExecutorService scheduler(long lateNanos) {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                VirtualTime.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, args) -> {
                    later(((TimeUnit) args[2]).toNanos((long) args[1]) + lateNanos, (Runnable) args[0]);
                    return null;
                });
    }
}
