package io.tidegate.testkit;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.SucceedResult;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Behaves like leases on an engine: any attempt at the leased offset may find that the lease has run out, and the last
 * finish can be repeated.
 */
final class TakeOverLease extends ReferenceLease {
    private record Finish(String token, Object answer) {}

    private final Random random;
    private final Map<String, Finish> lastFinish = new HashMap<>();

    TakeOverLease(int maxRetries, long seed) {
        super(maxRetries, Clock.systemUTC(), (domainId, offset, fence) -> fence + "-" + UUID.randomUUID());
        random = new Random(seed);
    }

    @Override
    public synchronized AcquireResult tryAcquire(String domainId, long offset) {
        Domain domain = known(domainId);
        LeaseRecord lease = domain.lease;
        if (lease == null || lease.currentOffset() != offset || random.nextInt(3) > 0) {
            return super.tryAcquire(domainId, offset);
        }
        if (lease.retryCount() == maxRetries) {
            domain.failed.add(offset);
            domain.lease = null;
            return new AcquireResult.AlreadyFailed();
        }
        String token = tokens.next(domainId, offset, ++domain.fence);
        domain.lease = new LeaseRecord(offset, token, domain.fence, lease.acquiredAtMillis(), lease.retryCount() + 1);
        return new AcquireResult.Acquired(token, domain.fence, lease.retryCount() + 1);
    }

    @Override
    public synchronized SucceedResult succeed(String domainId, String token) {
        Finish last = lastFinish.get(domainId);
        if (last != null && last.token.equals(token) && last.answer instanceof SucceedResult answer) {
            return answer;
        }
        SucceedResult answer = super.succeed(domainId, token);
        lastFinish.put(domainId, new Finish(token, answer));
        return answer;
    }

    @Override
    public synchronized FailResult fail(String domainId, String token) {
        Finish last = lastFinish.get(domainId);
        if (last != null && last.token.equals(token) && last.answer instanceof FailResult answer) {
            return answer;
        }
        FailResult answer = super.fail(domainId, token);
        if (!(answer instanceof FailResult.RetryScheduled)) {
            lastFinish.put(domainId, new Finish(token, answer));
        }
        return answer;
    }
}
