package io.tidegate.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/** Counts over the last so many completed calls: the sliding window by count. */
final class LastCalls extends Tally {
    /*
     * A ring of outcomes, each a failure bit and a slow bit, and the sums of those bits. An outcome takes the next place and
     * exchanges what is there for itself; the sums change by the difference, so they are always those of the ring. A good
     * outcome over a good one, the common case, writes nothing: 0 is both a fast success and a place not used yet.
     *
     * All threads meet at the number of completed calls, which therefore has its cache lines to itself. A place is that number
     * modulo the ring's length, worked out without a division: the product with the length's inverse, rounded down, is the
     * quotient or one less.
     */
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int FAILURE = 1;
    private static final int SLOW = 2;

    private final int[] ring;
    private final long inverse;
    private final long[] completed = new long[2 * STRIDE + 1];
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong slow = new AtomicLong();
    private final AtomicLong everFailed = new AtomicLong();

    LastCalls(int calls) {
        ring = new int[calls];
        inverse = Long.MAX_VALUE / calls;
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
        int place = place((long) CELL.getAndAdd(completed, STRIDE, 1L));
        if ((int) PLACE.getVolatile(ring, place) == outcome) {
            return;
        }
        int before = (int) PLACE.getAndSet(ring, place, outcome);
        int failuresMore = (outcome & FAILURE) - (before & FAILURE);
        if (failuresMore != 0) {
            failures.getAndAdd(failuresMore);
        }
        int slowMore = (outcome & SLOW) - (before & SLOW);
        if (slowMore != 0) {
            slow.getAndAdd(slowMore / SLOW);
        }
    }

    private int place(long number) {
        long rest = number - Math.multiplyHigh(number << 1, inverse) * ring.length;
        return (int) (rest < ring.length ? rest : rest - ring.length);
    }

    private long everCompleted() {
        return (long) CELL.getVolatile(completed, STRIDE);
    }

    private long inWindow() {
        return Math.min(ring.length, everCompleted());
    }

    @Override
    long completed(long now) {
        return inWindow();
    }

    @Override
    Outlook afterFailure(long now, long interval) {
        Outlook outlook = super.afterFailure(now, interval);
        long next = everCompleted();
        if (next < ring.length) {
            return outlook;
        }
        int pushedOut = (int) PLACE.getVolatile(ring, place(next));
        int failure = pushedOut & FAILURE;
        Counts counts = outlook.counts();
        return new Outlook(
                new Counts(
                        counts.requests() - 1,
                        counts.totalSuccesses() - 1 + failure,
                        counts.totalFailures() - failure,
                        0,
                        Math.min(counts.consecutiveFailures(), ring.length)),
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
        return everCompleted() - everFailed.get();
    }

    @Override
    long everFailed() {
        return everFailed.get();
    }
}
