package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;

/**
 * A task and the group it belongs to.
 *
 * @param groupKey names the group
 * @param taskId names the task to humans; need not be unique
 * @param callable the body; may return null
 * @param <T> the type of its value
 */
public record GroupTask<T>(String groupKey, String taskId, Callable<T> callable) {
    /** Checks that nothing is null. */
    public GroupTask {
        requireNonNull(groupKey, "groupKey");
        requireNonNull(taskId, "taskId");
        requireNonNull(callable, "callable");
    }
}
