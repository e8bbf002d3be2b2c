package io.tidegate.guard;

import org.jspecify.annotations.Nullable;

/** When the work of a thread must be over, by a guard's time limit around it. */
interface Deadline {
    /** The deadline of the guards around what runs on this thread; null if none has a limit. */
    ThreadLocal<@Nullable Deadline> OF_THREAD = new ThreadLocal<>();

    /** The time, on the monotonic clock. */
    long at();

    /**
     * A deadline without an action of its own.
     *
     * @param around the deadline that the thread had before; null if other threads use this one
     */
    record Plain(long at, @Nullable Deadline around) implements Deadline {}

    /** This thread's deadline, in a form that other threads may use. */
    static @Nullable Deadline ofAnyThread() {
        Deadline here = OF_THREAD.get();
        return here == null ? null : new Plain(here.at(), null);
    }

    /** Returns the earlier of the two. */
    static long earlier(long at, @Nullable Deadline other) {
        return other == null || other.at() - at > 0 ? at : other.at();
    }

    /** How many nanoseconds are left, at least 0; without a deadline, the longest time there is. */
    static long left(@Nullable Deadline deadline, long now) {
        return deadline == null ? Long.MAX_VALUE : Math.max(0, deadline.at() - now);
    }
}
