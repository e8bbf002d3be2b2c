package io.tidegate.adaptive;

import org.jspecify.annotations.Nullable;

/**
 * A span of time with one limit, and what was learnt in it. Everything except a count of calls is fixed; a change makes
 * another period.
 */
abstract class LimitPeriod {
    final Range range;
    final int limit;

    /** When it began. Calls that began earlier, under another limit, say nothing about this one. */
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
     * @param inUse whether so many calls were in flight that a higher limit could have been of use
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
