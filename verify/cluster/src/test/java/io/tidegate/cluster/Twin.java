package io.tidegate.cluster;

/** Which engine is run: ours, or one with a fault that a run must show. */
enum Twin {
    /** Ours. */
    NONE,
    /** A take-over leaves the fence as it was. */
    FENCE_KEPT,
    /** Leases are dated and judged by the clock of whoever asks. */
    CLIENT_CLOCK,
    /** A success first frees the domain and then, by another call, remembers what was done. */
    FINISH_IN_TWO_STEPS
}
