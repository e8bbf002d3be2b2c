package io.tidegate.testkit;

/** What a {@link LeaseHistory} is checked for. */
public enum LeasePromise {
    /** At every point at most one offset of a domain is leased, and only its token ends it, once. */
    ONE_HOLDER,

    /** Offsets are acquired in the order in which they came to wait. */
    FIFO,

    /** An offset that is done is not leased or queued again. */
    TERMINAL_ONCE,

    /** Each acquisition has a greater fence than those before it. */
    FENCE_RISES,

    /** What was acknowledged is kept, and no answer reports what no operation did. */
    NOTHING_LOST
}
