package io.tidegate.scale;

import java.lang.reflect.Proxy;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Time that passes from event to event, on one thread: what happens is the same with each run. */
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

    /** Only cancelling works. */
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

    /** Lets it happen after this time. */
    public void after(long nanos, Runnable task) {
        events.add(new Event(now + Math.max(0, nanos), ++last, task));
    }

    public void afterMillis(long millis, Runnable task) {
        after(TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    /** Lets everything happen that is due within this time. */
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
     * Of which nothing works but {@code schedule} of a {@link Runnable}; what it is given runs so much too late, while
     * its process is alive.
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
