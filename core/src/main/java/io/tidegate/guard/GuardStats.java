package io.tidegate.guard;

/**
 * The counts of a guard. With no call running {@code calls = successes + failures + refusals + timeouts + cancelled};
 * otherwise those in flight are missing from the sum.
 *
 * @param calls begun
 * @param successes ended with a value
 * @param failures ended with an error that is none of those below
 * @param refusals ended with a refusal
 * @param timeouts ended by a time limit of this guard
 * @param cancelled interrupted or cancelled
 * @param retries attempts after the first that were made
 * @param hedges attempts beside the first
 * @param inFlight begun and not ended
 */
public record GuardStats(
        long calls,
        long successes,
        long failures,
        long refusals,
        long timeouts,
        long cancelled,
        long retries,
        long hedges,
        int inFlight) {}
