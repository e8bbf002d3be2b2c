package io.tidegate.testkit.broken;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Forwards each call to another lease unless overridden. Does the parts of a batch one after the other. */
class ForwardingSharedLease implements SharedWorkLease {
    final SharedWorkLease sound;

    ForwardingSharedLease(SharedWorkLease sound) {
        this.sound = sound;
    }

    @Override
    public String owner() {
        return sound.owner();
    }

    @Override
    public Duration leaseDuration() {
        return sound.leaseDuration();
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return sound.tryAcquire(domainId, offset);
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        return offers.stream()
                .map(offer -> BatchAnswer.of(() -> tryAcquire(offer.domainId(), offer.offset())))
                .toList();
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        return sound.succeed(domainId, token);
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        return finishes.stream()
                .map(finish -> BatchAnswer.of(() -> succeed(finish.domainId(), finish.token())))
                .toList();
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, new Failure(0, false, ""));
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        return sound.fail(domainId, token, failure);
    }

    @Override
    public long renew(String domainId, String token) {
        return sound.renew(domainId, token);
    }

    @Override
    public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
        return leases.stream()
                .map(lease -> BatchAnswer.of(() -> renew(lease.domainId(), lease.token())))
                .toList();
    }

    @Override
    public void release(String domainId, String token) {
        sound.release(domainId, token);
    }

    @Override
    public boolean forceRelease(String domainId, long fence) {
        return sound.forceRelease(domainId, fence);
    }

    @Override
    public List<DomainSummary> domains(int limit, String afterDomain) {
        return sound.domains(limit, afterDomain);
    }

    @Override
    public Optional<DomainSummary> summary(String domainId) {
        return sound.summary(domainId);
    }

    @Override
    public List<String> pending(int limit, String afterDomain) {
        return sound.pending(limit, afterDomain);
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        return sound.inspect(domainId);
    }

    @Override
    public List<FailedWork> failedWork(String domainId, int limit) {
        return sound.failedWork(domainId, limit);
    }

    @Override
    public List<Long> backlogBehind(String domainId, long offset, int limit) {
        return sound.backlogBehind(domainId, offset, limit);
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        sound.forget(domainId, upToOffset);
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return sound.replay(domainId, offset);
    }

    @Override
    public long forgetAll(long upToOffset) {
        return sound.forgetAll(upToOffset);
    }

    @Override
    public long deleteIdle(Duration idle) {
        return sound.deleteIdle(idle);
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        return sound.deleteFailed(olderThan);
    }
}
