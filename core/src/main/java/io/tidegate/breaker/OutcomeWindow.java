package io.tidegate.breaker;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The counts of one closed period. The subclass decides which outcomes they still include. */
abstract class OutcomeWindow extends Stripes {
    /*
     * Admissions and successes are counted in stripes, so that threads that only succeed do not meet. No counter is
     * ever set back: cleared counts are subtracted when reading. The number of running calls is `begun - ignored -
     * ended`, and `requests` is that plus the outcomes that count. So
     *
     *   successes + failures <= requests holds in every snapshot, since the difference is a number of running calls
     *   that is read (outcomes first, admissions last) so as never to be too low, and taken as 0 if an outcome was
     *   reported twice;
     *
     *   a running call stays among the requests when the outcomes are cleared, and counts where it ends;
     *
     *   an ignored call is taken out again.
     *
     * Failures in a row live in one word with the number of times the counts were cleared:
     *
     *   63 … 32  how often the counts were cleared
     *   31       OVER: the period has ended, and its outcomes were added up
     *   30 … 0   failures in a row
     *
     * A success reads that word, and writes it only if there is a run of failures to end. Successes in a row are
     * derived: all successes less those before the last run of failures. They are read only if there is no run of
     * failures, so the two numbers are never both positive. Both go back to the beginning of the period, or to when the
     * counts were cleared, whatever the window holds.
     *
     * A thread that ends the period adds up its outcomes first. An outcome may come too late for that, if its thread
     * had read the period before and was held up. It is counted like any other, and then either its thread finds OVER,
     * or the thread that sets OVER finds the outcome: see settle. So no outcome is missing in the totals since the
     * breaker was built, at no cost for other outcomes.
     */
    static final int BEGUN = START;
    static final int SUCCESSES = START + 1;

    /** The number of counters in a row of every window. */
    static final int COUNTERS = 2;

    private static final int LONGEST_RUN = Integer.MAX_VALUE;
    private static final long OVER = 1L << 31;

    private static final AtomicLongFieldUpdater<OutcomeWindow> IGNORED =
            AtomicLongFieldUpdater.newUpdater(OutcomeWindow.class, "ignored");
    private static final AtomicLongFieldUpdater<OutcomeWindow> RUN =
            AtomicLongFieldUpdater.newUpdater(OutcomeWindow.class, "run");
    private static final AtomicLongFieldUpdater<OutcomeWindow> MARK =
            AtomicLongFieldUpdater.newUpdater(OutcomeWindow.class, "mark");
    private static final AtomicLongFieldUpdater<OutcomeWindow> SETTLED_SUCCESSES =
            AtomicLongFieldUpdater.newUpdater(OutcomeWindow.class, "settledSuccesses");
    private static final AtomicLongFieldUpdater<OutcomeWindow> SETTLED_FAILURES =
            AtomicLongFieldUpdater.newUpdater(OutcomeWindow.class, "settledFailures");

    private volatile long ignored;
    private volatile long run;
    private volatile long mark;
    private volatile long settledSuccesses;
    private volatile long settledFailures;
    private @Nullable StrayOutcomes strayOutcomes; // set before the run is OVER

    OutcomeWindow(int counters) {
        super(counters);
    }

    final void begin() {
        increment(row(), BEGUN);
    }

    final void ignore() {
        IGNORED.getAndIncrement(this);
    }

    /** A call succeeded. */
    final void succeed(boolean slow, long now) {
        recordSuccess(slow, now);
        long seen = run;
        if ((int) seen != 0) {
            endRun(seen);
        }
    }

    /** A call failed. */
    final void fail(boolean slow, long now) {
        recordFailure(slow, now);
        if (extendRun() == 1) {
            long unused = raise(MARK, mark, everSucceeded());
        }
    }

    private void endRun(long seen) {
        for (long word = seen; (int) word != 0; word = run) {
            if ((word & OVER) != 0) {
                settle();
                return;
            }
            if (RUN.compareAndSet(this, word, word & ~0xFFFF_FFFFL)) {
                return;
            }
        }
    }

    /** Makes the run of failures longer by one. Returns its length; 0 if the period is over. */
    private int extendRun() {
        for (; ; ) {
            long word = run;
            if ((word & OVER) != 0) {
                settle();
                return 0;
            }
            int cleared = cleared();
            int longer = Math.min(failuresInRow(word, cleared), LONGEST_RUN - 1) + 1;
            if (RUN.compareAndSet(this, word, ((long) cleared << 32) | longer)) {
                return longer;
            }
        }
    }

    /**
     * Raises {@code number}, whose value was {@code now}, to {@code to}. Returns by how much this thread has raised it.
     */
    private long raise(AtomicLongFieldUpdater<OutcomeWindow> number, long now, long to) {
        for (long seen = now; seen < to; seen = number.get(this)) {
            if (number.compareAndSet(this, seen, to)) {
                return to - seen;
            }
        }
        return 0;
    }

    private static int failuresInRow(long word, int cleared) {
        return (int) (word >>> 32) == cleared ? (int) word & LONGEST_RUN : 0;
    }

    /** Returns the failures in a row, without failures that were cleared before they made the run longer. */
    final long failuresInRow() {
        return Math.min(failuresInRow(run, cleared()), everFailed() - failureBase());
    }

    final OutcomeCounts everEnded() {
        return new OutcomeCounts(everSucceeded(), everFailed());
    }

    /** Ends the period. This many of its outcomes are in the totals of the periods; later ones are stray outcomes. */
    final void end(long successes, long failures, StrayOutcomes strays) {
        settledSuccesses = successes;
        settledFailures = failures;
        strayOutcomes = strays;
        for (long word = run; !RUN.compareAndSet(this, word, word | OVER); word = run) {
            Thread.onSpinWait();
        }
        settle();
    }

    private void settle() {
        requireNonNull(strayOutcomes)
                .add(
                        raise(SETTLED_SUCCESSES, settledSuccesses, everSucceeded()),
                        raise(SETTLED_FAILURES, settledFailures, everFailed()));
    }

    final Counts counts(long now) {
        long failuresInRow;
        long successesInRow;
        long failures;
        long successes;
        int cleared;
        do {
            cleared = cleared();
            failuresInRow = failuresInRow();
            successesInRow = failuresInRow > 0 ? 0 : successesInRow(); // before the totals, so as not to be above them
            failures = failures(now);
            successes = Math.max(0, completed(now) - failures);
        } while (cleared() != cleared);
        long over = everSucceeded() + everFailed() + ignored;
        long running = Math.max(0, sum(BEGUN) - over);
        return new Counts(successes + failures + running, successes, failures, successesInRow, failuresInRow);
    }

    private long successesInRow() {
        return Math.max(0, everSucceeded() - Math.max(mark, successBase()));
    }

    abstract void recordSuccess(boolean slow, long now);

    abstract void recordFailure(boolean slow, long now);

    /** Returns what the counts would be after one more failure. */
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

    /** The counts as they would be, and the slow calls among them. */
    record Outlook(Counts counts, long slow) {}

    /** Failures that still count. */
    abstract long failures(long now);

    /** Calls of either outcome that still count. Read after the failures, it includes these. */
    abstract long completed(long now);

    /** Slow calls, of either outcome, that still count. */
    abstract long slow(long now);

    /** All successes of the period. */
    long everSucceeded() {
        return sum(SUCCESSES);
    }

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

    /** Failures before the counts were last cleared. */
    long failureBase() {
        return 0;
    }
}
