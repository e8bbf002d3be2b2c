package io.tidegate.remote;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A clock, and a scheduler that goes by it, for a test that says when time passes. Not thread-safe. */
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

    /** How many tasks there have been. */
    public int scheduled() {
        return scheduled;
    }

    /** Of which nothing works but {@code schedule} of a {@link Runnable}. */
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

    /** As if the scheduler had lost everything. */
    public void forget() {
        tasks.clear();
    }

    /** Lets time pass, and runs what falls due, in order and at its time. */
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
