package io.tidegate.breaker;

/** How many calls succeeded, and how many failed. */
record OutcomeCounts(long successes, long failures) {
    static final OutcomeCounts NONE = new OutcomeCounts(0, 0);

    OutcomeCounts plus(OutcomeCounts more) {
        return new OutcomeCounts(successes + more.successes, failures + more.failures);
    }
}
