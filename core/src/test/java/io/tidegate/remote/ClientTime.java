package io.tidegate.remote;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A clock and its scheduler, for tests that say when time passes. Not thread-safe. */
public final class ClientTime {
    private final List<Task> tasks = new ArrayList<>();
    private long nowMs;
    private int scheduled;

    private record Task(long atMs, Runnable action) {}

    public ClientTime(long startMs) {
        this.nowMs = startMs;
    }

    public long nowMs() {
        return nowMs;
    }

    /** Returns how many tasks there have been. */
    public int scheduled() {
        return scheduled;
    }

    /** Returns a scheduler of which only {@code schedule} of a {@link Runnable} works. */
    public ScheduledExecutorService scheduler() {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                ClientTime.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, args) -> {
                    if (!method.getName().equals("schedule") || !(args[0] instanceof Runnable action)) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    long delayMs = ((TimeUnit) args[2]).toMillis((long) args[1]);
                    tasks.add(new Task(Math.min(nowMs, Long.MAX_VALUE - delayMs) + delayMs, action));
                    scheduled++;
                    return null;
                });
    }

    /** Drops all tasks, as if the scheduler had lost them. */
    public void forget() {
        tasks.clear();
    }

    /** Lets time pass, and runs each task that becomes due at its time, in order. */
    public void pass(long ms) {
        long untilMs = nowMs + ms;
        for (Optional<Task> next = nextDue(untilMs); next.isPresent(); next = nextDue(untilMs)) {
            tasks.remove(next.get());
            nowMs = Math.max(nowMs, next.get().atMs());
            next.get().action().run();
        }
        nowMs = untilMs;
    }

    private Optional<Task> nextDue(long untilMs) {
        return tasks.stream().filter(task -> task.atMs() <= untilMs).min(Comparator.comparingLong(Task::atMs));
    }
}
