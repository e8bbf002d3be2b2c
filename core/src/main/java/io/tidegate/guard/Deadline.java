package io.tidegate.guard;

import org.jspecify.annotations.Nullable;

/** By when what a thread does must be over: a time limit of a guard around it. */
interface Deadline {
    /** Of the guards around what runs on this thread; null if none of them has a limit. */
    ThreadLocal<@Nullable Deadline> OF_THREAD = new ThreadLocal<>();

    /** When, by the monotonic clock. */
    long at();

    /**
     * One that nobody need be told of.
     *
     * @param around what was the thread's before, if it is for one thread
     */
    record Plain(long at, @Nullable Deadline around) implements Deadline {}

    /** The thread's, for other threads. */
    static @Nullable Deadline ofAnyThread() {
        Deadline here = OF_THREAD.get();
        return here == null ? null : new Plain(here.at(), null);
    }

    /** The earlier one. */
    static long earlier(long at, @Nullable Deadline other) {
        return other == null || other.at() - at > 0 ? at : other.at();
    }

    /** How many nanoseconds are left, at least 0; the longest time there is without a deadline. */
    static long left(@Nullable Deadline deadline, long now) {
        return deadline == null ? Long.MAX_VALUE : Math.max(0, deadline.at() - now);
    }
}
