package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/**
 * The lease of a domain.
 *
 * @param acquiredAtMillis when this offset was first acquired; retries do not change it
 * @param retryCount how many attempts at this offset have failed, or were lost with their owner
 */
public record LeaseRecord(long currentOffset, String token, long fence, long acquiredAtMillis, int retryCount) {
    public LeaseRecord {
        requireNonNull(token, "token");
    }

    /** Without the token, which is as good as the lease. */
    @Override
    public String toString() {
        return "LeaseRecord(offset " + currentOffset + ", fence " + fence + ", acquired at " + acquiredAtMillis
                + " ms, retry " + retryCount + ")";
    }
}
