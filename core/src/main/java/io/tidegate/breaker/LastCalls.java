package io.tidegate.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** The sliding window by count: counts over a number of completed calls, the last ones. */
final class LastCalls extends OutcomeWindow {
    /*
     * There is a ring of outcomes, each a failure bit and a slow bit, and there are the sums of those bits. An outcome
     * replaces the one in the next slot; the sums change by the difference, so they remain the sums of the ring. A fast
     * success that replaces a fast success, the common case, writes nothing: 0 means both a fast success and an unused
     * slot.
     *
     * All threads write the number of completed calls, which therefore has its cache line to itself. The slot is that
     * number modulo the ring's length, computed without a division: the product with the length's inverse, rounded
     * down, is the quotient or one less.
     */
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final AtomicLongFieldUpdater<LastCalls> FAILURES = updater("failures");
    private static final AtomicLongFieldUpdater<LastCalls> SLOW_CALLS = updater("slow");
    private static final AtomicLongFieldUpdater<LastCalls> EVER_FAILED = updater("everFailed");
    private static final int FAILURE = 1;
    private static final int SLOW = 2;
    private static final int LINE = 8;

    private final byte[] ring;
    private final long inverse;
    private final long[] completed = new long[LINE + 1 + LINE];
    private volatile long failures;
    private volatile long slow;
    private volatile long everFailed;

    private static AtomicLongFieldUpdater<LastCalls> updater(String field) {
        return AtomicLongFieldUpdater.newUpdater(LastCalls.class, field);
    }

    LastCalls(int calls) {
        super(COUNTERS);
        ring = new byte[calls];
        inverse = Long.MAX_VALUE / calls;
    }

    @Override
    void recordSuccess(boolean isSlow, long now) {
        record(isSlow ? SLOW : 0);
    }

    @Override
    void recordFailure(boolean isSlow, long now) {
        EVER_FAILED.getAndIncrement(this);
        record(isSlow ? FAILURE | SLOW : FAILURE);
    }

    private void record(int outcome) {
        int slot = slot(getAndIncrement(completed, LINE));
        if ((byte) SLOT.getVolatile(ring, slot) == outcome) {
            return;
        }
        int before = (byte) SLOT.getAndSet(ring, slot, (byte) outcome);
        int failuresMore = (outcome & FAILURE) - (before & FAILURE);
        if (failuresMore != 0) {
            FAILURES.getAndAdd(this, failuresMore);
        }
        int slowMore = (outcome & SLOW) - (before & SLOW);
        if (slowMore != 0) {
            SLOW_CALLS.getAndAdd(this, slowMore / SLOW);
        }
    }

    private int slot(long number) {
        long rest = number - Math.multiplyHigh(number << 1, inverse) * ring.length;
        return (int) (rest < ring.length ? rest : rest - ring.length);
    }

    private long everCompleted() {
        return get(completed, LINE);
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
        int pushedOut = (byte) SLOT.getVolatile(ring, slot(next));
        int failure = pushedOut & FAILURE;
        Counts counts = outlook.counts();
        return new Outlook(
                new Counts(
                        counts.requests() - 1,
                        counts.totalSuccesses() - 1 + failure,
                        counts.totalFailures() - failure,
                        0,
                        counts.consecutiveFailures()),
                outlook.slow() - (pushedOut & SLOW) / SLOW);
    }

    @Override
    long failures(long now) {
        return Math.max(0, Math.min(inWindow(), failures));
    }

    @Override
    long slow(long now) {
        return Math.max(0, Math.min(inWindow(), slow));
    }

    @Override
    long everSucceeded() {
        return everCompleted() - everFailed;
    }

    @Override
    long everFailed() {
        return everFailed;
    }
}
