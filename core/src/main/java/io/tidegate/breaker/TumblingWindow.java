package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** The tumbling window: counts since the period began, or since they were last cleared. */
final class TumblingWindow extends OutcomeWindow {
    /*
     * Clearing makes the sums so far the new zero, by one compare-and-set of the reference, so that it happens once. An
     * outcome that comes between the summing and the compare-and-set is not in the new zero, and so counts.
     */
    private record Zero(int cleared, long start, long successes, long failures, long slow) {}

    private static final AtomicReferenceFieldUpdater<TumblingWindow, Zero> ZERO =
            AtomicReferenceFieldUpdater.newUpdater(TumblingWindow.class, Zero.class, "zero");

    private static final AtomicLongFieldUpdater<TumblingWindow> FAILURES =
            AtomicLongFieldUpdater.newUpdater(TumblingWindow.class, "failures");
    private static final AtomicLongFieldUpdater<TumblingWindow> SLOW =
            AtomicLongFieldUpdater.newUpdater(TumblingWindow.class, "slow");

    private volatile long failures;
    private volatile long slow;
    private volatile Zero zero;

    TumblingWindow(long now) {
        super(COUNTERS);
        zero = new Zero(0, now, 0, 0, 0);
    }

    @Override
    void recordSuccess(boolean isSlow, long now) {
        increment(row(), SUCCESSES);
        if (isSlow) {
            SLOW.getAndIncrement(this);
        }
    }

    @Override
    void recordFailure(boolean isSlow, long now) {
        FAILURES.getAndIncrement(this);
        if (isSlow) {
            SLOW.getAndIncrement(this);
        }
    }

    @Override
    void clearAfter(long interval, long now) {
        Zero seen = zero;
        if (now - seen.start >= interval) {
            clear(seen, now);
        }
    }

    @Override
    void clear(long now) {
        clear(zero, now);
    }

    private void clear(Zero seen, long now) {
        ZERO.compareAndSet(this, seen, new Zero(seen.cleared + 1, now, everSucceeded(), failures, slow));
    }

    @Override
    long completed(long now) {
        Zero since = zero;
        return everSucceeded() + failures - since.successes - since.failures;
    }

    @Override
    Outlook afterFailure(long now, long interval) {
        Outlook outlook = super.afterFailure(now, interval);
        if (interval == 0 || now - zero.start < interval) {
            return outlook;
        }
        Counts counts = outlook.counts();
        long running = counts.requests() - counts.totalSuccesses() - counts.totalFailures();
        return new Outlook(new Counts(running + 1, 0, 1, 0, 1), 0);
    }

    @Override
    long failures(long now) {
        return Math.max(0, failures - zero.failures);
    }

    @Override
    long slow(long now) {
        return Math.max(0, slow - zero.slow);
    }

    @Override
    long everFailed() {
        return failures;
    }

    @Override
    int cleared() {
        return zero.cleared;
    }

    @Override
    long successBase() {
        return zero.successes;
    }

    @Override
    long failureBase() {
        return zero.failures;
    }
}
