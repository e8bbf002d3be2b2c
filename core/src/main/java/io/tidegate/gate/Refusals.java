package io.tidegate.gate;

import io.tidegate.Refusal;
import io.tidegate.stage.Stages;
import org.jspecify.annotations.Nullable;

/** Finds refusals. */
public final class Refusals {
    private Refusals() {}

    /** What {@link Refusal#in} finds, or null; allocates nothing. */
    public static @Nullable Refusal find(@Nullable Throwable error) {
        Throwable bare = Stages.bare(error);
        boolean mistaken = bare instanceof Mistakable own && own.isMistake();
        return bare instanceof Refusal refusal && !mistaken ? refusal : null;
    }

    /** An exception that is a refusal unless it reports a mistake of the caller. */
    public interface Mistakable {
        /** Returns whether it reports a mistake of the caller. */
        boolean isMistake();
    }
}
