package io.tidegate.scale;

import java.lang.reflect.Proxy;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Time that passes from event to event, on one thread, so each run does the same. */
public final class VirtualTime {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now = TimeUnit.DAYS.toNanos(1);
    private long last;

    private static final class Event implements Comparable<Event> {
        final long due;
        final long number;
        final Runnable task;

        Event(long due, long number, Runnable task) {
            this.due = due;
            this.number = number;
            this.task = task;
        }

        @Override
        public int compareTo(Event other) {
            return due != other.due ? Long.compare(due, other.due) : Long.compare(number, other.number);
        }
    }

    /** Supports cancelling only. */
    private static final class Timer extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException();
        }
    }

    public long nanos() {
        return now;
    }

    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis(now);
    }

    /** Runs a task after this time. */
    public void after(long nanos, Runnable task) {
        events.add(new Event(now + Math.max(0, nanos), ++last, task));
    }

    public void afterMillis(long millis, Runnable task) {
        after(TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    /** Lets this time pass, and runs everything that falls due. */
    public void passMillis(long millis) {
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!events.isEmpty() && events.peek().due <= end) {
            Event event = events.remove();
            now = event.due;
            event.task.run();
        }
        now = end;
    }

    /**
     * Returns an executor that supports only {@code schedule} of a {@link Runnable}, and runs each task so much too
     * late, if its process is alive then.
     */
    public ScheduledExecutorService scheduler(long lateNanos, BooleanSupplier alive) {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                VirtualTime.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    Timer timer = new Timer();
                    Runnable task = (Runnable) arguments[0];
                    after(((TimeUnit) arguments[2]).toNanos((long) arguments[1]) + lateNanos, () -> {
                        if (!timer.isCancelled() && alive.getAsBoolean()) {
                            task.run();
                        }
                    });
                    return timer;
                });
    }
}
