package io.tidegate.gate;

import org.jspecify.annotations.Nullable;

/** The settings of a hedge, as a guard uses them. Nothing here throws. */
public interface HedgePolicy {
    /** After how long without an end another attempt starts. */
    long delayNanos();

    /** The most attempts beside the first. */
    int maxExtra();

    /** The budget; null if there is none. Used to recognise a shared one. */
    @Nullable
    Object budget();

    /** Reports a first attempt to the budget. */
    void onFirst();

    /** Spends one extra attempt of the budget; returns whether there was one. */
    boolean tryExtra();
}
