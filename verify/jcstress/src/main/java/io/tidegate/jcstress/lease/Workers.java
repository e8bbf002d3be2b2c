package io.tidegate.jcstress.lease;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.WorkLease;
import io.tidegate.lease.broken.LeaseFactory;

/** One domain and its workers: the start of all races. */
final class Workers {
    private static final String DOMAIN = "domain";

    private final WorkLease lease;

    Workers(LeaseFactory factory) {
        lease = factory.create(0);
    }

    /** Leases the offset before the race. */
    String lease(long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire(DOMAIN, offset)).token();
    }

    String acquire(long offset) {
        return lease.tryAcquire(DOMAIN, offset).code();
    }

    String succeed(String token) {
        try {
            return lease.succeed(DOMAIN, token).code();
        } catch (LeaseNotFoundException late) {
            return "LATE";
        }
    }

    /** Returns the leased offset, or none, then the waiting offsets, then how many are done. */
    String state() {
        DomainSnapshot seen = lease.inspect(DOMAIN).orElseThrow();
        String leased = seen.lease().map(record -> "" + record.currentOffset()).orElse("none");
        return leased + seen.backlog() + seen.processedCount();
    }
}
