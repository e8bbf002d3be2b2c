package io.tidegate.bulkhead.lincheck;

/** The answer to a request for a permit. */
public enum Admission {
    ADMITTED,
    REFUSED,

    /** The slot has been admitted before, so the bulkhead was not asked. */
    USED
}
