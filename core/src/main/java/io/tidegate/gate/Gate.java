package io.tidegate.gate;

import org.jspecify.annotations.Nullable;

/** A part that a call goes through: the call enters it first, and leaves it once afterwards. */
public interface Gate {
    /**
     * Returns a stamp, to be handed to {@link #leave} once; or, if the part refuses, a negative number for {@link
     * #refusal}.
     */
    long enter();

    /**
     * Returns the exception for an entry that was refused with this number. It implements {@link io.tidegate.Refusal}.
     */
    RuntimeException refusal(long refused);

    /**
     * Called when the call is over, or did not begin after all. Throws nothing.
     *
     * @param error the error it ended with; null for a value
     */
    void leave(long stamp, @Nullable Object value, @Nullable Throwable error, Verdict verdict);

    /** Returns whether the operation itself keeps the permit as long as it runs, even if its caller gives up. */
    default boolean bindsToOperation() {
        return false;
    }

    /** What an end says about the callee. */
    enum Verdict {
        /** The part's own rules decide by the value or error. */
        JUDGED,

        /** A failure, whatever the part's rules say: a time limit ended it. */
        FAILED,

        /** The end says nothing about the callee. */
        UNJUDGED
    }
}
