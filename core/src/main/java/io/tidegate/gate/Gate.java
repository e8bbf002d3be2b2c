package io.tidegate.gate;

import org.jspecify.annotations.Nullable;

/** A part that a call goes through: it is entered before the call, and left once after it. */
public interface Gate {
    /** Not negative: a stamp, to be handed to {@link #leave} once. Negative: refused, see {@link #refusal}. */
    long enter();

    /** The exception for an entry that was refused with this number. Implements {@link io.tidegate.Refusal}. */
    RuntimeException refusal(long refused);

    /**
     * The call is over, or never began. Throws nothing.
     *
     * @param error what it ended with, if not with the value
     */
    void leave(long stamp, @Nullable Object value, @Nullable Throwable error, Verdict verdict);

    /** Whether the place is to be kept for as long as the operation itself runs, whatever becomes of its caller. */
    default boolean bindsToOperation() {
        return false;
    }

    /** What an end says about the callee. */
    enum Verdict {
        /** Whatever the part finds in the value or error. */
        JUDGED,

        /** A failure, whatever the part would find: a time limit ended it. */
        FAILED,

        /** Nothing. */
        UNJUDGED
    }
}
