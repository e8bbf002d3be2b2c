package io.tidegate.adaptive;

import org.jspecify.annotations.Nullable;

/**
 * A limit, and what was learnt since it was set. Everything except a count of calls is fixed; a change makes another
 * course.
 */
abstract class Course {
    final Range range;
    final int limit;

    /** Calls that began earlier began under another limit, and say nothing about this one. */
    final long since;

    Course(Range range, int limit, long since) {
        this.range = range;
        this.limit = limit;
        this.since = since;
    }

    /**
     * A call has ended well.
     *
     * @param nanos how long it took, at least 1
     * @param inUse whether so many were in flight that a higher limit would have been of use
     * @return what comes next, null if this goes on
     */
    abstract @Nullable Course afterSuccess(long nanos, boolean inUse, long now);

    /** A call has told of overload; this, if the limit cannot fall. */
    abstract Course afterOverload(long now);

    /** The bounds of a limit. */
    record Range(int min, int max) {
        double clamp(double limit) {
            return Math.max(min, Math.min(max, limit));
        }
    }
}
