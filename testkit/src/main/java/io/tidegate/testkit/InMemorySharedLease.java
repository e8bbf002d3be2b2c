package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Leases like those of an engine, in memory: several owners on one {@link Store}, with a clock that can be moved by
 * hand. For tests of programs that use an engine, for simulations of many processes, and to compare engines with.
 * Thread-safe.
 */
public final class InMemorySharedLease implements SharedWorkLease {
    private static final Failure UNKNOWN_FAILURE = new Failure(0, false, "");

    private final SharedLeaseTable table;
    private final String name;
    private final String owner;
    private final Duration duration;
    private final int maxRetries;

    private InMemorySharedLease(SharedLeaseTable table, String name, String owner, Duration duration, int maxRetries) {
        this.table = table;
        this.name = name;
        this.owner = owner;
        this.duration = duration;
        this.maxRetries = maxRetries;
    }

    /** Stands for the engine: all its leases with the same name share their domains. Thread-safe. */
    public static final class Store {
        private final Clock clock;
        private final Map<String, SharedLeaseTable> tables = new TreeMap<>();

        /**
         * Makes an empty store, with a clock in place of the engine's, such as a {@link ManualClock}. The clock must
         * not use the store.
         */
        public Store(Clock clock) {
            this.clock = requireNonNull(clock, "clock");
        }

        /**
         * Returns the leases of one owner, which stands for one process. The same owner again is the same process.
         *
         * @param name the kind of work; domains under different names are independent
         * @param maxRetries how often an offset is retried after its first attempt failed, or was lost with its owner
         * @param leaseDuration how long a lease lasts unless it is prolonged
         */
        public synchronized SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
            if (requireNonNull(name, "name").isBlank()) {
                throw new IllegalArgumentException("name: \"" + name + "\" (expected: not blank)");
            }
            if (maxRetries < 0) {
                throw new IllegalArgumentException("maxRetries: " + maxRetries + " (expected: >= 0)");
            }
            if (requireNonNull(owner, "owner").isEmpty()) {
                throw new IllegalArgumentException("owner: \"\" (expected: not empty)");
            }
            if (leaseDuration.toMillis() < 1) {
                throw new IllegalArgumentException("leaseDuration: " + leaseDuration + " (expected: >= PT0.001S)");
            }
            SharedLeaseTable table = tables.computeIfAbsent(name, unused -> new SharedLeaseTable(clock));
            return new InMemorySharedLease(table, name, owner, leaseDuration, maxRetries);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public Duration leaseDuration() {
        return duration;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return table.tryAcquire(requireDomain(domainId), offset, owner, duration.toMillis(), maxRetries);
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        return offers.stream()
                .map(offer -> BatchAnswer.of(() -> tryAcquire(offer.domainId(), offer.offset())))
                .toList();
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        return table.succeed(requireDomain(domainId), token);
    }

    /* Does both in one step, as on an engine. */
    @Override
    public TakeNextResult succeedAndTakeNext(String domainId, String token) {
        synchronized (table) {
            return SharedWorkLease.super.succeedAndTakeNext(domainId, token);
        }
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        return finishes.stream()
                .map(finish -> BatchAnswer.of(() -> succeed(finish.domainId(), finish.token())))
                .toList();
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, UNKNOWN_FAILURE);
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        requireNonNull(failure, "failure");
        return table.fail(requireDomain(domainId), token, failure, duration.toMillis(), maxRetries);
    }

    @Override
    public long renew(String domainId, String token) {
        return table.renew(requireDomain(domainId), token, duration.toMillis());
    }

    @Override
    public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
        return leases.stream()
                .map(lease -> BatchAnswer.of(() -> renew(lease.domainId(), lease.token())))
                .toList();
    }

    @Override
    public void release(String domainId, String token) {
        table.release(requireDomain(domainId), token);
    }

    @Override
    public boolean forceRelease(String domainId, long fence) {
        return table.forceRelease(requireDomain(domainId), fence);
    }

    @Override
    public List<String> pending(int limit, String afterDomain) {
        requireNonNull(afterDomain, "afterDomain");
        return table.pending(requireLimit(limit), afterDomain);
    }

    @Override
    public List<DomainSummary> domains(int limit, String afterDomain) {
        requireNonNull(afterDomain, "afterDomain");
        return table.domains(requireLimit(limit), afterDomain);
    }

    @Override
    public Optional<DomainSummary> summary(String domainId) {
        return table.summary(requireDomain(domainId));
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        return table.inspect(requireDomain(domainId), owner);
    }

    @Override
    public List<FailedWork> failedWork(String domainId, int limit) {
        return table.failedWork(requireDomain(domainId), requireLimit(limit));
    }

    @Override
    public List<Long> backlogBehind(String domainId, long offset, int limit) {
        return table.backlogBehind(requireDomain(domainId), offset, requireLimit(limit));
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        table.forget(requireDomain(domainId), upToOffset);
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return table.replay(requireDomain(domainId), offset);
    }

    @Override
    public long forgetAll(long upToOffset) {
        return table.forgetAll(upToOffset);
    }

    @Override
    public long deleteIdle(Duration idle) {
        return table.deleteIdle(requireAge("idle", idle));
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        return table.deleteFailed(requireAge("olderThan", olderThan));
    }

    private static String requireDomain(String domainId) {
        if (requireNonNull(domainId, "domainId").isEmpty()) {
            throw new IllegalArgumentException("domainId: \"\" (expected: not empty)");
        }
        return domainId;
    }

    private static int requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
        return limit;
    }

    private static Duration requireAge(String what, Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException(what + ": " + age + " (expected: >= PT0S)");
        }
        return age;
    }
}
