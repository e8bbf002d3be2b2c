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

    /** Whether the permit is kept for as long as the operation itself runs, even if its caller gives up. */
    default boolean bindsToOperation() {
        return false;
    }

    /** What an end says about the callee. */
    enum Verdict {
        /** The part's own rules decide by the value or error. */
        JUDGED,

        /** A failure, whatever the part's rules say: a time limit ended it. */
        FAILED,

        /** Nothing. */
        UNJUDGED
    }
}
