package io.tidegate.breaker;

/** The state of a breaker. */
public enum State {
    /** Calls run and are counted. */
    CLOSED,

    /** Calls are refused until the open time is over and a call arrives. */
    OPEN,

    /** A few probes run; the others are refused. */
    HALF_OPEN,

    /** Calls are refused until {@link CircuitBreaker#reset}. */
    FORCED_OPEN,

    /** Calls run and nothing is counted, until {@link CircuitBreaker#reset}. */
    DISABLED
}
