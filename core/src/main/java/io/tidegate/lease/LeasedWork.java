package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/**
 * An offset that is leased, as a {@link LeaseTask} gets it.
 *
 * @param token the lease's token
 * @param fence rises with each acquisition of the domain: a resource that remembers the greatest can refuse who comes late
 * @param retryCount how many attempts at this offset have failed before this one
 */
public record LeasedWork(String domainId, long offset, String token, long fence, int retryCount) {
    public LeasedWork {
        requireNonNull(domainId, "domainId");
        requireNonNull(token, "token");
    }

    LeasedWork afterFailures(int failures) {
        return new LeasedWork(domainId, offset, token, fence, failures);
    }

    /** Without the token, which is as good as the lease. */
    @Override
    public String toString() {
        return "LeasedWork(" + domainId + ", offset " + offset + ", fence " + fence + ", retry " + retryCount + ")";
    }
}
