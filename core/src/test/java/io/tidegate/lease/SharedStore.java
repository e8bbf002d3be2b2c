package io.tidegate.lease;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.AcquireResult.AlreadyFailed;
import io.tidegate.lease.AcquireResult.AlreadyProcessed;
import io.tidegate.lease.AcquireResult.Enqueued;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine for tests of runners: leases of several owners in memory, for which the test lets time pass. Only for one
 * thread at a time.
 */
final class SharedStore {
    private final LongSupplier clock;
    private final long leaseMillis;
    private final int maxRetries;
    private final Map<String, Domain> domains = new TreeMap<>();

    SharedStore(LongSupplier clock, Duration lease, int maxRetries) {
        this.clock = clock;
        this.leaseMillis = lease.toMillis();
        this.maxRetries = maxRetries;
    }

    private record Item(long offset, long acquiredAt, int retries) {}

    private record Lease(Item item, String owner, String token, long fence, int retriesBefore) {}

    private static final class Domain {
        long fence;

        @Nullable
        Lease lease;

        long until;
        final List<String> story = new ArrayList<>();
        final Deque<Item> backlog = new ArrayDeque<>();
        final Set<Long> processed = new HashSet<>();
        final Map<Long, FailedWork> failed = new TreeMap<>();
        String lastToken = "";

        @Nullable
        Object lastAnswer;

        boolean waits(long offset) {
            return backlog.stream().anyMatch(item -> item.offset() == offset);
        }
    }

    /** Every call of an owner goes through here. A test can make the call fail, or lose its answer. */
    interface Wire {
        <T> T call(Supplier<T> operation);
    }

    SharedWorkLease of(String owner, Wire wire) {
        return new Owned(owner, wire);
    }

    Set<Long> processed(String domainId) {
        return domain(domainId).processed;
    }

    Map<Long, FailedWork> failed(String domainId) {
        return domain(domainId).failed;
    }

    boolean hasOpen(String domainId) {
        Domain domain = domain(domainId);
        return domain.lease != null || !domain.backlog.isEmpty();
    }

    /** Returns the owner of the domain's lease, if the lease has not ended. */
    @Nullable
    String holder(String domainId) {
        Domain domain = domain(domainId);
        return domain.lease == null || domain.until <= clock.getAsLong() ? null : domain.lease.owner();
    }

    int retries(String domainId) {
        Lease lease = domain(domainId).lease;
        return lease == null ? -1 : lease.item().retries();
    }

    /** Returns what happened in a domain, in order. */
    List<String> story(String domainId) {
        return domain(domainId).story;
    }

    private Domain domain(String domainId) {
        return domains.computeIfAbsent(domainId, id -> new Domain());
    }

    private final class Owned implements SharedWorkLease {
        private final String owner;
        private final Wire wire;

        Owned(String owner, Wire wire) {
            this.owner = owner;
            this.wire = wire;
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public Duration leaseDuration() {
            return Duration.ofMillis(leaseMillis);
        }

        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            return wire.call(() -> told("acquire " + offset, domainId, () -> acquire(domainId, offset)));
        }

        private <T> T told(String what, String domainId, Supplier<T> operation) {
            String begin = clock.getAsLong() + " " + owner + " " + what + ": ";
            try {
                T answer = operation.get();
                domain(domainId).story.add(begin + answer);
                return answer;
            } catch (RuntimeException refused) {
                domain(domainId).story.add(begin + refused);
                throw refused;
            }
        }

        private AcquireResult acquire(String domainId, long offset) {
            Domain domain = domain(domainId);
            if (domain.processed.contains(offset)) {
                return new AlreadyProcessed();
            }
            if (domain.failed.containsKey(offset)) {
                return new AlreadyFailed();
            }
            Lease lease = domain.lease;
            if (lease != null && lease.item().offset() == offset) {
                return acquireLeased(domain, lease);
            }
            if (lease != null) {
                if (!domain.waits(offset)) {
                    domain.backlog.addLast(new Item(offset, -1, 0));
                }
                return new Enqueued();
            }
            Item head = domain.backlog.peekFirst();
            if (head != null && head.offset() != offset) {
                throw new BacklogOrderingException(domainId, head.offset(), offset);
            }
            return grant(domain, head == null ? new Item(offset, -1, 0) : domain.backlog.removeFirst());
        }

        private AcquireResult acquireLeased(Domain domain, Lease lease) {
            if (lease.owner().equals(owner)) {
                return new AlreadyAcquired(
                        lease.token(), lease.fence(), lease.item().retries());
            }
            if (domain.until > clock.getAsLong()) {
                return new HeldElsewhere(lease.owner(), domain.until);
            }
            Item item = lease.item();
            domain.lease = null;
            if (item.retries() >= maxRetries) {
                domain.failed.put(
                        item.offset(), new FailedWork(item.offset(), item.retries(), clock.getAsLong(), "lost"));
                return new AlreadyFailed();
            }
            return grant(domain, new Item(item.offset(), item.acquiredAt(), item.retries() + 1));
        }

        private AcquireResult grant(Domain domain, Item item) {
            domain.fence++;
            long acquiredAt = item.acquiredAt() < 0 ? clock.getAsLong() : item.acquiredAt();
            String token = owner + "." + domain.fence;
            domain.lease = new Lease(
                    new Item(item.offset(), acquiredAt, item.retries()), owner, token, domain.fence, item.retries());
            domain.until = clock.getAsLong() + leaseMillis;
            return new Acquired(token, domain.fence, item.retries());
        }

        private Lease require(String domainId, Domain domain, String token) {
            Lease lease = domain.lease;
            if (lease == null) {
                throw new LeaseNotFoundException(domainId);
            }
            if (!lease.token().equals(token)) {
                throw new TokenMismatchException(domainId);
            }
            return lease;
        }

        @Override
        public SucceedResult succeed(String domainId, String token) {
            return wire.call(() -> end(domainId, token));
        }

        @Override
        public TakeNextResult succeedAndTakeNext(String domainId, String token) {
            return wire.call(() -> TakeNextResult.of(
                    end(domainId, token), next -> told("take next " + next, domainId, () -> acquire(domainId, next))));
        }

        private SucceedResult end(String domainId, String token) {
            return told("succeed", domainId, () -> {
                Domain domain = domain(domainId);
                if (domain.lastToken.equals(token) && domain.lastAnswer instanceof SucceedResult again) {
                    return again;
                }
                Lease lease = require(domainId, domain, token);
                domain.processed.add(lease.item().offset());
                Item head = domain.backlog.peekFirst();
                SucceedResult answer =
                        head == null ? new SucceedResult.NoBacklog() : new SucceedResult.NextHint(head.offset());
                end(domain, token, answer);
                return answer;
            });
        }

        private void end(Domain domain, String token, Object answer) {
            domain.lease = null;
            domain.lastToken = token;
            domain.lastAnswer = answer;
        }

        @Override
        public FailResult fail(String domainId, String token) {
            return fail(domainId, token, new Failure(0, false, ""));
        }

        @Override
        public FailResult fail(String domainId, String token, Failure failure) {
            return wire.call(() -> told("fail", domainId, () -> {
                Domain domain = domain(domainId);
                if (domain.lastToken.equals(token) && domain.lastAnswer instanceof FailResult again) {
                    return again;
                }
                Lease lease = require(domainId, domain, token);
                Item item = lease.item();
                int told = item.retries() - lease.retriesBefore();
                if (failure.number() > 0 && failure.number() <= told) {
                    return new FailResult.RetryScheduled(lease.retriesBefore() + failure.number());
                }
                if (!failure.permanent() && item.retries() < maxRetries) {
                    domain.lease = new Lease(
                            new Item(item.offset(), item.acquiredAt(), item.retries() + 1),
                            lease.owner(),
                            token,
                            lease.fence(),
                            lease.retriesBefore());
                    domain.until = clock.getAsLong() + leaseMillis;
                    return new FailResult.RetryScheduled(item.retries() + 1);
                }
                domain.failed.put(
                        item.offset(),
                        new FailedWork(item.offset(), item.retries(), clock.getAsLong(), failure.reason()));
                Item head = domain.backlog.peekFirst();
                FailResult answer =
                        head == null ? new FailResult.GiveUpNoBacklog() : new FailResult.GiveUpNextHint(head.offset());
                end(domain, token, answer);
                return answer;
            }));
        }

        @Override
        public long renew(String domainId, String token) {
            return wire.call(() -> prolong(domainId, token));
        }

        private long prolong(String domainId, String token) {
            Domain domain = domain(domainId);
            require(domainId, domain, token);
            domain.until = clock.getAsLong() + leaseMillis;
            return domain.until;
        }

        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            return wire.call(() -> leases.stream()
                    .map(lease -> BatchAnswer.of(() -> prolong(lease.domainId(), lease.token())))
                    .toList());
        }

        @Override
        public void release(String domainId, String token) {
            wire.call(() -> told("release", domainId, () -> {
                Domain domain = domain(domainId);
                Lease lease = require(domainId, domain, token);
                domain.backlog.addFirst(lease.item());
                domain.lease = null;
                return true;
            }));
        }

        @Override
        public List<String> pending(int limit, String afterDomain) {
            return wire.call(() -> {
                List<String> pending = new ArrayList<>();
                domains.forEach((id, domain) -> {
                    boolean free = domain.lease == null ? !domain.backlog.isEmpty() : domain.until <= clock.getAsLong();
                    if (free && id.compareTo(afterDomain) > 0 && pending.size() < limit) {
                        pending.add(id);
                    }
                });
                return pending;
            });
        }

        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            return wire.call(() -> {
                Domain domain = domain(domainId);
                Lease lease = domain.lease;
                return Optional.of(new DomainSnapshot(
                        domainId,
                        Optional.ofNullable(lease)
                                .map(held -> new LeaseRecord(
                                        held.item().offset(),
                                        held.owner().equals(owner) ? held.token() : "",
                                        held.fence(),
                                        held.item().acquiredAt(),
                                        held.item().retries())),
                        domain.backlog.stream()
                                .map(Item::offset)
                                .limit(DomainSnapshot.MOST_BACKLOG)
                                .toList(),
                        domain.processed.size(),
                        domain.failed.size()));
            });
        }

        @Override
        public boolean replay(String domainId, long offset) {
            return wire.call(() -> {
                Domain domain = domain(domainId);
                if (domain.failed.remove(offset) == null) {
                    return false;
                }
                domain.backlog.addLast(new Item(offset, -1, 0));
                return true;
            });
        }

        @Override
        public void forget(String domainId, long upToOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long forgetAll(long upToOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long deleteIdle(Duration idle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long deleteFailed(Duration olderThan) {
            throw new UnsupportedOperationException();
        }
    }
}
