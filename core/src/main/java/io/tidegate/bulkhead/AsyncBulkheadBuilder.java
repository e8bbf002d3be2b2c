package io.tidegate.bulkhead;

import static java.util.Objects.requireNonNull;

import io.tidegate.HolderWatch;
import io.tidegate.gate.MovingLimit;
import io.tidegate.gate.Names;
import org.jspecify.annotations.Nullable;

final class AsyncBulkheadBuilder implements AsyncBulkhead.Builder, MovingLimit.Follower {
    private final int maxInFlight;
    private String name = AsyncBulkhead.DEFAULT_NAME;
    private @Nullable BulkheadListener listener;
    private @Nullable MovingLimit moving;
    private @Nullable HolderWatch watch;
    private PermitLifetime lifetime = PermitLifetime.RETURNED_STAGE;

    AsyncBulkheadBuilder(int maxInFlight) {
        this.maxInFlight = requireLimit(maxInFlight);
    }

    static int requireLimit(int maxInFlight) {
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight: " + maxInFlight + " (expected: >= 1)");
        }
        return maxInFlight;
    }

    @Override
    public AsyncBulkhead.Builder name(String name) {
        this.name = Names.require(name);
        return this;
    }

    @Override
    public AsyncBulkhead.Builder listener(BulkheadListener listener) {
        this.listener = requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public AsyncBulkhead.Builder permitLifetime(PermitLifetime lifetime) {
        this.lifetime = requireNonNull(lifetime, "lifetime");
        return this;
    }

    @Override
    public AsyncBulkhead.Builder watch(HolderWatch watch) {
        this.watch = requireNonNull(watch, "watch");
        return this;
    }

    @Override
    public void follow(MovingLimit limit) {
        this.moving = limit;
    }

    @Override
    public AsyncBulkhead build() {
        return new PermitBulkhead(maxInFlight, moving, name, listener, lifetime, watch);
    }
}
