package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.bulkhead.PermitLifetime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

final class ClusterBuilder implements ClusterBulkhead.Builder {
    private static final Duration SHORTEST = Duration.ofMillis(ClusterBulkhead.SHORTEST_LEASE_MILLIS);
    private static final Duration LONGEST = Duration.ofHours(ClusterBulkhead.LONGEST_LEASE_HOURS);

    final CapStore store;
    final String name;
    final int firstCap;
    final ScheduledExecutorService scheduler;
    BackpressurePolicy policy = BackpressurePolicy.reject();
    long leaseMs = Duration.ofSeconds(ClusterBulkhead.DEFAULT_LEASE_SECONDS).toMillis();
    boolean strict;
    PermitLifetime lifetime = PermitLifetime.RETURNED_STAGE;
    Executor executor = new CompletableFuture<Void>().defaultExecutor();
    LongSupplier ticker = System::nanoTime;

    @Nullable
    Consumer<? super BulkheadEvent> sink;

    ClusterBuilder(CapStore store, String name, int maxInFlight, ScheduledExecutorService scheduler) {
        this.store = requireNonNull(store, "store");
        this.scheduler = requireNonNull(scheduler, "scheduler");
        if (requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: not blank)");
        }
        this.name = name;
        this.firstCap = (int) MachineBuilder.requirePositive("maxInFlight", maxInFlight);
    }

    @Override
    public ClusterBulkhead.Builder policy(BackpressurePolicy policy) {
        this.policy = MachineBuilder.requireValid(policy);
        return this;
    }

    @Override
    public ClusterBulkhead.Builder leaseDuration(Duration duration) {
        if (requireNonNull(duration, "duration").compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new BulkheadException(new BulkheadError.InvalidConfig(
                    "leaseDuration: " + duration + " (expected: " + SHORTEST + " to " + LONGEST + ")"));
        }
        this.leaseMs = duration.toMillis();
        return this;
    }

    @Override
    public ClusterBulkhead.Builder strict() {
        this.strict = true;
        return this;
    }

    @Override
    public ClusterBulkhead.Builder permitLifetime(PermitLifetime lifetime) {
        this.lifetime = requireNonNull(lifetime, "lifetime");
        return this;
    }

    @Override
    public ClusterBulkhead.Builder executor(Executor executor) {
        this.executor = requireNonNull(executor, "executor");
        return this;
    }

    @Override
    public ClusterBulkhead.Builder eventSink(Consumer<? super BulkheadEvent> sink) {
        this.sink = requireNonNull(sink, "sink");
        return this;
    }

    @Override
    public ClusterBulkhead.Builder ticker(LongSupplier nanos) {
        this.ticker = requireNonNull(nanos, "nanos");
        return this;
    }

    @Override
    public ClusterBulkhead build() {
        LeasedBulkhead bulkhead = new LeasedBulkhead(this);
        bulkhead.claimNow();
        return bulkhead;
    }
}
