package io.tidegate.lease;

import java.time.Duration;

/**
 * Is told what a runner does, on the thread that does it and with nothing held. What is told of a domain's work comes
 * in order.
 *
 * <p>A callback may throw, block or offer again: what it throws is dropped. A callback that blocks holds back the
 * domain it is told of.
 *
 * <p>Implementations must be safe for use by many threads at once.
 */
public interface LeaseRunnerListener {
    /** An attempt begins. */
    default void onStarted(LeasedWork work) {}

    /** An attempt ended well, and the lease knows. */
    default void onSucceeded(LeasedWork work) {}

    /** An attempt failed; the next one is made after this delay. */
    default void onRetryScheduled(LeasedWork work, Throwable error, Duration delay) {}

    /** The last attempt failed, the lease has given the offset up, and the {@link ParkingHandler} had it. */
    default void onParked(LeasedWork work, Throwable error) {}

    /**
     * Somebody else has finished the offset or taken it over: the lease does not take the outcome of the attempt, if
     * there was one. Told as soon as it is known, also while the attempt runs, and then on another thread.
     *
     * @param refusal what the lease threw
     */
    default void onLost(LeasedWork work, IllegalStateException refusal) {}

    /**
     * The lease, the executor, the backoff rule or the parking handler threw. The runner goes on, where need be by
     * trying again later.
     *
     * @param domainId where; the first of many whose leases could not be prolonged together; empty when a sweep failed
     */
    default void onError(String domainId, Throwable error) {}

    /**
     * The scheduler took no more, so the runner has let go of the domain. What is leased is given back to an engine,
     * and stays leased in memory: the next offer, or {@link LeaseRunner#resume}, takes it up. The work of an outcome
     * that could not be told is done again then.
     *
     * @param refusal what the scheduler threw
     */
    default void onLetGo(String domainId, Throwable refusal) {}
}
