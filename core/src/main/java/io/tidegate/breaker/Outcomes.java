package io.tidegate.breaker;

/** How many calls ended in which way. */
record Outcomes(long successes, long failures) {
    static final Outcomes NONE = new Outcomes(0, 0);

    Outcomes plus(Outcomes more) {
        return new Outcomes(successes + more.successes, failures + more.failures);
    }
}
