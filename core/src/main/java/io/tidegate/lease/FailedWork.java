package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/**
 * Work that has failed permanently.
 *
 * @param retryCount how often it was tried again
 * @param failedAtMillis when it failed, by the clock of the lease
 * @param reason of its last failure; empty if none was given
 */
public record FailedWork(long offset, int retryCount, long failedAtMillis, String reason) {
    public FailedWork {
        requireNonNull(reason, "reason");
    }
}
