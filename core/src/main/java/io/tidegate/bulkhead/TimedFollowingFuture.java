package io.tidegate.bulkhead;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.stage.DecidedFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The returned future under {@link PermitLifetime#OPERATION} if the limit moves. The limit learns from the end of this
 * future, even if the caller ends it, for example by a time-out. The operation's own hook holds the permit.
 */
final class TimedFollowingFuture<T> extends DecidedFuture<T> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<TimedFollowingFuture> LEARNT =
            AtomicIntegerFieldUpdater.newUpdater(TimedFollowingFuture.class, "learnt");

    private final PermitBulkhead bulkhead;
    private final long stamp;

    @SuppressWarnings("unused") // written through LEARNT
    private volatile int learnt;

    TimedFollowingFuture(PermitBulkhead bulkhead, long stamp) {
        this.bulkhead = bulkhead;
        this.stamp = stamp;
    }

    @Override
    protected boolean settle(@Nullable Throwable error) {
        if (isDone()) {
            return false;
        }
        if (LEARNT.compareAndSet(this, 0, 1)) {
            bulkhead.learn(stamp, error, Verdict.JUDGED);
        }
        return true;
    }

    @Override
    protected boolean isReturned() {
        return true;
    }
}
