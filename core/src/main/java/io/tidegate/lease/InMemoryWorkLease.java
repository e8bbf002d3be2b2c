package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Leases in the memory of this process. */
final class InMemoryWorkLease implements WorkLease {
    /*
     * There is one Domain for each id, made by the first acquisition or `forget`. It is the monitor for everything that
     * happens to the id, and its fence only rises. In the map there are only look-ups, insertions and removals, so a
     * domain waits for another one no longer than these take.
     *
     * Idle domains may be deleted. A deleted domain has no lease, and says under its monitor that it is gone: a thread
     * that wants to change it looks the id up again. Its fence goes into `deletedFence` before the domain leaves the
     * map. The thread that makes the id's next domain reads `deletedFence` inside the map's own lock, so fences keep
     * rising.
     *
     * Users' clocks and token sources are called with nothing held, between two looks at the domain. The first look
     * finds an answer that needs no lease, or the next fence. The second look checks again: each acquisition takes a
     * fence, so if the next fence is unchanged, the token fits; otherwise everything is decided again. A domain that
     * does not exist yet is made after the user's code has returned, so nothing is left behind when that code throws.
     * Until its first acquisition a domain counts as absent.
     *
     * The system's clock and the library's own tokens are no user code, and are called with the monitor held.
     *
     * The number of all waiting offsets is counted in stripes, each in a cache line of its own, by the thread that
     * holds a domain's monitor: a sum over all domains would take too long, and threads would contend for a single
     * counter. Counting cannot throw.
     */
    private static final int STRIPES = 16;
    private static final int STRIPE_LONGS = 16;

    private static final Failure UNKNOWN_FAILURE = new Failure(0, false, "");

    private final ConcurrentMap<String, Domain> domains = new ConcurrentHashMap<>();
    private final DomainNames names = new DomainNames(domains.keySet());
    private final AtomicLong lastDomain = new AtomicLong();
    private final AtomicLong deletedFence = new AtomicLong();
    private final AtomicLongArray backlogs = new AtomicLongArray(STRIPES * STRIPE_LONGS);
    private final AtomicLong failed = new AtomicLong();
    private final int maxRetries;
    private final int maxBacklog;
    private final @Nullable Clock clock;
    private final @Nullable TokenSource tokens;
    private final KeyedTokens ownTokens = KeyedTokens.withRandomKey();

    private final String name;

    InMemoryWorkLease(InMemoryBuilder settings) {
        this.name = settings.name;
        this.maxRetries = settings.maxRetries;
        this.maxBacklog = settings.maxBacklog;
        this.clock = settings.clock;
        this.tokens = settings.tokens;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return clock == null && tokens == null ? acquireAtOnce(domainId, offset) : acquireInSteps(domainId, offset);
    }

    private AcquireResult acquireAtOnce(String domainId, long offset) {
        while (true) {
            Domain domain = knownOrNew(domainId);
            synchronized (domain) {
                if (!domain.isGone()) {
                    AcquireResult answer = answerWithoutLease(domain, domainId, offset);
                    return answer != null ? answer : lease(domain, offset, null, System.currentTimeMillis());
                }
            }
        }
    }

    private AcquireResult acquireInSteps(String domainId, long offset) {
        while (true) {
            Domain domain = known(domainId);
            long fence = deletedFence.get() + 1;
            if (domain != null) {
                synchronized (domain) {
                    if (domain.isGone()) {
                        continue;
                    }
                    AcquireResult answer = answerWithoutLease(domain, domainId, offset);
                    if (answer != null) {
                        return answer;
                    }
                    fence = domain.nextFence();
                }
            }
            long nowMillis = nowMillis();
            String token = tokens == null ? null : requireToken(tokens.next(domainId, offset, fence));
            if (domain == null) {
                domain = knownOrNew(domainId);
            }
            synchronized (domain) {
                if (domain.isGone()) {
                    continue;
                }
                AcquireResult answer = answerWithoutLease(domain, domainId, offset);
                if (answer != null) {
                    return answer;
                }
                if (domain.nextFence() == fence) {
                    return lease(domain, offset, token, nowMillis);
                }
            }
        }
    }

    private AcquireResult lease(Domain domain, long offset, @Nullable String token, long nowMillis) {
        String given = token == null ? ownTokens.next(domain.number(), domain.nextFence()) : token;
        int waiting = domain.backlogSize();
        AcquireResult acquired = domain.lease(offset, given, nowMillis);
        countBacklog(domain, waiting);
        return acquired;
    }

    private @Nullable AcquireResult answerWithoutLease(Domain domain, String domainId, long offset) {
        int waiting = domain.backlogSize();
        AcquireResult answer = domain.answerWithoutLease(domainId, offset, maxBacklog);
        countBacklog(domain, waiting);
        return answer;
    }

    private void countBacklog(Domain domain, int before) {
        int more = domain.backlogSize() - before;
        if (more != 0) {
            backlogs.getAndAdd((int) (domain.number() % STRIPES) * STRIPE_LONGS, more);
        }
    }

    private static String requireToken(@Nullable String token) {
        if (token == null || token.isEmpty()) {
            throw new IllegalStateException("token: " + (token == null ? "null" : "\"\"") + " (expected: not empty)");
        }
        return token;
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        Domain domain = knownOrNoLease(domainId);
        synchronized (domain) {
            return domain.succeed(domainId, token);
        }
    }

    /*
     * Takes two steps if the user's clock or token source must be called in between, with nothing held; the success
     * stands even if that code throws.
     */
    @Override
    public TakeNextResult succeedAndTakeNext(String domainId, String token) {
        if (clock != null || tokens != null) {
            return WorkLease.super.succeedAndTakeNext(domainId, token);
        }
        Domain domain = knownOrNoLease(domainId);
        synchronized (domain) {
            return TakeNextResult.of(
                    domain.succeed(domainId, token), next -> lease(domain, next, null, System.currentTimeMillis()));
        }
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, UNKNOWN_FAILURE);
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        requireNonNull(failure, "failure");
        Domain domain = knownOrNoLease(domainId);
        long nowMillis = nowMillis();
        synchronized (domain) {
            FailResult result = domain.fail(domainId, token, failure, maxRetries, nowMillis);
            if (!(result instanceof FailResult.RetryScheduled)) {
                failed.getAndIncrement();
            }
            return result;
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        Domain domain = known(domainId);
        return domain == null ? Optional.empty() : domain.inspect(domainId);
    }

    @Override
    public List<FailedWork> failedWork(String domainId, int limit) {
        requireLimit(limit);
        Domain domain = known(domainId);
        if (domain == null) {
            return List.of();
        }
        synchronized (domain) {
            return domain.failedWork(limit);
        }
    }

    @Override
    public List<Long> backlogBehind(String domainId, long offset, int limit) {
        requireLimit(limit);
        Domain domain = known(domainId);
        if (domain == null) {
            return List.of();
        }
        synchronized (domain) {
            return domain.backlogBehind(offset, limit);
        }
    }

    @Override
    public List<DomainSummary> domains(int limit, String afterDomain) {
        requireLimit(limit);
        return names.after(requireNonNull(afterDomain, "afterDomain")).stream()
                .flatMap(domainId -> summary(domainId).stream())
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<DomainSummary> summary(String domainId) {
        Domain domain = known(domainId);
        return domain == null ? Optional.empty() : domain.summary(domainId);
    }

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        while (true) {
            Domain domain = knownOrNew(domainId);
            synchronized (domain) {
                if (!domain.isGone()) {
                    domain.forget(upToOffset);
                    return;
                }
            }
        }
    }

    @Override
    public long forgetAll(long upToOffset) {
        long all = 0;
        for (Domain domain : domains.values()) {
            synchronized (domain) {
                domain.forget(upToOffset);
            }
            all++;
        }
        return all;
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        requireNotNegative("olderThan", olderThan);
        long nowMillis = nowMillis();
        long deleted = 0;
        for (Domain domain : domains.values()) {
            synchronized (domain) {
                deleted += domain.deleteFailed(nowMillis, olderThan);
            }
        }
        failed.getAndAdd(-deleted);
        return deleted;
    }

    @Override
    public long deleteIdle(Duration idle) {
        requireNotNegative("idle", idle);
        long nowMillis = nowMillis();
        long deleted = 0;
        for (Map.Entry<String, Domain> entry : domains.entrySet()) {
            Domain domain = entry.getValue();
            synchronized (domain) {
                if (!domain.isGone() && domain.isIdle(nowMillis, idle)) {
                    domain.markDeleted();
                    deletedFence.accumulateAndGet(domain.fence(), Math::max);
                    domains.remove(entry.getKey(), domain);
                    names.removed(entry.getKey());
                    deleted++;
                }
            }
        }
        return deleted;
    }

    private static void requireNotNegative(String name, Duration duration) {
        if (requireNonNull(duration, name).isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " (expected: not negative)");
        }
    }

    private long nowMillis() {
        return clock == null ? System.currentTimeMillis() : clock.millis();
    }

    @Override
    public boolean replay(String domainId, long offset) {
        Domain domain = known(domainId);
        if (domain == null) {
            return false;
        }
        synchronized (domain) {
            int waiting = domain.backlogSize();
            boolean replayed = domain.replay(offset);
            countBacklog(domain, waiting);
            if (replayed) {
                failed.getAndDecrement();
            }
            return replayed;
        }
    }

    private @Nullable Domain known(String domainId) {
        if (requireNonNull(domainId, "domainId").isEmpty()) {
            throw new IllegalArgumentException("domainId: \"\" (expected: not empty)");
        }
        return domains.get(domainId);
    }

    private Domain knownOrNew(String domainId) {
        Domain domain = known(domainId);
        if (domain != null) {
            return domain;
        }
        Domain made = domains.computeIfAbsent(domainId, id -> newDomain());
        names.added(domainId);
        return made;
    }

    private Domain newDomain() {
        long number = lastDomain.incrementAndGet();
        long fence = deletedFence.get();
        return tokens == null ? new Domain(number, fence) : new Domain.WithUserTokens(number, fence);
    }

    private Domain knownOrNoLease(String domainId) {
        Domain domain = known(domainId);
        if (domain == null) {
            throw new LeaseNotFoundException(domainId);
        }
        return domain;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void read(Reading to) {
        long waiting = 0;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            waiting += backlogs.get(stripe * STRIPE_LONGS);
        }
        to.gauge("domains", domains.size());
        to.gauge("backlog", (double) waiting);
        to.gauge("failed", (double) failed.get());
    }
}
