package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A domain at one instant, in numbers: what {@link WorkLease#domains} lists. It has no token.
 *
 * @param lease what is leased
 * @param backlogSize how many offsets wait
 * @param processedCount how many successes were reported, forgotten offsets included
 * @param failedCount how many offsets have failed permanently and were not replayed
 */
public record DomainSummary(
        String domainId, Optional<Lease> lease, long backlogSize, long processedCount, long failedCount) {
    public DomainSummary {
        requireNonNull(domainId, "domainId");
        requireNonNull(lease, "lease");
    }

    /**
     * What is leased.
     *
     * @param acquiredAtMillis when this offset was first acquired; retries do not change it
     * @param retryCount how many attempts at this offset have failed, or were lost with their owner
     * @param holder the owner and its end; empty where leases have no owner, as in memory
     */
    public record Lease(long offset, long fence, long acquiredAtMillis, int retryCount, Optional<Holder> holder) {
        public Lease {
            requireNonNull(holder, "holder");
        }
    }

    /**
     * The owner of a lease, and its end by the engine's clock. After that the owner keeps the lease until another owner
     * takes over.
     */
    public record Holder(String owner, long untilMillis) {
        public Holder {
            requireNonNull(owner, "owner");
        }
    }
}
