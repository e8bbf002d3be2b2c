package io.tidegate.lease;

import java.util.concurrent.CompletionStage;

/**
 * Works on one offset without holding a thread: a {@link LeaseTask} whose attempt ends with the stage that it returns.
 */
@FunctionalInterface
public interface StageTask {
    /**
     * Begins to work on the offset. A stage that ends with a value means success. A stage that ends with an error, or
     * anything that this throws, means a failed attempt.
     *
     * @throws Exception if the attempt failed
     */
    CompletionStage<?> run(LeasedWork work) throws Exception;
}
