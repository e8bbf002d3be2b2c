package io.tidegate.group;

/** What becomes of a task that can neither run nor wait, if there is no {@link RejectionHandler}. */
public enum RejectionPolicy {
    /** The handle's {@code await}, {@code join} and {@code get} throw {@link RejectedTaskException}. */
    ABORT,
    /** The handle ends with {@link TaskStatus#REJECTED} and a {@link RejectedTaskException} as its error. */
    DISCARD,
    /**
     * The thread that submits runs the task, inside {@code submit} and without permits: outside all limits. The handle
     * ends with what the task did. A shutdown waits for it like for any other, but does not interrupt it.
     */
    CALLER_RUNS
}
