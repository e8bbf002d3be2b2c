package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/** Decides what happens to a refused task, instead of a {@link RejectionPolicy}. */
@FunctionalInterface
public interface RejectionHandler {
    /**
     * Called on the submitting thread, inside {@code submit}, with no permit and no lock held; for a task that has
     * waited for {@code maxWait}, on another thread. Must be thread-safe.
     *
     * @param task the refused task; that of {@code submitStage} has a callable that waits for the stage
     * @param <T> the type of the task's value
     * @return the result of the task's handle; null for a plain {@link TaskStatus#REJECTED}. If it throws, the result
     *     is {@code REJECTED} with that error
     */
    <T> @Nullable GroupResult<T> onRejected(GroupTask<T> task);
}
