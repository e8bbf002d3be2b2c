package io.tidegate.rate;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Time that passes when the test says so, with the tasks that become due. Not for many threads at once. */
final class ManualTime implements LongSupplier {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.comparingLong((Task task) -> task.due).thenComparingLong(task -> task.number));
    private long now;
    private long passed;
    private long last;
    private boolean refuses;

    private record Task(long due, long number, Runnable run) {}

    /** A scheduler of this time. */
    final ScheduledExecutorService scheduler = (ScheduledExecutorService) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {ScheduledExecutorService.class}, (proxy, method, args) -> {
                if (!method.getName().equals("schedule") || refuses) {
                    throw new RejectedExecutionException(method.getName());
                }
                long delay = ((TimeUnit) args[2]).toNanos((long) args[1]);
                tasks.add(new Task(passed + delay, ++last, (Runnable) args[0]));
                return null;
            });

    ManualTime(long start) {
        this.now = start;
    }

    @Override
    public long getAsLong() {
        return now;
    }

    /** Moves the time without running what becomes due. */
    void advance(long nanos) {
        now += nanos;
        passed += nanos;
    }

    /** Moves the ticker back; scheduled tasks are due as before. */
    void stepBack(long nanos) {
        now -= nanos;
    }

    void refuse() {
        refuses = true;
    }

    /** Forgets what is scheduled. */
    void drop() {
        tasks.clear();
    }

    int scheduled() {
        return tasks.size();
    }

    /** Returns how long until the next task is due. */
    long untilNext() {
        return tasks.element().due - passed;
    }

    void runDue() {
        while (!tasks.isEmpty() && tasks.element().due <= passed) {
            tasks.remove().run.run();
        }
    }

    /** Returns the task that is due, for the caller to run. */
    List<Runnable> due() {
        List<Runnable> due = new ArrayList<>();
        while (!tasks.isEmpty() && tasks.element().due <= passed) {
            due.add(tasks.remove().run);
        }
        return due;
    }
}
