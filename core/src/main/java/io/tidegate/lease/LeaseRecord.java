package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/**
 * The lease of a domain.
 *
 * @param acquiredAtMillis when this offset was first acquired; retries do not change it
 * @param retryCount how many attempts at this offset have failed
 */
public record LeaseRecord(long currentOffset, String token, long fence, long acquiredAtMillis, int retryCount) {
    public LeaseRecord {
        requireNonNull(token, "token");
    }
}
