package io.tidegate.gate;

import org.jspecify.annotations.Nullable;

/** Decides how many calls may be in flight at once, and learns from the ends of calls. Nothing here throws. */
public interface MovingLimit {
    /** The limit in force. */
    int limit();

    /** A call is admitted. Returns a stamp for {@link #end}, not negative, and below 2^62. */
    long begin();

    /** How many nanoseconds have passed since {@link #begin} returned this stamp; negative if that is not known. */
    long elapsed(long stamp);

    /**
     * A call has ended.
     *
     * @param stamp the stamp from {@link #begin}
     * @param inFlight how many calls were in flight, this one included
     * @param error the error it ended with; null for a value
     * @param verdict what its end says; {@link Gate.Verdict#FAILED}: a time limit ended it
     */
    void end(long stamp, int inFlight, @Nullable Throwable error, Gate.Verdict verdict);

    /** The builder of a part that can follow such a limit. */
    interface Follower {
        /** Follows this limit instead of a fixed one; the fixed one is then its maximum. */
        void follow(MovingLimit limit);
    }
}
