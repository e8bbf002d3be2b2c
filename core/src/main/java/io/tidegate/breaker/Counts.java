package io.tidegate.breaker;

/**
 * What a breaker counts in its present period, or in its window. In every snapshot {@code totalSuccesses +
 * totalFailures <= requests}, and at most one of the consecutive counts is positive.
 *
 * <p>The consecutive counts go back to the last state change, or to the beginning of the interval, whatever a sliding
 * window holds: with a window of 3 calls, {@code consecutiveFailures} can be 6 while {@code totalFailures} is 3.
 *
 * @param requests calls admitted, those still running included and those ignored left out
 * @param totalSuccesses calls that succeeded
 * @param totalFailures calls that failed
 * @param consecutiveSuccesses successes since the last failure
 * @param consecutiveFailures failures since the last success
 */
public record Counts(
        long requests, long totalSuccesses, long totalFailures, long consecutiveSuccesses, long consecutiveFailures) {}
