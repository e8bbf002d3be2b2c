package io.tidegate.retry;

import static java.util.Objects.requireNonNull;

import io.tidegate.gate.HedgePolicy;
import io.tidegate.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

final class HedgeBuilder implements Hedge.Builder {
    private final Duration delay;
    private int maxExtra = Hedge.DEFAULT_MAX_EXTRA;
    private @Nullable RetryBudget budget;

    HedgeBuilder(Duration delay) {
        if (requireNonNull(delay, "delay").isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: not negative)");
        }
        this.delay = delay;
    }

    @Override
    public Hedge.Builder maxExtra(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("maxExtra: " + attempts + " (expected: >= 1)");
        }
        this.maxExtra = attempts;
        return this;
    }

    @Override
    public Hedge.Builder budget(RetryBudget budget) {
        this.budget = requireNonNull(budget, "budget");
        return this;
    }

    @Override
    public Hedge build() {
        return new HedgeSettings(Nanos.of(delay), maxExtra, budget);
    }

    /** The settings of a hedge. */
    private record HedgeSettings(
            long delayNanos, int maxExtra, @Nullable RetryBudget budget) implements Hedge, HedgePolicy {
        @Override
        public void onFirst() {
            RetrySettings.reportFirst(budget);
        }

        @Override
        public boolean tryExtra() {
            return RetrySettings.trySpend(budget);
        }
    }
}
