package io.tidegate.guard;

import io.tidegate.time.Timekeeper;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Time that only the test moves; what is due runs on the thread that moves it. A pause moves it, too. */
final class ManualTime implements Time {
    private final List<Due> alarms = new ArrayList<>();
    private final List<Timekeeper.Alarm> scheduled = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5; // so that it wraps

    private record Due(Timekeeper.Alarm alarm, long at) {}

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized void set(Timekeeper.Alarm alarm, long delayNanos) {
        alarms.add(new Due(alarm, delayNanos > Long.MAX_VALUE / 2 ? now + Long.MAX_VALUE / 2 : now + delayNanos));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very same one
    public synchronized void callOff(Timekeeper.Alarm alarm) {
        alarms.removeIf(due -> due.alarm == alarm);
    }

    @Override
    public void pause(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        advance(Duration.ofNanos(nanos));
    }

    /** Moves the time, and runs each task that becomes due at its time. */
    void advance(Duration by) {
        long end = nanos() + by.toNanos();
        for (Due due = next(end); due != null; due = next(end)) {
            due.alarm.run();
        }
        synchronized (this) {
            now = end;
        }
    }

    private synchronized Due next(long end) {
        Due next = alarms.stream()
                .filter(due -> due.at - end <= 0)
                .min(Comparator.comparingLong(due -> due.at - end))
                .orElse(null);
        if (next != null) {
            alarms.remove(next);
            now = next.at - now > 0 ? next.at : now;
        }
        return next;
    }

    /** A scheduler of this time. */
    ScheduledExecutorService scheduler() {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ScheduledExecutorService.class}, (self, method, given) -> {
                    if (!method.getName().equals("schedule")) {
                        throw new RejectedExecutionException(method.getName());
                    }
                    Attempt.Alarm alarm = new Attempt.Alarm((Runnable) given[0]);
                    synchronized (this) {
                        set(alarm, ((TimeUnit) given[2]).toNanos((long) given[1]));
                        scheduled.add(alarm);
                    }
                    return null;
                });
    }

    /** Returns what schedulers have yet to run. */
    synchronized void forgetScheduled() {
        scheduled.forEach(this::callOff);
    }

    synchronized int waiting() {
        return alarms.size();
    }
}
