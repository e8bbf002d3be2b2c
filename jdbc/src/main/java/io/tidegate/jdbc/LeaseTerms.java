package io.tidegate.jdbc;

import java.time.Duration;

/**
 * On what terms leases are asked for.
 *
 * @param lease whose domains these are
 * @param waitMillis how long to wait for a lock, in a transaction of our own
 * @param joined whether it is a part of the caller's transaction, which is neither begun nor ended, nor waits otherwise
 *     than it does
 */
record LeaseTerms(
        String lease, String owner, long leaseMillis, int maxRetries, int maxBacklog, long waitMillis, boolean joined) {
    /** Sums with the engine's clock must not overflow. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    LeaseTerms inTransactionOfCaller() {
        return new LeaseTerms(lease, owner, leaseMillis, maxRetries, maxBacklog, waitMillis, true);
    }
}
