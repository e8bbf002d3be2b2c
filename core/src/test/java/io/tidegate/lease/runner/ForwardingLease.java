package io.tidegate.lease.runner;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.WorkLease;
import java.util.Optional;

/** Passes each call on to another lease, if that can be reached. */
public class ForwardingLease implements WorkLease {
    private final WorkLease lease;

    public ForwardingLease(WorkLease lease) {
        this.lease = lease;
    }

    /** Called before each call; throws if the other lease cannot be reached. */
    void reach() {}

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        reach();
        return lease.tryAcquire(domainId, offset);
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        reach();
        return lease.succeed(domainId, token);
    }

    @Override
    public FailResult fail(String domainId, String token) {
        reach();
        return lease.fail(domainId, token);
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        reach();
        return lease.inspect(domainId);
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        reach();
        lease.forget(domainId, upToOffset);
    }

    @Override
    public boolean replay(String domainId, long offset) {
        reach();
        return lease.replay(domainId, offset);
    }
}
