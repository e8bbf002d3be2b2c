package io.tidegate.group;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A group and the executor that runs its tasks. */
final class Group extends GroupQueue {
    final VirtualThreadGroupExecutor executor;

    /** Whether {@link WaitLimit} watches the tasks that wait here. */
    final AtomicBoolean watched = new AtomicBoolean();

    volatile @Nullable Future<?> timer;

    Group(VirtualThreadGroupExecutor executor, SharedPermits shared, String key, GroupPolicy policy) {
        super(shared, key, policy.maxConcurrency(key), policy.maxInFlight(key), policy.queueThreshold(key));
        this.executor = executor;
    }

    void cancelTimer() {
        Future<?> set = timer;
        if (set != null) {
            set.cancel(false);
        }
    }
}
