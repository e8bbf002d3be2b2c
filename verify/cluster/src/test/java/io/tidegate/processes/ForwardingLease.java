package io.tidegate.processes;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Passes each operation on to other leases, except {@link #succeedAndTakeNext}, which is two operations. */
abstract class ForwardingLease implements SharedWorkLease {
    /** Runs an operation on the other leases. */
    abstract <T> T ask(Function<SharedWorkLease, T> operation);

    @Override
    public String owner() {
        return ask(SharedWorkLease::owner);
    }

    @Override
    public Duration leaseDuration() {
        return ask(SharedWorkLease::leaseDuration);
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return ask(lease -> lease.tryAcquire(domainId, offset));
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        return ask(lease -> lease.tryAcquireAll(offers));
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        return ask(lease -> lease.succeed(domainId, token));
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        return ask(lease -> lease.succeedAll(finishes));
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return ask(lease -> lease.fail(domainId, token));
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        return ask(lease -> lease.fail(domainId, token, failure));
    }

    @Override
    public long renew(String domainId, String token) {
        return ask(lease -> lease.renew(domainId, token));
    }

    @Override
    public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
        return ask(lease -> lease.renewAll(leases));
    }

    @Override
    public void release(String domainId, String token) {
        ask(lease -> {
            lease.release(domainId, token);
            return true;
        });
    }

    @Override
    public List<String> pending(int limit, String afterDomain) {
        return ask(lease -> lease.pending(limit, afterDomain));
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        return ask(lease -> lease.inspect(domainId));
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        ask(lease -> {
            lease.forget(domainId, upToOffset);
            return true;
        });
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return ask(lease -> lease.replay(domainId, offset));
    }

    @Override
    public long forgetAll(long upToOffset) {
        return ask(lease -> lease.forgetAll(upToOffset));
    }

    @Override
    public long deleteIdle(Duration idle) {
        return ask(lease -> lease.deleteIdle(idle));
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        return ask(lease -> lease.deleteFailed(olderThan));
    }
}
