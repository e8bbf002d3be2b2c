package io.tidegate.lease;

/**
 * Works on one offset. Called for one offset of a domain at a time, by threads of the runner's executor.
 *
 * <p>An attempt may be repeated after it has done its work: a process can die, or an answer be lost, before the outcome
 * is reported. So tasks must be idempotent, and should pass the {@linkplain LeasedWork#fence fence} with every write.
 */
@FunctionalInterface
public interface LeaseTask {
    /**
     * Works on the offset. Returning means success; anything that this throws means a failed attempt.
     *
     * @throws Exception if the attempt failed
     */
    void run(LeasedWork work) throws Exception;
}
