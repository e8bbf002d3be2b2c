package io.tidegate.lease.broken;

import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import java.time.Clock;
import java.util.UUID;

/** Makes the leases that a check runs on: Tidegate's own, or broken ones. */
@FunctionalInterface
public interface LeaseFactory {
    LeaseFactory TIDEGATE = (maxRetries, clock, tokens) ->
            WorkLease.builder(maxRetries).clock(clock).tokens(tokens).build();

    WorkLease create(int maxRetries, Clock clock, TokenSource tokens);

    /** Returns leases with the system's clock, and with tokens that contain the fence and cannot be guessed. */
    default WorkLease create(int maxRetries) {
        return create(maxRetries, Clock.systemUTC(), (domainId, offset, fence) -> fence + "-" + UUID.randomUUID());
    }
}
