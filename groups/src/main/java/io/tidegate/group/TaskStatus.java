package io.tidegate.group;

/** How a task ended. */
public enum TaskStatus {
    /** The body returned; null is a value too. */
    SUCCESS,
    /** The body threw, or its stage failed; or no thread could be started for it. */
    FAILED,
    /** The task was cancelled before it ran, or its body ended by an interrupt or a {@code CancellationException}. */
    CANCELLED,
    /** The task was refused: it could neither run nor wait. */
    REJECTED
}
