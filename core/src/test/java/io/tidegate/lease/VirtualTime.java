package io.tidegate.lease;

import java.lang.reflect.Proxy;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Virtual time, which passes from event to event on one thread. */
final class VirtualTime {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long last;

    private final class Event extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        private final long due;
        private final long number = ++last;
        private final Runnable task;

        Event(long due, Runnable task) {
            this.due = due;
            this.task = task;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - now, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Event event = (Event) other;
            return due != event.due ? Long.compare(due, event.due) : Long.compare(number, event.number);
        }
    }

    long nanos() {
        return now;
    }

    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(now);
    }

    ScheduledFuture<?> after(long nanos, Runnable task) {
        Event event = new Event(now + Math.max(0, nanos), task);
        events.add(event);
        return event;
    }

    /** Lets this time pass, and runs everything that becomes due. */
    void pass(long nanos) {
        long end = now + nanos;
        while (!events.isEmpty() && events.peek().due <= end) {
            Event event = events.remove();
            now = event.due;
            if (!event.isCancelled()) {
                event.task.run();
            }
        }
        now = end;
    }

    /** A scheduler with only those methods that runners use. */
    ScheduledExecutorService scheduler(Consumer<Runnable> run) {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                VirtualTime.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    Runnable task = (Runnable) arguments[0];
                    TimeUnit unit = (TimeUnit) arguments[2];
                    return after(unit.toNanos((Long) arguments[1]), () -> run.accept(task));
                });
    }
}
