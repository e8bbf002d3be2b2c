package io.tidegate.lease;

/** How an offset came to its end, for a runner that had it in its hands. */
public enum Completion {
    /** It succeeded, here or elsewhere. */
    PROCESSED,
    /** It failed for good. */
    PARKED,
    /** It is in the hands of somebody else: its lease was lost, or the runner has stopped. */
    LOST
}
