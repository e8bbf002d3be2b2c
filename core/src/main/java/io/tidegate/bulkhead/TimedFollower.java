package io.tidegate.bulkhead;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.stage.DecidedFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The returned future under {@link PermitLifetime#OPERATION} where the limit moves. The limit learns from its end, even
 * if the caller ends it because it has waited long enough. The operation's own hook holds the permit.
 */
final class TimedFollower<T> extends DecidedFuture<T> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<TimedFollower> TOLD =
            AtomicIntegerFieldUpdater.newUpdater(TimedFollower.class, "told");

    private final PermitBulkhead bulkhead;
    private final long stamp;

    @SuppressWarnings("unused") // written through TOLD
    private volatile int told;

    TimedFollower(PermitBulkhead bulkhead, long stamp) {
        this.bulkhead = bulkhead;
        this.stamp = stamp;
    }

    @Override
    protected boolean settle(@Nullable Throwable error) {
        if (isDone()) {
            return false;
        }
        if (TOLD.compareAndSet(this, 0, 1)) {
            bulkhead.learn(stamp, error, Verdict.JUDGED);
        }
        return true;
    }

    @Override
    protected boolean isReturned() {
        return true;
    }
}
