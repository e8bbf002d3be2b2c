package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The domains of one name, and one lock for all of them. */
final class SharedLeaseTable {
    /*
     * The rules, as plainly as possible. Only `pending` is not plain, because it must find domains without visiting all
     * of them. A domain with a lease is in `endings`, by the end of the lease. One with work and no lease is in `free`,
     * by name. Each change of a domain puts it where it then belongs. `pending` moves domains whose lease has ended
     * from `endings` to `free`, and lists from there. As the clock may be set back, it checks the end of the lease once
     * more.
     */
    private static final String LOST = "lost with its owner, no retry left";

    /**
     * Compares the bytes in UTF-8, which is the order of code points: a surrogate is half of a code point that is
     * greater than all others.
     */
    private static final Comparator<String> BY_BYTES = SharedLeaseTable::compareBytes;

    /** The end of a lease. */
    private record Ending(long untilMillis, String domainId) {
        static final Comparator<Ending> IN_TIME =
                Comparator.comparingLong(Ending::untilMillis).thenComparing(Ending::domainId);
    }

    /** An offset that was acquired and has not ended. */
    private record Begun(long offset, long acquiredAtMillis, int retryCount) {
        Begun retried() {
            return new Begun(offset, acquiredAtMillis, retryCount + 1);
        }
    }

    /**
     * The owner that works on the offset.
     *
     * @param retriesBefore its count of retries when the token was given
     */
    private record Held(String owner, String token, long fence, Ending ending, int retriesBefore) {
        Held until(long millis) {
            return new Held(owner, token, fence, new Ending(millis, ending.domainId), retriesBefore);
        }
    }

    /** The last finish that ended a lease, so that a repeated call gets the same answer. */
    private record Finished(String token, Object answer) {}

    /** The state of a domain. */
    private static final class Domain {
        final String id;
        /*
         * The offset that has begun: leased if an owner holds it; otherwise released, and then the head of the line,
         * before the backlog.
         */
        @Nullable
        Begun begun;

        @Nullable
        Held held;

        final Set<Long> backlog = new LinkedHashSet<>(0);
        final NavigableMap<Long, FailedWork> failed = new TreeMap<>();
        /* The runs of processed offsets: the last offset of each by its first. */
        final NavigableMap<Long, Long> processed = new TreeMap<>();

        @Nullable
        Long forgotten;

        long processedCount;

        @Nullable
        Finished finished;

        long changedAtMillis;
        /* The domain's entry, present or past, in `endings`. */
        @Nullable
        Ending listed;

        Domain(String id) {
            this.id = id;
        }

        @Nullable
        Long head() {
            if (begun != null) {
                return begun.offset;
            }
            return backlog.isEmpty() ? null : backlog.iterator().next();
        }

        /** The waiting offsets, the head first. */
        Stream<Long> line() {
            Stream<Long> first = begun == null || held != null ? Stream.of() : Stream.of(begun.offset);
            return Stream.concat(first, backlog.stream());
        }

        Optional<LeaseRecord> leaseShownTo(String asker) {
            if (begun == null || held == null) {
                return Optional.empty();
            }
            String token = held.owner.equals(asker) ? held.token : "";
            return Optional.of(
                    new LeaseRecord(begun.offset, token, held.fence, begun.acquiredAtMillis, begun.retryCount));
        }

        DomainSummary inShort() {
            return new DomainSummary(id, leaseInShort(), line().count(), processedCount, failed.size());
        }

        private Optional<DomainSummary.Lease> leaseInShort() {
            if (begun == null || held == null) {
                return Optional.empty();
            }
            DomainSummary.Holder holder = new DomainSummary.Holder(held.owner, held.ending.untilMillis);
            return Optional.of(new DomainSummary.Lease(
                    begun.offset, held.fence, begun.acquiredAtMillis, begun.retryCount, Optional.of(holder)));
        }

        /** The answer to the last finish, if it had this token. */
        @Nullable
        Object lastAnswer(@Nullable String token) {
            return finished != null && finished.token.equals(token) ? finished.answer : null;
        }

        boolean isOpen(long offset) {
            return (begun != null && begun.offset == offset) || backlog.contains(offset);
        }

        boolean isProcessed(long offset) {
            if (isOpen(offset) || failed.containsKey(offset)) {
                return false;
            }
            Map.Entry<Long, Long> run = processed.floorEntry(offset);
            return isForgotten(offset) || (run != null && offset <= run.getValue());
        }

        boolean isForgotten(long offset) {
            return forgotten != null && offset <= forgotten;
        }

        void addProcessed(long offset) {
            if (isForgotten(offset)) {
                return;
            }
            Map.Entry<Long, Long> before = processed.floorEntry(offset);
            long first = before != null && before.getValue() == offset - 1 ? before.getKey() : offset;
            Long after = offset == Long.MAX_VALUE ? null : processed.remove(offset + 1);
            processed.put(first, after == null ? offset : after);
        }
    }

    private final Clock clock;
    private final NavigableMap<String, Domain> domains = new TreeMap<>(BY_BYTES);
    private final NavigableSet<Ending> endings = new TreeSet<>(Ending.IN_TIME);
    private final NavigableSet<String> free = new TreeSet<>(BY_BYTES);
    private long lastFence;

    SharedLeaseTable(Clock clock) {
        this.clock = clock;
    }

    synchronized AcquireResult tryAcquire(
            String domainId, long offset, String owner, long durationMillis, int maxRetries) {
        Domain domain = known(domainId);
        if (domain.isProcessed(offset)) {
            return new AcquireResult.AlreadyProcessed();
        }
        if (domain.failed.containsKey(offset)) {
            return new AcquireResult.AlreadyFailed();
        }
        Begun begun = domain.begun;
        Held held = domain.held;
        if (begun != null && held != null) {
            if (begun.offset != offset) {
                if (domain.backlog.add(offset)) {
                    changed(domain);
                }
                return new AcquireResult.Enqueued();
            }
            if (held.owner.equals(owner)) {
                return new AcquireResult.AlreadyAcquired(held.token, held.fence, begun.retryCount);
            }
            if (isAhead(held.ending)) {
                return new AcquireResult.HeldElsewhere(held.owner, held.ending.untilMillis);
            }
            if (begun.retryCount >= maxRetries) {
                giveUp(domain, begun, LOST);
                return new AcquireResult.AlreadyFailed();
            }
            return grant(domain, begun.retried(), owner, durationMillis);
        }
        Long head = domain.head();
        if (head != null && head != offset) {
            throw new BacklogOrderingException(domainId, head, offset);
        }
        domain.backlog.remove(offset);
        return grant(domain, begun == null ? new Begun(offset, clock.millis(), 0) : begun, owner, durationMillis);
    }

    private AcquireResult grant(Domain domain, Begun begun, String owner, long durationMillis) {
        lastFence++;
        String token = lastFence + "." + UUID.randomUUID();
        Ending ending = new Ending(clock.millis() + durationMillis, domain.id);
        domain.begun = begun;
        domain.held = new Held(owner, token, lastFence, ending, begun.retryCount);
        changed(domain);
        return new AcquireResult.Acquired(token, lastFence, begun.retryCount);
    }

    /** Puts the domain where {@link #pending} looks for it. */
    private void changed(Domain domain) {
        domain.changedAtMillis = clock.millis();
        domains.put(domain.id, domain);
        if (domain.listed != null) {
            endings.remove(domain.listed);
        }
        free.remove(domain.id);
        domain.listed = domain.held == null ? null : domain.held.ending;
        if (domain.listed != null) {
            endings.add(domain.listed);
        } else if (domain.head() != null) {
            free.add(domain.id);
        }
    }

    synchronized SucceedResult succeed(String domainId, @Nullable String token) {
        Domain domain = known(domainId);
        if (domain.lastAnswer(token) instanceof SucceedResult answer) {
            return answer;
        }
        Begun begun = requireHeld(domain, token);
        domain.addProcessed(begun.offset);
        domain.processedCount++;
        free(domain);
        Long head = domain.head();
        SucceedResult answer = head == null ? new SucceedResult.NoBacklog() : new SucceedResult.NextHint(head);
        domain.finished = new Finished(requireNonNull(token), answer);
        return answer;
    }

    synchronized FailResult fail(
            String domainId, @Nullable String token, Failure failure, long durationMillis, int maxRetries) {
        Domain domain = known(domainId);
        if (domain.lastAnswer(token) instanceof FailResult answer) {
            return answer;
        }
        Begun begun = requireHeld(domain, token);
        Held held = requireNonNull(domain.held);
        int counted = begun.retryCount - held.retriesBefore;
        int number = failure.number() == 0 ? counted + 1 : failure.number();
        if (number <= counted) {
            return new FailResult.RetryScheduled(held.retriesBefore + number);
        }
        if (number > counted + 1) {
            throw new IllegalArgumentException("number: " + number + " (expected: <= " + (counted + 1) + ")");
        }
        if (!failure.permanent() && begun.retryCount < maxRetries) {
            domain.begun = begun.retried();
            domain.held = held.until(clock.millis() + durationMillis);
            changed(domain);
            return new FailResult.RetryScheduled(begun.retryCount + 1);
        }
        giveUp(domain, begun, failure.reason());
        Long head = domain.head();
        FailResult answer = head == null ? new FailResult.GiveUpNoBacklog() : new FailResult.GiveUpNextHint(head);
        domain.finished = new Finished(requireNonNull(token), answer);
        return answer;
    }

    private void giveUp(Domain domain, Begun begun, String reason) {
        domain.failed.put(begun.offset, new FailedWork(begun.offset, begun.retryCount, clock.millis(), reason));
        free(domain);
    }

    /** Ends the offset that has begun. */
    private void free(Domain domain) {
        domain.begun = null;
        domain.held = null;
        changed(domain);
    }

    synchronized long renew(String domainId, @Nullable String token, long durationMillis) {
        Domain domain = known(domainId);
        requireHeld(domain, token);
        Held renewed = requireNonNull(domain.held).until(clock.millis() + durationMillis);
        domain.held = renewed;
        changed(domain);
        return renewed.ending.untilMillis;
    }

    synchronized void release(String domainId, @Nullable String token) {
        Domain domain = known(domainId);
        requireHeld(domain, token);
        domain.held = null;
        changed(domain);
    }

    synchronized boolean forceRelease(String domainId, long fence) {
        Domain domain = known(domainId);
        if (domain.held == null || domain.held.fence != fence) {
            return false;
        }
        domain.held = null;
        changed(domain);
        return true;
    }

    private static Begun requireHeld(Domain domain, @Nullable String token) {
        if (domain.begun == null || domain.held == null) {
            throw new LeaseNotFoundException(domain.id);
        }
        if (!domain.held.token.equals(token)) {
            throw new TokenMismatchException(domain.id);
        }
        return domain.begun;
    }

    synchronized List<String> pending(int limit, String afterDomain) {
        while (!endings.isEmpty() && !isAhead(endings.first())) {
            free.add(requireNonNull(endings.pollFirst()).domainId);
        }
        return free.tailSet(afterDomain, false).stream()
                .filter(domainId -> isPending(known(domainId)))
                .limit(limit)
                .toList();
    }

    private boolean isPending(Domain domain) {
        return domain.held == null || !isAhead(domain.held.ending);
    }

    private boolean isAhead(Ending ending) {
        return clock.millis() < ending.untilMillis;
    }

    synchronized Optional<DomainSnapshot> inspect(String domainId, String owner) {
        if (!domains.containsKey(domainId)) {
            return Optional.empty();
        }
        Domain domain = known(domainId);
        return Optional.of(new DomainSnapshot(
                domainId,
                domain.leaseShownTo(owner),
                domain.line().limit(DomainSnapshot.MOST_BACKLOG).toList(),
                domain.processedCount,
                domain.failed.size()));
    }

    synchronized List<DomainSummary> domains(int limit, String afterDomain) {
        return domains.tailMap(afterDomain, false).values().stream()
                .limit(limit)
                .map(Domain::inShort)
                .toList();
    }

    synchronized Optional<DomainSummary> summary(String domainId) {
        return Optional.ofNullable(domains.get(domainId)).map(Domain::inShort);
    }

    synchronized List<FailedWork> failedWork(String domainId, int limit) {
        return known(domainId).failed.values().stream().limit(limit).toList();
    }

    synchronized List<Long> backlogBehind(String domainId, long offset, int limit) {
        return known(domainId)
                .line()
                .dropWhile(waiting -> waiting != offset)
                .skip(1)
                .limit(limit)
                .toList();
    }

    synchronized void forget(String domainId, long upToOffset) {
        Domain domain = known(domainId);
        if (!domain.isForgotten(upToOffset)) {
            domain.forgotten = upToOffset;
            domain.processed.headMap(upToOffset, true).values().removeIf(last -> last <= upToOffset);
            changed(domain);
        }
    }

    synchronized long forgetAll(long upToOffset) {
        for (Domain domain : List.copyOf(domains.values())) {
            long changedAtMillis = domain.changedAtMillis;
            forget(domain.id, upToOffset);
            domain.changedAtMillis = changedAtMillis;
        }
        return domains.size();
    }

    synchronized boolean replay(String domainId, long offset) {
        Domain domain = known(domainId);
        if (domain.failed.remove(offset) == null) {
            return false;
        }
        domain.backlog.add(offset);
        changed(domain);
        return true;
    }

    synchronized long deleteIdle(Duration idle) {
        long before = domains.size();
        domains.values()
                .removeIf(domain ->
                        domain.head() == null && domain.failed.isEmpty() && isOlder(domain.changedAtMillis, idle));
        return before - domains.size();
    }

    synchronized long deleteFailed(Duration olderThan) {
        long deleted = 0;
        for (Domain domain : domains.values()) {
            List<FailedWork> old = domain.failed.values().stream()
                    .filter(work -> isOlder(work.failedAtMillis(), olderThan))
                    .toList();
            for (FailedWork work : old) {
                domain.failed.remove(work.offset());
                domain.addProcessed(work.offset());
                changed(domain);
                deleted++;
            }
        }
        return deleted;
    }

    private boolean isOlder(long atMillis, Duration age) {
        return Duration.ofMillis(clock.millis())
                        .minus(Duration.ofMillis(atMillis))
                        .compareTo(age)
                >= 0;
    }

    /** The domain, or an empty one that does not count until it changes. */
    private Domain known(String domainId) {
        Domain domain = domains.get(domainId);
        return domain == null ? new Domain(domainId) : domain;
    }

    private static int compareBytes(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                return Character.isSurrogate(a) == Character.isSurrogate(b) ? a - b : Character.isSurrogate(a) ? 1 : -1;
            }
        }
        return one.length() - other.length();
    }
}
