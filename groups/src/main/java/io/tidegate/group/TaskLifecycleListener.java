package io.tidegate.group;

/**
 * Callbacks for every task: submitted, started, completed; or submitted, completed, if it was cancelled while it
 * waited; or submitted, rejected. Each once, and in this order for one task; callbacks for different tasks run at the
 * same time, so a listener must be thread-safe.
 *
 * <p>Callbacks run with no lock held, on the thread that causes them. What they throw is dropped. A callback may use
 * the executor, its {@code evictGroup}, {@code shutdownGroup} and {@code close} included.
 */
public interface TaskLifecycleListener {
    /** The task was submitted. Runs on the submitting thread, before the task can start. */
    default void onSubmitted(GroupTask<?> task) {}

    /** The task has its permits, and its body runs next, on this thread. */
    default void onStarted(GroupTask<?> task) {}

    /**
     * The task has ended and its permits are back; the handle is not seen as done before this returns. Not called if
     * there is no memory for the result.
     */
    default void onCompleted(GroupTask<?> task, GroupResult<?> result) {}

    /**
     * The task was refused. Runs on the submitting thread or, if the task has waited for {@code maxWait}, on another
     * one; before the handler or the policy decides.
     */
    default void onRejected(GroupTask<?> task) {}
}
