package io.tidegate.lease;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.AcquireResult.AlreadyFailed;
import io.tidegate.lease.AcquireResult.AlreadyProcessed;
import io.tidegate.lease.AcquireResult.Enqueued;
import io.tidegate.lease.FailResult.GiveUpNextHint;
import io.tidegate.lease.FailResult.GiveUpNoBacklog;
import io.tidegate.lease.FailResult.RetryScheduled;
import io.tidegate.lease.SucceedResult.NextHint;
import io.tidegate.lease.SucceedResult.NoBacklog;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the lease in memory knows of one domain. Callers hold the domain's monitor, except for methods that
 * take it themselves.
 */
class Domain extends ProcessedOffsets {
    /*
     * An offset is leased, in the backlog, failed or processed, or none of these. The first three are recorded as such.
     * The inherited set has all processed offsets, but after `forget` it may have some of the others, too: an offset is
     * processed if it is in the set and nowhere else. So forgetting need not look at open offsets. Every open offset
     * ends in the set or in `failed`, so no offset becomes processed unnoticed.
     *
     * `backlog` and `failed` are null when empty. The inherited fields make an idle domain one object instead of two.
     *
     * Everything that can throw comes before the first change.
     */
    private static final int GONE = -1;
    private static final AcquireResult ENQUEUED = new Enqueued();
    private static final AcquireResult ALREADY_PROCESSED = new AlreadyProcessed();
    private static final AcquireResult ALREADY_FAILED = new AlreadyFailed();
    private static final SucceedResult NO_BACKLOG = new NoBacklog();
    private static final FailResult GIVE_UP_NO_BACKLOG = new GiveUpNoBacklog();

    private final long number;
    private long fence;
    private long processedCount;
    private @Nullable LeaseRecord lease;
    private @Nullable Backlog backlog;
    private @Nullable NavigableMap<Long, FailedWork> failed;

    /**
     * When the domain was first found idle, in seconds, at least 1; 0 if it has been in use since; GONE if it was
     * deleted.
     */
    private int idleSince;

    /** @param fence the fence of the last acquisition of a domain with the same id, or a greater one */
    Domain(long number, long fence) {
        this.number = number;
        this.fence = fence;
    }

    /** A domain with tokens of a user's source, which may repeat. */
    static final class WithUserTokens extends Domain {
        private @Nullable String previousToken;

        WithUserTokens(long number, long fence) {
            super(number, fence);
        }

        @Override
        AcquireResult lease(long offset, String token, long nowMillis) {
            if (token.equals(previousToken)) {
                throw new IllegalStateException("token: the domain's previous one (expected: a new one)");
            }
            AcquireResult acquired = super.lease(offset, token, nowMillis);
            previousToken = token;
            return acquired;
        }
    }

    /** Returns the number, which no other domain of the store has. */
    long number() {
        return number;
    }

    /** Returns the fence of the next acquisition. */
    long nextFence() {
        return Math.addExact(fence, 1);
    }

    /** Returns the answer that needs no new lease; null if this offset must be leased. */
    @Nullable
    AcquireResult answerWithoutLease(String domainId, long offset, int maxBacklog) {
        if (isProcessed(offset)) {
            return ALREADY_PROCESSED;
        }
        if (hasFailed(offset)) {
            return ALREADY_FAILED;
        }
        if (lease != null) {
            return lease.currentOffset() == offset
                    ? new AlreadyAcquired(lease.token(), lease.fence(), lease.retryCount())
                    : enqueue(domainId, offset, maxBacklog);
        }
        if (backlog != null && backlog.head() != offset) {
            throw new BacklogOrderingException(domainId, backlog.head(), offset);
        }
        return null;
    }

    private boolean isProcessed(long offset) {
        return contains(offset) && !isLeased(offset) && !isQueued(offset) && !hasFailed(offset);
    }

    private boolean isLeased(long offset) {
        return lease != null && lease.currentOffset() == offset;
    }

    private boolean isQueued(long offset) {
        return backlog != null && backlog.contains(offset);
    }

    private boolean hasFailed(long offset) {
        return failed != null && failed.containsKey(offset);
    }

    /** Returns how many offsets wait. */
    int backlogSize() {
        return backlog == null ? 0 : backlog.size();
    }

    private AcquireResult enqueue(String domainId, long offset, int maxBacklog) {
        Backlog waiting = backlog == null ? new Backlog() : backlog;
        if (waiting.size() >= maxBacklog && !waiting.contains(offset)) {
            throw new BacklogFullException(domainId, maxBacklog);
        }
        waiting.add(offset);
        backlog = waiting;
        return ENQUEUED;
    }

    /** Leases the offset. Must be called only if {@link #answerWithoutLease} returns null. */
    AcquireResult lease(long offset, String token, long nowMillis) {
        long next = nextFence();
        LeaseRecord leased = new LeaseRecord(offset, token, next, nowMillis, 0);
        AcquireResult acquired = new Acquired(token, next);
        if (backlog != null) {
            removeHead(backlog);
        }
        fence = next;
        lease = leased;
        idleSince = 0;
        return acquired;
    }

    private void removeHead(Backlog waiting) {
        waiting.removeHead();
        if (waiting.isEmpty()) {
            backlog = null;
        }
    }

    SucceedResult succeed(String domainId, @Nullable String token) {
        LeaseRecord held = requireLease(domainId, token);
        SucceedResult result = backlog == null ? NO_BACKLOG : new NextHint(backlog.head());
        add(held.currentOffset());
        processedCount++;
        lease = null;
        return result;
    }

    FailResult fail(String domainId, @Nullable String token, Failure failure, int maxRetries, long nowMillis) {
        LeaseRecord held = requireLease(domainId, token);
        if (failure.permanent() || held.retryCount() >= maxRetries) {
            return giveUp(held, failure.reason(), nowMillis);
        }
        int retryCount = held.retryCount() + 1;
        FailResult result = new RetryScheduled(retryCount);
        lease = new LeaseRecord(held.currentOffset(), held.token(), held.fence(), held.acquiredAtMillis(), retryCount);
        return result;
    }

    private FailResult giveUp(LeaseRecord held, String reason, long nowMillis) {
        FailResult result = backlog == null ? GIVE_UP_NO_BACKLOG : new GiveUpNextHint(backlog.head());
        NavigableMap<Long, FailedWork> failures = failed == null ? new TreeMap<>() : failed;
        long offset = held.currentOffset();
        failures.put(offset, new FailedWork(offset, held.retryCount(), nowMillis, reason));
        failed = failures;
        lease = null;
        return result;
    }

    private LeaseRecord requireLease(String domainId, @Nullable String token) {
        if (lease == null) {
            throw new LeaseNotFoundException(domainId);
        }
        if (!lease.token().equals(token)) {
            throw new TokenMismatchException(domainId);
        }
        return lease;
    }

    /** Replays the offset, which then waits at the tail. Returns whether it had failed; otherwise nothing changes. */
    boolean replay(long offset) {
        if (failed == null || !failed.containsKey(offset)) {
            return false;
        }
        Backlog waiting = backlog == null ? new Backlog() : backlog;
        waiting.makeRoom();
        failed.remove(offset);
        if (failed.isEmpty()) {
            failed = null;
        }
        waiting.add(offset);
        backlog = waiting;
        return true;
    }

    /** Takes the monitor, but makes the objects of the answer without it. */
    Optional<DomainSnapshot> inspect(String domainId) {
        LeaseRecord held;
        long[] waiting;
        long processed;
        long failures;
        synchronized (this) {
            if (isUnknown()) {
                return Optional.empty();
            }
            held = lease;
            waiting = backlog == null ? new long[0] : backlog.first(DomainSnapshot.MOST_BACKLOG);
            processed = processedCount;
            failures = failed == null ? 0 : failed.size();
        }
        return Optional.of(
                new DomainSnapshot(domainId, Optional.ofNullable(held), boxed(waiting), processed, failures));
    }

    /** Takes the monitor. */
    synchronized Optional<DomainSummary> summary(String domainId) {
        return isUnknown()
                ? Optional.empty()
                : Optional.of(new DomainSummary(
                        domainId,
                        Optional.ofNullable(lease).map(Domain::summary),
                        backlogSize(),
                        processedCount,
                        failed == null ? 0 : failed.size()));
    }

    private static DomainSummary.Lease summary(LeaseRecord held) {
        return new DomainSummary.Lease(
                held.currentOffset(), held.fence(), held.acquiredAtMillis(), held.retryCount(), Optional.empty());
    }

    /** Returns whether nothing was ever acquired or forgotten here. */
    private boolean isUnknown() {
        return isEmpty() && hasNone() && processedCount == 0;
    }

    private boolean isEmpty() {
        return lease == null && backlog == null && failed == null;
    }

    /** Marks the domain as deleted: it never changes again. */
    void markDeleted() {
        idleSince = GONE;
    }

    boolean isGone() {
        return idleSince == GONE;
    }

    /** Returns the greatest fence given out. */
    long fence() {
        return fence;
    }

    /**
     * Returns whether the domain has been empty for that long. The time counts from the first call that found it empty,
     * which notes that time.
     */
    boolean isIdle(long nowMillis, Duration idle) {
        if (!isEmpty()) {
            return false;
        }
        long second = Math.max(1, Math.min(Integer.MAX_VALUE, nowMillis / 1_000));
        if (idleSince == 0 || idleSince > second) {
            idleSince = (int) second;
        }
        // it may have been found at the end of its second, so that second does not count
        return idle.isZero() || Duration.ofSeconds(second - idleSince - 1).compareTo(idle) >= 0;
    }

    /** Makes offsets that failed longer ago processed. Returns how many. */
    long deleteFailed(long nowMillis, Duration olderThan) {
        if (failed == null) {
            return 0;
        }
        List<Long> old = failed.values().stream()
                .filter(work -> Duration.ofMillis(nowMillis)
                                .minusMillis(work.failedAtMillis())
                                .compareTo(olderThan)
                        >= 0)
                .map(FailedWork::offset)
                .toList();
        old.forEach(this::add);
        failed.keySet().removeAll(old);
        if (failed.isEmpty()) {
            failed = null;
        }
        return old.size();
    }

    private static List<Long> boxed(long[] offsets) {
        return LongStream.of(offsets).boxed().toList();
    }

    List<FailedWork> failedWork(int limit) {
        return failed == null
                ? List.of()
                : failed.values().stream().limit(limit).toList();
    }

    List<Long> backlogBehind(long offset, int limit) {
        return backlog == null ? List.of() : boxed(backlog.behind(offset, limit));
    }
}
