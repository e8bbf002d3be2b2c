package io.tidegate.breaker;

/**
 * A state change, as it was decided.
 *
 * @param name the breaker's name
 * @param from the state before
 * @param to the state after
 * @param generation how many state changes there have been, this one included
 * @param counts what was counted before the change, with the outcome that caused it
 * @param failureRate failures among completed calls in {@code counts}, 0 without any
 * @param slowCallRate slow calls among completed calls in {@code counts}, 0 without any or without a limit for them
 * @param cause why
 * @param tickerNanos when, in nanoseconds of the breaker's ticker
 */
public record Transition(
        String name,
        State from,
        State to,
        long generation,
        Counts counts,
        double failureRate,
        double slowCallRate,
        Cause cause,
        long tickerNanos) {
    /** Why a state changed. */
    public enum Cause {
        /** Closed to open: a trip rule held. */
        RULE,
        /** Half-open to open: a probe failed, or was slow where slow calls are limited. */
        PROBE_FAILED,
        /** Half-open to closed: enough probes succeeded. */
        PROBES_SUCCEEDED,
        /** Open to half-open: a call came after the open time. */
        TIMEOUT,
        /** {@link CircuitBreaker#forceOpen} or {@link CircuitBreaker#disable}. */
        FORCED,
        /** {@link CircuitBreaker#reset}. */
        RESET
    }
}
