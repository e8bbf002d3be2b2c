package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Leases in memory. */
final class LeaseStore implements WorkLease {
    /*
     * One Domain for each id, made when it is first acquired or forgotten, and never replaced or removed: it is the monitor of all
     * that happens to the id, and its fence only rises. Nothing but look-ups and insertions happens in the map, so a domain
     * waits for another for no longer than an insertion takes.
     *
     * Users' clocks and tokens are called with nothing held, between two looks at the domain. The first look says what can be
     * said without a lease, and which fence comes next. The second looks again: as each acquisition takes a fence, an
     * unchanged next fence means that the token fits; otherwise everything is decided anew. A domain that does not exist
     * yet is made after the user's code has returned, so nothing is left when that throws. Until its first
     * acquisition it counts as not there.
     *
     * The system's clock and our own tokens are no user code, and are called inside.
     */
    private static final long FIRST_FENCE = 1;
    private static final Failure UNKNOWN_FAILURE = new Failure(0, false, "");

    private final ConcurrentMap<String, Domain> domains = new ConcurrentHashMap<>();
    private final AtomicLong lastDomain = new AtomicLong();
    private final int maxRetries;
    private final @Nullable Clock clock;
    private final @Nullable TokenSource tokens;
    private final KeyedTokens ownTokens = KeyedTokens.withRandomKey();

    LeaseStore(InMemoryBuilder settings) {
        this.maxRetries = settings.maxRetries;
        this.clock = settings.clock;
        this.tokens = settings.tokens;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return clock == null && tokens == null ? acquireAtOnce(domainId, offset) : acquireInSteps(domainId, offset);
    }

    private AcquireResult acquireAtOnce(String domainId, long offset) {
        Domain domain = knownOrNew(domainId);
        synchronized (domain) {
            AcquireResult answer = domain.answerWithoutLease(domainId, offset);
            return answer != null ? answer : lease(domain, offset, null, System.currentTimeMillis());
        }
    }

    private AcquireResult acquireInSteps(String domainId, long offset) {
        while (true) {
            Domain domain = known(domainId);
            long fence = FIRST_FENCE;
            if (domain != null) {
                synchronized (domain) {
                    AcquireResult answer = domain.answerWithoutLease(domainId, offset);
                    if (answer != null) {
                        return answer;
                    }
                    fence = domain.nextFence();
                }
            }
            long nowMillis = clock == null ? System.currentTimeMillis() : clock.millis();
            String token = tokens == null ? null : requireToken(tokens.next(domainId, offset, fence));
            if (domain == null) {
                domain = knownOrNew(domainId);
            }
            synchronized (domain) {
                AcquireResult answer = domain.answerWithoutLease(domainId, offset);
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
        return token == null
                ? domain.lease(offset, ownTokens.next(domain.number(), domain.nextFence()), nowMillis)
                : domain.leaseWithUserToken(offset, token, nowMillis);
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

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, UNKNOWN_FAILURE);
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        requireNonNull(failure, "failure");
        Domain domain = knownOrNoLease(domainId);
        long nowMillis = clock == null ? System.currentTimeMillis() : clock.millis();
        synchronized (domain) {
            return domain.fail(domainId, token, failure, maxRetries, nowMillis);
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

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        Domain domain = knownOrNew(domainId);
        synchronized (domain) {
            domain.forget(upToOffset);
        }
    }

    @Override
    public boolean replay(String domainId, long offset) {
        Domain domain = known(domainId);
        if (domain == null) {
            return false;
        }
        synchronized (domain) {
            return domain.replay(offset);
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
        Domain fresh = new Domain(lastDomain.incrementAndGet());
        Domain present = domains.putIfAbsent(domainId, fresh);
        return present == null ? fresh : present;
    }

    private Domain knownOrNoLease(String domainId) {
        Domain domain = known(domainId);
        if (domain == null) {
            throw new LeaseNotFoundException(domainId);
        }
        return domain;
    }
}
