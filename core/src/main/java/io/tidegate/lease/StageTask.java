package io.tidegate.lease;

import java.util.concurrent.CompletionStage;

/**
 * Works on one offset without keeping a thread: a {@link LeaseTask} whose attempt ends when the stage ends that it
 * returns.
 */
@FunctionalInterface
public interface StageTask {
    /**
     * Begins to work on the offset. A stage that ends well means success; one that ends with an error, or whatever is
     * thrown, a failed attempt.
     *
     * @throws Exception if the attempt failed
     */
    CompletionStage<?> run(LeasedWork work) throws Exception;
}
