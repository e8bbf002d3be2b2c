package io.tidegate.jdbc;

import java.time.Duration;

/**
 * The terms of an operation.
 *
 * @param lease the name of the lease
 * @param waitMillis how long to wait for a lock, in a transaction that the engine itself begins
 * @param joined whether the operation is part of the caller's transaction, which the engine neither begins nor ends,
 *     and whose lock time-out stays
 */
record LeaseTerms(
        String lease, String owner, long leaseMillis, int maxRetries, int maxBacklog, long waitMillis, boolean joined) {
    /** Limits durations so that their sum with the engine's clock does not overflow. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    LeaseTerms inTransactionOfCaller() {
        return new LeaseTerms(lease, owner, leaseMillis, maxRetries, maxBacklog, waitMillis, true);
    }
}
