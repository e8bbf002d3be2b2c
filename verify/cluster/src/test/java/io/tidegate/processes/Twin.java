package io.tidegate.processes;

/** Which engine is run: ours, or one with a fault that a run must show. */
enum Twin {
    /** Ours. */
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

    /** A pattern of what is said of it; if it were anything else, that would be a fault of the runs themselves. */
    String sign() {
        return sign;
    }
}
