package io.tidegate.guard;

import static java.util.Objects.requireNonNull;

import io.tidegate.HolderWatch;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.gate.Gate;
import io.tidegate.gate.HedgePolicy;
import io.tidegate.gate.Names;
import io.tidegate.gate.OwnPart;
import io.tidegate.gate.RetryPolicy;
import io.tidegate.gate.WaitingGate;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

final class GuardBuilder implements Guard.Builder {
    final String name;
    final List<Layer> layers = new ArrayList<>();
    final List<GuardListener> listeners = new ArrayList<>();
    final Time time;

    @Nullable
    HolderWatch watch;

    GuardBuilder(String name) {
        this(name, Time.REAL);
    }

    GuardBuilder(String name, Time time) {
        this.name = Names.require(name);
        this.time = time;
    }

    @Override
    public Guard.Builder timeLimit(Duration limit) {
        layers.add(Layer.TimeLimit.of(limit));
        return this;
    }

    @Override
    public Guard.Builder liveTimeLimit(Supplier<Duration> limit) {
        layers.add(new Layer.LiveTimeLimit(limit));
        return this;
    }

    @Override
    public Guard.Builder retry(Retry retry) {
        RetryPolicy policy = own("retry", retry, RetryPolicy.class, "Retry.builder");
        layers.add(new Layer.Retrying(policy, !isCounted(policy.budget())));
        return this;
    }

    @Override
    public Guard.Builder hedge(Hedge hedge) {
        HedgePolicy policy = own("hedge", hedge, HedgePolicy.class, "Hedge.builder");
        layers.add(new Layer.Hedging(policy, !isCounted(policy.budget())));
        return this;
    }

    /* Two layers must not report the same first attempt to one budget. */
    @SuppressWarnings("ReferenceEquality") // the very same
    private boolean isCounted(@Nullable Object budget) {
        return layers.stream().anyMatch(layer -> budget != null && layer.budget() == budget);
    }

    @Override
    public Guard.Builder rateLimit(RateLimiter limiter) {
        WaitingGate gate = own("limiter", limiter, WaitingGate.class, "RateLimiter.builder");
        layers.add(gate.letsWait() ? new Layer.Waiting(gate) : new Layer.Immediate(gate));
        return this;
    }

    @Override
    public Guard.Builder breaker(CircuitBreaker breaker) {
        layers.add(new Layer.Immediate(own("breaker", breaker, Gate.class, "CircuitBreaker.builder")));
        return this;
    }

    @Override
    public Guard.Builder bulkhead(AsyncBulkhead bulkhead) {
        layers.add(new Layer.Immediate(own("bulkhead", bulkhead, Gate.class, "AsyncBulkhead.builder")));
        return this;
    }

    @Override
    public Guard.Builder bulkhead(RemoteBulkheadClient client, RemoteCapability capability) {
        OwnPart part = own("client", client, OwnPart.class, "RemoteBulkheadClient.builder or ClusterBulkhead.builder");
        layers.add(new Layer.Remote(client, requireNonNull(capability, "capability"), part.name()));
        return this;
    }

    @Override
    public Guard.Builder listener(GuardListener listener) {
        listeners.add(requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public Guard.Builder watch(HolderWatch watch) {
        this.watch = requireNonNull(watch, "watch");
        return this;
    }

    private static <P> P own(String name, Object part, Class<P> type, String maker) {
        if (!type.isInstance(requireNonNull(part, name))) {
            throw new IllegalArgumentException(name + ": " + part + " (expected: one made by " + maker + ")");
        }
        return type.cast(part);
    }

    @Override
    public Guard build() {
        return new LayeredGuard(this);
    }
}
