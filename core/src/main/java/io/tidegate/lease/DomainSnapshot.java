package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * A domain at one instant.
 *
 * @param backlog the waiting offsets, the head first; at most the first {@value #MOST_BACKLOG}
 * @param processedCount how many successes were reported, forgotten offsets included
 * @param failedCount how many offsets have failed permanently and were not replayed
 */
public record DomainSnapshot(
        String domainId, Optional<LeaseRecord> lease, List<Long> backlog, long processedCount, long failedCount) {
    /** How many offsets of a long backlog are shown; {@link WorkLease#backlogBehind} shows the others. */
    public static final int MOST_BACKLOG = 1_000;

    public DomainSnapshot {
        requireNonNull(domainId, "domainId");
        requireNonNull(lease, "lease");
        backlog = List.copyOf(backlog);
    }
}
