package io.tidegate.group;

/** A lane and the executor that runs its tasks. */
final class Group extends Lane {
    final VirtualThreadGroupExecutor executor;

    Group(VirtualThreadGroupExecutor executor, SharedPlaces shared, String key, GroupPolicy policy) {
        super(shared, key, policy.maxConcurrency(key), policy.maxInFlight(key), policy.queueThreshold(key));
        this.executor = executor;
    }
}
