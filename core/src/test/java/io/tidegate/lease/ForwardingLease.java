package io.tidegate.lease;

import java.util.Optional;

/** Does what another does, unless overridden. */
class ForwardingLease implements WorkLease {
    private final WorkLease lease;

    ForwardingLease(WorkLease lease) {
        this.lease = lease;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return lease.tryAcquire(domainId, offset);
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        return lease.succeed(domainId, token);
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return lease.fail(domainId, token);
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        return lease.inspect(domainId);
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        lease.forget(domainId, upToOffset);
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return lease.replay(domainId, offset);
    }
}
