package io.tidegate.retry;

import java.time.Duration;

/**
 * Starts another attempt beside a slow one, and returns the first success. For idempotent operations, and for {@code
 * submit} only. Holds settings only: a guard does the work. May be used in many guards.
 */
public interface Hedge {
    /** The most attempts beside the first unless set: {@value}. */
    int DEFAULT_MAX_EXTRA = 1;

    /**
     * One more attempt after {@code delay}.
     *
     * @throws IllegalArgumentException if that is negative
     */
    static Hedge after(Duration delay) {
        return builder(delay).build();
    }

    /**
     * Returns a builder of a hedge.
     *
     * @param delay after how long without an end another attempt starts, each time
     * @throws IllegalArgumentException if it is negative
     */
    static Builder builder(Duration delay) {
        return new HedgeBuilder(delay);
    }

    /** Settings of a hedge. Each is checked when it is given. Not thread-safe. */
    interface Builder {
        /** The most attempts beside the first; at least 1. Default: {@value Hedge#DEFAULT_MAX_EXTRA}. */
        Builder maxExtra(int attempts);

        /** Bounds extra attempts to a share of first ones. Default: none. */
        Builder budget(RetryBudget budget);

        /** Returns the hedge. */
        Hedge build();
    }
}
