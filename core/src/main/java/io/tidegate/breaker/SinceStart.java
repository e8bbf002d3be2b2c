package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** The part of the totals since a breaker was built that its periods do not have. */
final class SinceStart {
    /*
     * A period has the outcomes of the closed periods before it, added up as each of them ended, and those of its own
     * window. This object has the others: those of probes, and those that a period has counted after its end. So at
     * rest the sum is exact. While a period ends the sum may lack some outcomes for a moment, and never has too many,
     * because these are read before the period. The last reported value is kept, so that no reader gets less.
     */
    private static final AtomicLongFieldUpdater<SinceStart> SUCCESSES = updater("successes");
    private static final AtomicLongFieldUpdater<SinceStart> FAILURES = updater("failures");
    private static final AtomicLongFieldUpdater<SinceStart> TOLD_SUCCESSES = updater("toldSuccesses");
    private static final AtomicLongFieldUpdater<SinceStart> TOLD_FAILURES = updater("toldFailures");

    private volatile long successes;
    private volatile long failures;
    private volatile long toldSuccesses;
    private volatile long toldFailures;

    private static AtomicLongFieldUpdater<SinceStart> updater(String field) {
        return AtomicLongFieldUpdater.newUpdater(SinceStart.class, field);
    }

    void add(long moreSuccesses, long moreFailures) {
        SUCCESSES.getAndAdd(this, moreSuccesses);
        FAILURES.getAndAdd(this, moreFailures);
    }

    Outcomes apart() {
        return new Outcomes(successes, failures);
    }

    /** The greatest value reported so far, this one included. */
    Outcomes told(Outcomes now) {
        TOLD_SUCCESSES.accumulateAndGet(this, now.successes(), Math::max);
        TOLD_FAILURES.accumulateAndGet(this, now.failures(), Math::max);
        return new Outcomes(toldSuccesses, toldFailures);
    }
}
