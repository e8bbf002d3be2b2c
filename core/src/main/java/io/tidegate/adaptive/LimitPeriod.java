package io.tidegate.adaptive;

import org.jspecify.annotations.Nullable;

/**
 * A time with one limit, and what was learnt since it began. Everything except a count of calls is fixed; a change
 * makes another period.
 */
abstract class LimitPeriod {
    final Range range;
    final int limit;

    /** Calls that began earlier began under another limit, and say nothing about this one. */
    final long since;

    LimitPeriod(Range range, int limit, long since) {
        this.range = range;
        this.limit = limit;
        this.since = since;
    }

    /**
     * A call has succeeded.
     *
     * @param nanos how long it took, at least 1
     * @param inUse whether enough calls were in flight that a higher limit would have been of use
     * @return the next period; null if this one goes on
     */
    abstract @Nullable LimitPeriod afterSuccess(long nanos, boolean inUse, long now);

    /** A call has reported overload. Returns this period if the limit cannot fall. */
    abstract LimitPeriod afterOverload(long now);

    /** The bounds of a limit. */
    record Range(int min, int max) {
        double clamp(double limit) {
            return Math.max(min, Math.min(max, limit));
        }
    }
}
