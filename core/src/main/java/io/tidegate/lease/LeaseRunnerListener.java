package io.tidegate.lease;

import java.time.Duration;

/**
 * Callbacks of a runner, on the thread that causes them and with no lock held. Those of one domain come in order.
 *
 * <p>A callback may throw, block or offer again: what it throws is dropped. A callback that blocks holds back its
 * domain.
 *
 * <p>Implementations must be safe for use by many threads at once.
 */
public interface LeaseRunnerListener {
    /** An attempt begins. */
    default void onStarted(LeasedWork work) {}

    /** An attempt succeeded, and the lease has recorded it. */
    default void onSucceeded(LeasedWork work) {}

    /** An attempt failed; the next one is made after this delay. */
    default void onRetryScheduled(LeasedWork work, Throwable error, Duration delay) {}

    /** The last attempt failed, the lease has given the offset up, and the {@link ParkingHandler} has returned. */
    default void onParked(LeasedWork work, Throwable error) {}

    /**
     * The offset was finished or taken over elsewhere: the lease refuses the outcome of the attempt, if there was one.
     * Called as soon as it is known, also while the attempt runs, and then on another thread.
     *
     * @param refusal what the lease threw
     */
    default void onLost(LeasedWork work, IllegalStateException refusal) {}

    /**
     * The lease, the executor, the backoff rule or the parking handler threw. The runner goes on, and retries later if
     * necessary.
     *
     * @param domainId where; if many leases could not be renewed together, the first of them; empty when a sweep failed
     */
    default void onError(String domainId, Throwable error) {}

    /**
     * The scheduler refused, so the runner has dropped the domain. The leased offset is given back to an engine, and
     * stays leased in memory: the next offer, or {@link LeaseRunner#resume}, takes it up. If an outcome could not be
     * reported, that work then runs again.
     *
     * @param refusal what the scheduler threw
     */
    default void onLetGo(String domainId, Throwable refusal) {}
}
