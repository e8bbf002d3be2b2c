package io.tidegate.cluster;

import static java.util.Objects.requireNonNull;

import io.tidegate.HolderWatch;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.gate.Names;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.RemoteBulkhead;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

final class ClusterBuilder implements ClusterBulkhead.Builder {
    private static final Duration SHORTEST = Duration.ofMillis(ClusterBulkhead.SHORTEST_LEASE_MILLIS);
    private static final Duration LONGEST = Duration.ofHours(ClusterBulkhead.LONGEST_LEASE_HOURS);

    @Nullable
    HolderWatch watch;

    final CapStore store;
    final String name;
    final int configuredCap;
    final ScheduledExecutorService scheduler;
    BackpressurePolicy policy = BackpressurePolicy.reject();
    long leaseMs = Duration.ofSeconds(ClusterBulkhead.DEFAULT_LEASE_SECONDS).toMillis();
    boolean strict;
    PermitLifetime lifetime = PermitLifetime.RETURNED_STAGE;
    Executor executor = new CompletableFuture<Void>().defaultExecutor();
    LongSupplier ticker = System::nanoTime;
    RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    ClusterBulkhead.Listener listener = new ClusterBulkhead.Listener() {};

    /** The bulkhead of this process; its cap is the slice. */
    final RemoteBulkhead.Builder bulkhead;

    ClusterBuilder(CapStore store, String name, int maxInFlight, ScheduledExecutorService scheduler) {
        this.store = requireNonNull(store, "store");
        this.scheduler = requireNonNull(scheduler, "scheduler");
        this.name = Names.require(name);
        this.bulkhead = RemoteBulkhead.builder(maxInFlight);
        this.configuredCap = maxInFlight;
    }

    @Override
    public ClusterBulkhead.Builder policy(BackpressurePolicy policy) {
        bulkhead.policy(policy);
        this.policy = policy;
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
    public ClusterBulkhead.Builder watch(HolderWatch watch) {
        this.watch = requireNonNull(watch, "watch");
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
        bulkhead.eventSink(sink);
        return this;
    }

    @Override
    public ClusterBulkhead.Builder listener(ClusterBulkhead.Listener listener) {
        this.listener = requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public ClusterBulkhead.Builder p99TargetMs(long ms) {
        bulkhead.p99TargetMs(ms);
        return this;
    }

    @Override
    public ClusterBulkhead.Builder eventCapacity(int events) {
        bulkhead.eventCapacity(events);
        return this;
    }

    @Override
    public ClusterBulkhead.Builder latencyWindow(int samples) {
        bulkhead.latencyWindow(samples);
        return this;
    }

    @Override
    public ClusterBulkhead.Builder ticker(LongSupplier nanos) {
        this.ticker = requireNonNull(nanos, "nanos");
        return this;
    }

    @Override
    public ClusterBulkhead.Builder random(RandomGenerator random) {
        this.random = requireNonNull(random, "random");
        return this;
    }

    @Override
    public ClusterBulkhead build() {
        ClusterMember member = new ClusterMember(this);
        member.claimNow();
        return member;
    }
}
