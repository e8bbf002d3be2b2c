package io.tidegate.lease;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reference that tests compare with, in the simplest form: sets, a deque and one lock for everything. Each broken
 * variant overrides one of its protected methods.
 */
public class ReferenceLease implements WorkLease {
    /** What is known of a domain. */
    protected static final class Domain {
        public @Nullable LeaseRecord lease;
        public final Set<Long> processed = new HashSet<>();
        public final Set<Long> failed = new HashSet<>();
        public final Deque<Long> backlog = new ArrayDeque<>();
        public @Nullable Long forgotten;
        public long fence;
        public @Nullable String lastToken;
        public @Nullable Long replayed;

        /** Empty. */
        public Domain() {}
    }

    protected final Map<String, Domain> domains = new HashMap<>();
    protected final int maxRetries;
    protected final Clock clock;
    protected final TokenSource tokens;
    private long deletedFence;

    /** Empty. */
    public ReferenceLease(int maxRetries, Clock clock, TokenSource tokens) {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries: " + maxRetries + " (expected: >= 0)");
        }
        this.maxRetries = maxRetries;
        this.clock = clock;
        this.tokens = tokens;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        requireName(domainId);
        while (true) {
            long fence;
            synchronized (this) {
                AcquireResult answer = answerWithoutLease(domainId, offset);
                if (answer != null) {
                    return answer;
                }
                fence = known(domainId).fence + 1;
            }
            long now = clock.millis();
            String token = tokens.next(domainId, offset, fence);
            synchronized (this) {
                AcquireResult answer = answerWithoutLease(domainId, offset);
                if (answer != null) {
                    return answer;
                }
                if (known(domainId).fence + 1 == fence) {
                    return acquire(domainId, offset, token, now);
                }
            }
        }
    }

    /** Returns the answer if there is nothing to acquire. */
    protected @Nullable AcquireResult answerWithoutLease(String domainId, long offset) {
        Domain domain = known(domainId);
        if (isProcessed(domain, offset)) {
            return new AcquireResult.AlreadyProcessed();
        }
        if (isFailed(domain, offset)) {
            return new AcquireResult.AlreadyFailed();
        }
        if (domain.lease != null) {
            if (same(domain.lease.currentOffset(), offset)) {
                return new AcquireResult.AlreadyAcquired(
                        domain.lease.token(), domain.lease.fence(), domain.lease.retryCount());
            }
            addToBacklog(domain, offset);
            return new AcquireResult.Enqueued();
        }
        Long head = domain.backlog.peekFirst();
        if (head != null && !same(head, offset)) {
            throw new BacklogOrderingException(domainId, head, offset);
        }
        return null;
    }

    protected AcquireResult.Acquired acquire(String domainId, long offset, @Nullable String token, long now) {
        if (token == null || token.isEmpty() || token.equals(known(domainId).lastToken)) {
            throw new IllegalStateException("token: none, or the previous one");
        }
        Domain domain = domains.computeIfAbsent(domainId, name -> newDomain());
        domain.backlog.pollFirst();
        domain.fence++;
        domain.lastToken = token;
        domain.lease = new LeaseRecord(offset, token, domain.fence, now, 0);
        return new AcquireResult.Acquired(token, domain.fence);
    }

    protected boolean isProcessed(Domain domain, long offset) {
        return domain.processed.contains(offset)
                || (domain.forgotten != null && offset <= domain.forgotten && !isWork(domain, offset));
    }

    private static boolean isWork(Domain domain, long offset) {
        return domain.failed.contains(offset)
                || domain.backlog.contains(offset)
                || (domain.lease != null && domain.lease.currentOffset() == offset);
    }

    protected boolean isFailed(Domain domain, long offset) {
        return domain.failed.contains(offset);
    }

    protected boolean same(long one, long other) {
        return one == other;
    }

    protected void addToBacklog(Domain domain, long offset) {
        if (!domain.backlog.contains(offset)) {
            domain.backlog.addLast(offset);
        }
    }

    @Override
    public synchronized SucceedResult succeed(String domainId, String token) {
        Domain domain = leased(domainId, token);
        domain.processed.add(domain.lease.currentOffset());
        endLease(domain);
        Long head = domain.backlog.peekFirst();
        return head == null ? new SucceedResult.NoBacklog() : new SucceedResult.NextHint(head);
    }

    @Override
    public synchronized FailResult fail(String domainId, String token) {
        Domain domain = leased(domainId, token);
        if (domain.lease.retryCount() < maxRetries) {
            domain.lease = retried(domain.lease);
            return new FailResult.RetryScheduled(domain.lease.retryCount());
        }
        domain.failed.add(domain.lease.currentOffset());
        endLease(domain);
        Long head = domain.backlog.peekFirst();
        return head == null ? new FailResult.GiveUpNoBacklog() : new FailResult.GiveUpNextHint(head);
    }

    protected LeaseRecord retried(LeaseRecord lease) {
        return new LeaseRecord(
                lease.currentOffset(), lease.token(), lease.fence(), lease.acquiredAtMillis(), lease.retryCount() + 1);
    }

    protected void endLease(Domain domain) {
        domain.lease = null;
    }

    /** Returns the domain, which must have a lease with this token. */
    protected Domain leased(String domainId, @Nullable String token) {
        requireName(domainId);
        Domain domain = known(domainId);
        if (domain.lease == null) {
            throw new LeaseNotFoundException(domainId);
        }
        if (!isToken(domain, token)) {
            throw new TokenMismatchException(domainId);
        }
        return domain;
    }

    protected boolean isToken(Domain domain, @Nullable String token) {
        return Objects.requireNonNull(domain.lease).token().equals(token);
    }

    @Override
    public synchronized Optional<DomainSnapshot> inspect(String domainId) {
        requireName(domainId);
        Domain domain = domains.get(domainId);
        return Optional.ofNullable(domain)
                .map(known -> new DomainSnapshot(
                        domainId,
                        Optional.ofNullable(known.lease),
                        List.copyOf(known.backlog),
                        known.processed.size(),
                        known.failed.size()));
    }

    @Override
    public synchronized List<DomainSummary> domains(int limit, String afterDomain) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
        Objects.requireNonNull(afterDomain);
        return domains.keySet().stream()
                .filter(domainId -> compareBytes(domainId, afterDomain) > 0)
                .sorted(ReferenceLease::compareBytes)
                .limit(limit)
                .flatMap(domainId -> summary(domainId).stream())
                .toList();
    }

    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized Optional<DomainSummary> summary(String domainId) {
        return inspect(domainId)
                .map(seen -> new DomainSummary(
                        domainId,
                        seen.lease()
                                .map(lease -> new DomainSummary.Lease(
                                        lease.currentOffset(),
                                        lease.fence(),
                                        lease.acquiredAtMillis(),
                                        lease.retryCount(),
                                        Optional.empty())),
                        seen.backlog().size(),
                        seen.processedCount(),
                        seen.failedCount()));
    }

    @Override
    public synchronized void forget(String domainId, long upToOffset) {
        requireName(domainId);
        Domain domain = domains.computeIfAbsent(domainId, name -> newDomain());
        domain.forgotten = domain.forgotten == null ? upToOffset : Math.max(domain.forgotten, upToOffset);
    }

    @Override
    public synchronized boolean replay(String domainId, long offset) {
        requireName(domainId);
        Domain domain = known(domainId);
        if (!domain.failed.remove(offset)) {
            return false;
        }
        domain.replayed = offset;
        enqueueReplayed(domain, offset);
        return true;
    }

    protected void enqueueReplayed(Domain domain, long offset) {
        domain.backlog.addLast(offset);
    }

    /** Returns the domain, or an empty one that is not stored. */
    @Override
    public synchronized long deleteIdle(Duration idle) {
        if (!idle.isZero()) {
            throw new UnsupportedOperationException("only what is idle now");
        }
        int before = domains.size();
        domains.values().removeIf(this::isDeleted);
        return before - domains.size();
    }

    private boolean isDeleted(Domain domain) {
        boolean idle = domain.lease == null && domain.backlog.isEmpty() && domain.failed.isEmpty();
        deletedFence = idle ? Math.max(deletedFence, domain.fence) : deletedFence;
        return idle;
    }

    protected final Domain known(String domainId) {
        return domains.getOrDefault(domainId, newDomain());
    }

    private Domain newDomain() {
        Domain domain = new Domain();
        domain.fence = deletedFence;
        return domain;
    }

    protected static void requireName(String domainId) {
        if (domainId.isEmpty()) {
            throw new IllegalArgumentException("domainId: empty (expected: a name)");
        }
    }
}
