package io.tidegate.group;

/** What happens to a task that can neither run nor wait, if there is no {@link RejectionHandler}. */
public enum RejectionPolicy {
    /** The handle's {@code await}, {@code join} and {@code get} throw {@link RejectedTaskException}. */
    ABORT,
    /** The handle ends with {@link TaskStatus#REJECTED} and a {@link RejectedTaskException} as its error. */
    DISCARD,
    /**
     * The thread that submits runs the task, inside {@code submit} and without permits: outside all limits. The handle
     * has the task's outcome. A shutdown waits for it as for any other, but does not interrupt it.
     */
    CALLER_RUNS
}
