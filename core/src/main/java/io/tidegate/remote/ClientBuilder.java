package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.HolderWatch;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.time.Timekeeper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

final class ClientBuilder implements RemoteBulkheadClient.Builder {
    final LockedBulkhead bulkhead;
    PermitLifetime lifetime = PermitLifetime.RETURNED_STAGE;
    Executor executor = new CompletableFuture<Void>().defaultExecutor();
    Timer timer = new OwnTimer();
    LongSupplier clock = monotonicTimeOfDay();

    @Nullable
    HolderWatch watch;

    /** Times waits, and ends those that are over. */
    interface Timer {
        /** Runs a task once, after so many milliseconds. */
        void schedule(Runnable task, long delayMs);

        /** Ends a wait that is over. Returns the notifications that the caller must deliver. */
        PendingNotifications end(Runnable wait);
    }

    /** A timer that never runs anything. */
    static final Timer NO_TIMER = new Timer() {
        @Override
        public void schedule(Runnable task, long delayMs) {}

        @Override
        public PendingNotifications end(Runnable wait) {
            return PendingNotifications.ofEnd(wait);
        }
    };

    /**
     * Uses the library's timekeeper, and ends each wait on one of its threads, so that no wait is delayed by what
     * another one runs at its end.
     */
    private static final class OwnTimer implements Timer {
        @Override
        public void schedule(Runnable task, long delayMs) {
            Timekeeper.later(task, delayMs);
        }

        @Override
        public PendingNotifications end(Runnable wait) {
            Timekeeper.now(wait);
            return PendingNotifications.NONE;
        }
    }

    /**
     * Uses a scheduler of the user, and the library's timekeeper for tasks that the scheduler refuses. A wait ends on
     * the thread that finds it over, mostly the scheduler's.
     */
    private record GivenTimer(ScheduledExecutorService scheduler) implements Timer {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
        public void schedule(Runnable task, long delayMs) {
            try {
                scheduler.schedule(task, delayMs, TimeUnit.MILLISECONDS);
            } catch (Throwable refused) {
                Timekeeper.later(task, delayMs);
            }
        }

        @Override
        public PendingNotifications end(Runnable wait) {
            return PendingNotifications.ofEnd(wait);
        }
    }

    ClientBuilder(RemoteBulkhead bulkhead) {
        if (!(requireNonNull(bulkhead, "bulkhead") instanceof LockedBulkhead own)) {
            throw new IllegalArgumentException(
                    "bulkhead: " + bulkhead + " (expected: one made by RemoteBulkhead.builder)");
        }
        this.bulkhead = own;
    }

    private static LongSupplier monotonicTimeOfDay() {
        long startMs = System.currentTimeMillis();
        long start = System.nanoTime();
        return () -> startMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Override
    public RemoteBulkheadClient.Builder permitLifetime(PermitLifetime lifetime) {
        this.lifetime = requireNonNull(lifetime, "lifetime");
        return this;
    }

    @Override
    public RemoteBulkheadClient.Builder executor(Executor executor) {
        this.executor = requireNonNull(executor, "executor");
        return this;
    }

    @Override
    public RemoteBulkheadClient.Builder scheduler(ScheduledExecutorService scheduler) {
        this.timer = new GivenTimer(requireNonNull(scheduler, "scheduler"));
        return this;
    }

    @Override
    public RemoteBulkheadClient.Builder clock(LongSupplier millis) {
        this.clock = requireNonNull(millis, "millis");
        return this;
    }

    @Override
    public RemoteBulkheadClient.Builder watch(HolderWatch watch) {
        this.watch = requireNonNull(watch, "watch");
        return this;
    }

    @Override
    public RemoteBulkheadClient build() {
        return new QueueingClient(this);
    }
}
