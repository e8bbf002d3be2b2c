package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.gate.Names;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

final class InMemoryBuilder implements WorkLease.Builder {
    final int maxRetries;
    String name = WorkLease.DEFAULT_NAME;
    int maxBacklog = Integer.MAX_VALUE;

    @Nullable
    Clock clock;

    @Nullable
    TokenSource tokens;

    InMemoryBuilder(int maxRetries) {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries: " + maxRetries + " (expected: >= 0)");
        }
        this.maxRetries = maxRetries;
    }

    @Override
    public WorkLease.Builder name(String name) {
        this.name = Names.require(name);
        return this;
    }

    @Override
    public WorkLease.Builder clock(Clock clock) {
        this.clock = requireNonNull(clock, "clock");
        return this;
    }

    @Override
    public WorkLease.Builder tokens(TokenSource tokens) {
        this.tokens = requireNonNull(tokens, "tokens");
        return this;
    }

    @Override
    public WorkLease.Builder maxBacklog(int offsets) {
        if (offsets < 1) {
            throw new IllegalArgumentException("offsets: " + offsets + " (expected: >= 1)");
        }
        this.maxBacklog = offsets;
        return this;
    }

    @Override
    public WorkLease build() {
        return new InMemoryWorkLease(this);
    }
}
