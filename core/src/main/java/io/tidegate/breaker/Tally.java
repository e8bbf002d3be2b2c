package io.tidegate.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** The counts of one closed period. Which outcomes are still in them is the subclass's affair. */
abstract class Tally {
    /*
     * Admissions and successes are counted in stripes, one cache line pair each, chosen by thread, so that threads that only
     * succeed do not meet. Nothing is ever set back: what is cleared is left out when reading. How many calls are running is
     * `begun - ignored - ended`, and `requests` is that plus the outcomes counted. So
     *
     *   successes + failures <= requests holds in every snapshot, since the difference is a number of running calls that is
     *   read (outcomes first, admissions last) so as never to be too low, and taken as 0 if an outcome was told twice;
     *
     *   a running call stays among the requests when the outcomes are cleared, and counts where it ends;
     *
     *   an ignored call is taken out again.
     *
     * Failures in a row live in one word with the number of times the counts were cleared: [cleared | failures in a row].
     * A success looks at it and writes only if there is a run to end. Successes in a row are derived: all successes less
     * those up to the last failure. As that is asked only when there is no run of failures, the two are never both
     * positive.
     */
    static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    static final int STRIDE = 16;
    private static final int BEGUN = 0;
    private static final int SUCCESSES = 1;
    static final int STRIPES = stripes();
    private static final int STRIPE_SHIFT = 32 - Integer.numberOfTrailingZeros(STRIPES);
    private static final int LONGEST_RUN = Integer.MAX_VALUE;

    private static final AtomicLongFieldUpdater<Tally> RUN = AtomicLongFieldUpdater.newUpdater(Tally.class, "run");
    private static final AtomicLongFieldUpdater<Tally> MARK = AtomicLongFieldUpdater.newUpdater(Tally.class, "mark");

    private final long[] stripes =
            new long[(STRIPES + 1) * STRIDE]; // the first stride keeps the array's own header apart
    private final AtomicLong ignored = new AtomicLong();
    private volatile long run;
    private volatile long mark;

    private static int stripes() {
        int wanted = Math.min(64, Math.max(4, 4 * Runtime.getRuntime().availableProcessors()));
        return Integer.highestOneBit(wanted * 2 - 1);
    }

    /** The number of this thread's stripe. */
    static int stripe() {
        return ((int) Thread.currentThread().getId() * 0x9E3779B9) >>> STRIPE_SHIFT;
    }

    private void increment(int counter) {
        CELL.getAndAdd(stripes, (stripe() + 1) * STRIDE + counter, 1L);
    }

    private long sum(int counter) {
        long sum = 0;
        for (int i = STRIDE + counter; i < stripes.length; i += STRIDE) {
            sum += (long) CELL.getVolatile(stripes, i);
        }
        return sum;
    }

    final void begin() {
        increment(BEGUN);
    }

    /** Counts a success in this thread's stripe, for windows that have no other place for it. */
    final void addSuccess() {
        increment(SUCCESSES);
    }

    final long addedSuccesses() {
        return sum(SUCCESSES);
    }

    final void ignore() {
        ignored.incrementAndGet();
    }

    /** A call ended well. */
    final void succeed(boolean slow, long now) {
        recordSuccess(slow, now);
        long seen = run;
        if ((int) seen != 0) {
            endRun(seen);
        }
    }

    /** A call ended badly. */
    final void fail(boolean slow, long now) {
        recordFailure(slow, now);
        extendRun();
        raiseMark(everSucceeded());
    }

    private void endRun(long seen) {
        for (long word = seen; (int) word != 0; word = run) {
            if (RUN.compareAndSet(this, word, word & ~0xFFFF_FFFFL)) {
                return;
            }
        }
    }

    private void extendRun() {
        long word;
        long next;
        do {
            word = run;
            int cleared = cleared();
            next = ((long) cleared << 32) | (Math.min(failuresInRow(word, cleared), LONGEST_RUN - 1) + 1);
        } while (!RUN.compareAndSet(this, word, next));
    }

    private void raiseMark(long successes) {
        for (long seen = mark; seen < successes; seen = mark) {
            if (MARK.compareAndSet(this, seen, successes)) {
                return;
            }
        }
    }

    private static int failuresInRow(long word, int cleared) {
        return (int) (word >>> 32) == cleared ? (int) word : 0;
    }

    /** Failures in a row, of those still counted. */
    final long failuresInRow(long now) {
        return Math.min(failuresInRow(run, cleared()), failures(now));
    }

    final Counts counts(long now) {
        long failuresInRow;
        long failures;
        long successes;
        int cleared;
        do {
            cleared = cleared();
            failuresInRow = failuresInRow(run, cleared);
            failures = failures(now);
            successes = Math.max(0, completed(now) - failures);
        } while (cleared() != cleared);
        long over = everSucceeded() + everFailed() + ignored.get();
        long running = Math.max(0, sum(BEGUN) - over);
        long successesInRow = failuresInRow > 0
                ? 0
                : Math.min(successes, Math.max(0, everSucceeded() - Math.max(mark, successBase())));
        return new Counts(
                successes + failures + running, successes, failures, successesInRow, Math.min(failuresInRow, failures));
    }

    abstract void recordSuccess(boolean slow, long now);

    abstract void recordFailure(boolean slow, long now);

    /** What the counts would be after one more failure. */
    Outlook afterFailure(long now, long interval) {
        Counts counts = counts(now);
        return new Outlook(
                new Counts(
                        counts.requests() + 1,
                        counts.totalSuccesses(),
                        counts.totalFailures() + 1,
                        0,
                        counts.consecutiveFailures() + 1),
                slow(now));
    }

    /** Counts that may come, and the slow calls among them. */
    record Outlook(Counts counts, long slow) {}

    /** Failures that are still counted. */
    abstract long failures(long now);

    /** Calls of either outcome that are still counted. Read after the failures, it includes these. */
    abstract long completed(long now);

    /** Slow calls, of either outcome, that are still counted. */
    abstract long slow(long now);

    /** All successes of the period. */
    abstract long everSucceeded();

    /** All failures of the period. */
    abstract long everFailed();

    /** Clears the counts if {@code interval} has passed since they were last cleared. */
    void clearAfter(long interval, long now) {}

    /** Clears the counts. */
    void clear(long now) {}

    /** How often the counts were cleared. */
    int cleared() {
        return 0;
    }

    /** Successes before the counts were last cleared. */
    long successBase() {
        return 0;
    }
}
