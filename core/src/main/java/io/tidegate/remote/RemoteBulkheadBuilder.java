package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.slice.SliceLease;
import io.tidegate.slice.Sliceable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

final class RemoteBulkheadBuilder implements RemoteBulkhead.Builder, Sliceable {
    final int maxInFlight;
    String name = RemoteBulkhead.DEFAULT_NAME;
    BackpressurePolicy policy = BackpressurePolicy.reject();
    long p99TargetMs = RemoteBulkhead.DEFAULT_P99_TARGET_MS;
    int eventCapacity = RemoteBulkhead.DEFAULT_EVENT_CAPACITY;
    int latencyWindow = RemoteBulkhead.DEFAULT_LATENCY_WINDOW;

    @Nullable
    Consumer<? super BulkheadEvent> sink;

    /** The lease of the slice, if the cap is a slice of a larger cap. */
    @Nullable
    SliceLease lease;

    RemoteBulkheadBuilder(int maxInFlight) {
        this.maxInFlight = (int) requirePositive("maxInFlight", maxInFlight);
    }

    static long requirePositive(String name, long value) {
        if (value < 1) {
            throw new BulkheadException(new BulkheadError.InvalidConfig(name + ": " + value + " (expected: >= 1)"));
        }
        return value;
    }

    @Override
    public RemoteBulkhead.Builder name(String name) {
        if (requireNonNull(name, "name").isBlank()) {
            throw new BulkheadException(new BulkheadError.InvalidConfig("name: '" + name + "' (expected: not blank)"));
        }
        this.name = name;
        return this;
    }

    @Override
    public RemoteBulkhead.Builder policy(BackpressurePolicy policy) {
        this.policy = requireValid(policy);
        return this;
    }

    static BackpressurePolicy requireValid(BackpressurePolicy policy) {
        if (requireNonNull(policy, "policy") instanceof BackpressurePolicy.Queue queue) {
            requirePositive("policy.maxDepth", queue.maxDepth());
            requirePositive("policy.timeoutMs", queue.timeoutMs());
        }
        return policy;
    }

    @Override
    public RemoteBulkhead.Builder p99TargetMs(long ms) {
        this.p99TargetMs = requirePositive("p99TargetMs", ms);
        return this;
    }

    @Override
    public RemoteBulkhead.Builder eventCapacity(int events) {
        this.eventCapacity = (int) requirePositive("eventCapacity", events);
        return this;
    }

    @Override
    public RemoteBulkhead.Builder latencyWindow(int samples) {
        this.latencyWindow = (int) requirePositive("latencyWindow", samples);
        return this;
    }

    @Override
    public RemoteBulkhead.Builder eventSink(Consumer<? super BulkheadEvent> sink) {
        this.sink = requireNonNull(sink, "sink");
        return this;
    }

    @Override
    public void slice(SliceLease lease) {
        this.lease = lease;
    }

    @Override
    public RemoteBulkhead build() {
        return new LockedBulkhead(this);
    }
}
