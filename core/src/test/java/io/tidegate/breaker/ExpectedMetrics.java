package io.tidegate.breaker;

/** The metrics that a test expects, with each number by its name. Numbers that are not given are 0. */
final class ExpectedMetrics {
    private final State state;
    private final long generation;
    private final Counts counts;
    private long refused;
    private long late;
    private long ignored;
    private long misused;
    private long successesSinceStart;
    private long failuresSinceStart;

    private ExpectedMetrics(State state, long generation, Counts counts) {
        this.state = state;
        this.generation = generation;
        this.counts = counts;
    }

    static ExpectedMetrics metrics(State state, long generation, Counts counts) {
        return new ExpectedMetrics(state, generation, counts);
    }

    ExpectedMetrics refused(long calls) {
        refused = calls;
        return this;
    }

    ExpectedMetrics late(long outcomes) {
        late = outcomes;
        return this;
    }

    ExpectedMetrics ignored(long calls) {
        ignored = calls;
        return this;
    }

    ExpectedMetrics misused(long outcomes) {
        misused = outcomes;
        return this;
    }

    ExpectedMetrics sinceStart(long successes, long failures) {
        successesSinceStart = successes;
        failuresSinceStart = failures;
        return this;
    }

    BreakerMetrics made() {
        return new BreakerMetrics(
                state,
                generation,
                counts,
                0,
                0,
                refused,
                late,
                ignored,
                misused,
                0,
                successesSinceStart,
                failuresSinceStart);
    }
}
