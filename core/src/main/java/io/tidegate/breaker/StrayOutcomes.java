package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Outcomes that count in the totals since a breaker was built, but in none of its periods. */
final class StrayOutcomes {
    /*
     * A period has the outcomes of the closed periods before it, which were added up as each of them ended, and those
     * of its own window. This object has all others: the outcomes of probes, and those that a period has counted after
     * its end. So at rest the sum is exact. While a period ends the sum may lack some outcomes for a moment, but never
     * has too many, because stray outcomes are read before the period. A lower sum than the last reported one is not
     * reported.
     */
    private static final AtomicLongFieldUpdater<StrayOutcomes> SUCCESSES = updater("successes");
    private static final AtomicLongFieldUpdater<StrayOutcomes> FAILURES = updater("failures");
    private static final AtomicLongFieldUpdater<StrayOutcomes> REPORTED_SUCCESSES = updater("reportedSuccesses");
    private static final AtomicLongFieldUpdater<StrayOutcomes> REPORTED_FAILURES = updater("reportedFailures");

    private volatile long successes;
    private volatile long failures;
    private volatile long reportedSuccesses;
    private volatile long reportedFailures;

    private static AtomicLongFieldUpdater<StrayOutcomes> updater(String field) {
        return AtomicLongFieldUpdater.newUpdater(StrayOutcomes.class, field);
    }

    void add(long moreSuccesses, long moreFailures) {
        SUCCESSES.getAndAdd(this, moreSuccesses);
        FAILURES.getAndAdd(this, moreFailures);
    }

    OutcomeCounts sum() {
        return new OutcomeCounts(successes, failures);
    }

    /** Returns this sum, or the last reported one if that is greater. */
    OutcomeCounts noLessThanReported(OutcomeCounts now) {
        REPORTED_SUCCESSES.accumulateAndGet(this, now.successes(), Math::max);
        REPORTED_FAILURES.accumulateAndGet(this, now.failures(), Math::max);
        return new OutcomeCounts(reportedSuccesses, reportedFailures);
    }
}
