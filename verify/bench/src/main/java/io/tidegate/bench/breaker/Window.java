package io.tidegate.bench.breaker;

/** The calls that a closed breaker counts, and the share that opens it. */
public enum Window {
    /** Six failures in a row. */
    SIX_IN_A_ROW,
    /** Six failures in a row, counted anew every 10 s. */
    EVERY_10_S,
    /** More than 9 of 10 among the last 100 calls fail. */
    LAST_100,
    /** More than 9 of 10 in the last 10 s fail, of at least 100 calls. */
    LAST_10_S,
    /** More than 9 of 10 fail or take longer than a second, of at least 100 calls. */
    SLOW_CALLS
}
