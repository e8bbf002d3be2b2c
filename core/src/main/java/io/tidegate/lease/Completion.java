package io.tidegate.lease;

/** How an offset ended, for the runner that it was offered to. */
public enum Completion {
    /** It succeeded, here or elsewhere. */
    PROCESSED,
    /** It failed permanently. */
    PARKED,
    /** The runner no longer has it: its lease was lost, or the runner has stopped. */
    LOST
}
