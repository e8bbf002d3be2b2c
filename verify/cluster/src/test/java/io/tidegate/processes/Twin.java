package io.tidegate.processes;

/** Which engine runs: ours, or a broken one that a run must catch. */
enum Twin {
    /** Our engine. */
    NONE("nothing"),
    /** A take-over leaves the fence as it was. */
    FENCE_KEPT("FENCE_RISES|two have the same fence"),
    /** Leases are dated and judged by the clock of the client that asks. */
    CLIENT_CLOCK("(before|after) its time"),
    /** A success first frees the domain and then, by another call, remembers what was done. */
    FINISH_IN_TWO_STEPS("TERMINAL_ONCE");

    private final String sign;

    Twin(String sign) {
        this.sign = sign;
    }

    /**
     * Returns a pattern of the breach that a run must report; any other breach would be a fault of the runs themselves.
     */
    String sign() {
        return sign;
    }
}
