package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * How a task ended. Times are of the monotonic clock of {@link System#nanoTime()}, and both 0 for a task that never
 * ran, or for whose result there was no memory when it ended: that one has failed with the {@link OutOfMemoryError}.
 *
 * @param groupKey the task's group
 * @param taskId the task's name
 * @param status how it ended
 * @param value what the body returned, if {@code status} is {@link TaskStatus#SUCCESS}
 * @param error what it threw, or why it was cancelled or refused; null for a success
 * @param startTimeNanos when the body began
 * @param endTimeNanos when the body, or the stage it returned, ended
 * @param <T> the type of the value
 */
public record GroupResult<T>(
        String groupKey,
        String taskId,
        TaskStatus status,
        @Nullable T value,
        @Nullable Throwable error,
        long startTimeNanos,
        long endTimeNanos) {
    /** Checks that key, id and status are there. */
    public GroupResult {
        requireNonNull(groupKey, "groupKey");
        requireNonNull(taskId, "taskId");
        requireNonNull(status, "status");
    }

    /**
     * Returns the value of a success, and throws otherwise.
     *
     * @throws CompletionException if the task failed; its cause is the {@code error}
     * @throws CancellationException if the task was cancelled
     * @throws RejectedTaskException if the task was refused, whatever the policy
     */
    public @Nullable T orElseThrow() {
        return switch (status) {
            case SUCCESS -> value;
            case FAILED -> throw new CompletionException(error);
            case CANCELLED -> throw cancellation();
            case REJECTED -> throw refusal();
        };
    }

    private CancellationException cancellation() {
        CancellationException cancelled =
                new CancellationException("task '" + taskId + "' of group '" + groupKey + "' was cancelled");
        cancelled.initCause(error);
        return cancelled;
    }

    /** For a refused task. */
    RejectedTaskException refusal() {
        return error instanceof RejectedTaskException refused
                ? refused
                : RejectedTaskException.handler(groupKey, taskId, error);
    }

    /** Returns how long the task ran, without the time it waited; 0 if it never ran. */
    public long durationNanos() {
        return endTimeNanos - startTimeNanos;
    }
}
