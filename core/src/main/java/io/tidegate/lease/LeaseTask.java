package io.tidegate.lease;

/**
 * Works on one offset. Called for one offset of a domain at a time, by threads of the runner's executor.
 *
 * <p>An attempt may be made again after it has done its work: a process can die, or a reply be lost, before the lease hears of it. So
 * do the same work twice without harm, and hand the {@linkplain LeasedWork#fence fence} to whatever is written to.
 */
@FunctionalInterface
public interface LeaseTask {
    /**
     * Works on the offset. Returning means success; whatever is thrown, a failed attempt.
     *
     * @throws Exception if the attempt failed
     */
    void run(LeasedWork work) throws Exception;
}
