package io.tidegate.lease.runner;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler whose time passes when the test says so. */
final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private final TreeSet<Timer> timers =
            new TreeSet<>(Comparator.<Timer>comparingLong(timer -> timer.due).thenComparingLong(timer -> timer.number));
    private long now;
    private long last;
    private boolean refuses;

    private final class Timer extends FutureTask<Void> implements ScheduledFuture<Void> {
        final long due;
        final long number = ++last;

        Timer(Runnable task, long due) {
            super(task, null);
            this.due = due;
        }

        @Override
        protected void done() {
            timers.remove(this);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - now, NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(NANOSECONDS), other.getDelay(NANOSECONDS));
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        if (refuses) {
            throw new RejectedExecutionException("shut down");
        }
        Timer timer = new Timer(task, now + unit.toNanos(delay));
        timers.add(timer);
        return timer;
    }

    void refuse(boolean refuses) {
        this.refuses = refuses;
    }

    int pending() {
        return timers.size();
    }

    /** Returns how long until the next timer. */
    Duration nextDelay() {
        return Duration.ofNanos(timers.first().due - now);
    }

    /** Lets time pass until the next timer, and runs it. */
    void runNext() {
        Timer timer = timers.first();
        now = timer.due;
        timers.remove(timer);
        timer.run();
    }

    void drop() {
        timers.clear();
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initial, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initial, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
