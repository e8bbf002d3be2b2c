package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.bulkhead.PermitLifetime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

final class ClientBuilder implements RemoteBulkheadClient.Builder {
    final BulkheadMachine machine;
    PermitLifetime lifetime = PermitLifetime.RETURNED_STAGE;
    Executor executor = new CompletableFuture<Void>().defaultExecutor();
    Timer timer = ClientBuilder::later;
    LongSupplier clock = monotonicTimeOfDay();

    /** Runs something once, after so many milliseconds. */
    interface Timer {
        void schedule(Runnable task, long delayMs);
    }

    ClientBuilder(RemoteBulkhead bulkhead) {
        if (!(requireNonNull(bulkhead, "bulkhead") instanceof BulkheadMachine own)) {
            throw new IllegalArgumentException(
                    "bulkhead: " + bulkhead + " (expected: one made by RemoteBulkhead.builder)");
        }
        this.machine = own;
    }

    static void later(Runnable task, long delayMs) {
        CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS).execute(task);
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
    @SuppressWarnings("FutureReturnValueIgnored") // the task fails nobody but itself, and says nothing
    public RemoteBulkheadClient.Builder scheduler(ScheduledExecutorService scheduler) {
        requireNonNull(scheduler, "scheduler");
        this.timer = (task, delayMs) -> scheduler.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        return this;
    }

    @Override
    public RemoteBulkheadClient.Builder clock(LongSupplier millis) {
        this.clock = requireNonNull(millis, "millis");
        return this;
    }

    @Override
    public RemoteBulkheadClient build() {
        return new QueueingClient(this);
    }
}
