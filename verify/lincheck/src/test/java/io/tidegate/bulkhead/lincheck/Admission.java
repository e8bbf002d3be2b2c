package io.tidegate.bulkhead.lincheck;

/** What became of a request for a permit. */
public enum Admission {
    ADMITTED,
    REFUSED,

    /** Nothing was asked of the bulkhead: the slot has been admitted before. */
    USED
}
