package io.tidegate.breaker;

/**
 * What a breaker has counted.
 *
 * @param state the state
 * @param generation how many state changes there have been
 * @param counts the counts of the present period or window
 * @param failureRate failures among completed calls in {@code counts}, 0 without any
 * @param slowCallRate slow calls among completed calls in {@code counts}, 0 without any or without a limit for them
 * @param refused calls refused since the breaker was built
 * @param late outcomes that came after the period in which their call was admitted, since the breaker was built
 * @param ignored calls that ended with an ignored outcome, since the breaker was built
 * @param misused outcomes that were reported twice, or with a stamp of another breaker, where that is recognised
 * @param lost outcomes whose counting failed, by an error of the ticker or for lack of memory or stack, since the
 *     breaker was built
 * @param successesSinceStart calls and probes that succeeded in time, since the breaker was built
 * @param failuresSinceStart calls and probes that failed in time, since the breaker was built
 */
public record BreakerMetrics(
        State state,
        long generation,
        Counts counts,
        double failureRate,
        double slowCallRate,
        long refused,
        long late,
        long ignored,
        long misused,
        long lost,
        long successesSinceStart,
        long failuresSinceStart) {}
