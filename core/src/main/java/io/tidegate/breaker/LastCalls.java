package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Counts over the last so many completed calls: the sliding window by count. */
final class LastCalls extends Tally {
    /*
     * A ring of outcomes, each a failure bit and a slow bit, and the sums of those bits. An outcome takes the next place and
     * exchanges what is there for itself; the sums change by the difference, so they are always those of the ring. A good
     * outcome over a good one, the common case, writes nothing: 0 is both a fast success and a place not used yet.
     */
    private static final int FAILURE = 1;
    private static final int SLOW = 2;

    private final AtomicIntegerArray ring;
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong slow = new AtomicLong();
    private final AtomicLong everFailed = new AtomicLong();

    LastCalls(int calls) {
        ring = new AtomicIntegerArray(calls);
    }

    @Override
    void recordSuccess(boolean isSlow, long now) {
        record(isSlow ? SLOW : 0);
    }

    @Override
    void recordFailure(boolean isSlow, long now) {
        everFailed.incrementAndGet();
        record(isSlow ? FAILURE | SLOW : FAILURE);
    }

    private void record(int outcome) {
        int place = (int) (completed.getAndIncrement() % ring.length());
        if (ring.get(place) == outcome) {
            return;
        }
        int before = ring.getAndSet(place, outcome);
        int failuresMore = (outcome & FAILURE) - (before & FAILURE);
        if (failuresMore != 0) {
            failures.getAndAdd(failuresMore);
        }
        int slowMore = (outcome & SLOW) - (before & SLOW);
        if (slowMore != 0) {
            slow.getAndAdd(slowMore / SLOW);
        }
    }

    private long inWindow() {
        return Math.min(ring.length(), completed.get());
    }

    @Override
    long completed(long now) {
        return inWindow();
    }

    @Override
    Outlook afterFailure(long now, long interval) {
        Outlook outlook = super.afterFailure(now, interval);
        long next = completed.get();
        if (next < ring.length()) {
            return outlook;
        }
        int pushedOut = ring.get((int) (next % ring.length()));
        int failure = pushedOut & FAILURE;
        Counts counts = outlook.counts();
        return new Outlook(
                new Counts(
                        counts.requests() - 1,
                        counts.totalSuccesses() - 1 + failure,
                        counts.totalFailures() - failure,
                        0,
                        Math.min(counts.consecutiveFailures(), ring.length())),
                outlook.slow() - (pushedOut & SLOW) / SLOW);
    }

    @Override
    long failures(long now) {
        return Math.max(0, Math.min(inWindow(), failures.get()));
    }

    @Override
    long slow(long now) {
        return Math.max(0, Math.min(inWindow(), slow.get()));
    }

    @Override
    long everSucceeded() {
        return completed.get() - everFailed.get();
    }

    @Override
    long everFailed() {
        return everFailed.get();
    }
}
