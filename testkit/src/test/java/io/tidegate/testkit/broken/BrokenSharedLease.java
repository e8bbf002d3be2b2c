package io.tidegate.testkit.broken;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Leases as on an engine, with one fault each. */
public enum BrokenSharedLease {
    INSPECT_SHOWS_THE_WHOLE_BACKLOG("WL-13", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            return sound.inspect(domainId).map(seen -> {
                List<Long> all = new ArrayList<>(seen.backlog());
                if (!all.isEmpty()) {
                    all.addAll(sound.backlogBehind(domainId, all.get(all.size() - 1), Integer.MAX_VALUE));
                }
                return new DomainSnapshot(domainId, seen.lease(), all, seen.processedCount(), seen.failedCount());
            });
        }
    }),

    BEHIND_AN_OFFSET_IS_THE_OFFSET("WL-13", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<Long> backlogBehind(String domainId, long offset, int limit) {
            List<Long> behind = new ArrayList<>(sound.backlogBehind(domainId, offset, limit));
            if (!behind.isEmpty()) {
                behind.add(0, offset);
                behind.remove(behind.size() - 1);
            }
            return behind;
        }
    }),

    NOTHING_IS_BEHIND_A_RELEASED_OFFSET("WL-28", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public List<Long> backlogBehind(String domainId, long offset, int limit) {
            boolean isHead = sound.inspect(domainId)
                    .filter(seen -> seen.backlog().indexOf(offset) == 0)
                    .isPresent();
            return isHead && isReleased(domainId) ? List.of() : sound.backlogBehind(domainId, offset, limit);
        }
    }),

    A_RELEASED_OFFSET_DOES_NOT_COUNT("WL-34", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public List<DomainSummary> domains(int limit, String afterDomain) {
            return sound.domains(limit, afterDomain).stream()
                    .map(seen -> new DomainSummary(
                            seen.domainId(),
                            seen.lease(),
                            seen.backlogSize() - (isReleased(seen.domainId()) ? 1 : 0),
                            seen.processedCount(),
                            seen.failedCount()))
                    .toList();
        }
    }),

    ANY_FENCE_IS_RELEASED_BY_FORCE("WL-35", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public boolean forceRelease(String domainId, long fence) {
            return sound.inspect(domainId)
                    .flatMap(DomainSnapshot::lease)
                    .filter(held -> sound.forceRelease(domainId, held.fence()))
                    .isPresent();
        }
    }),

    FAILED_WORK_IN_ANOTHER_ORDER("WL-13", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<FailedWork> failedWork(String domainId, int limit) {
            List<FailedWork> failed = new ArrayList<>(sound.failedWork(domainId, limit));
            Collections.reverse(failed);
            return failed;
        }
    }),

    REASON_IS_LOST("WL-13", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public FailResult fail(String domainId, String token, Failure failure) {
            return sound.fail(domainId, token, new Failure(failure.number(), failure.permanent(), ""));
        }
    }),

    FORGOTTEN_FAILURE_RUNS_AGAIN("WL-13", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public long deleteFailed(Duration olderThan) {
            if (!olderThan.isZero()) {
                return sound.deleteFailed(olderThan);
            }
            long deleted = 0;
            for (String domainId : domains()) {
                for (FailedWork failed : sound.failedWork(domainId, Integer.MAX_VALUE)) {
                    sound.replay(domainId, failed.offset());
                    deleted++;
                }
            }
            return deleted;
        }
    }),

    FAILED_DOMAINS_ARE_IDLE("WL-13", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public long deleteIdle(Duration idle) {
            sound.deleteFailed(idle);
            return sound.deleteIdle(idle);
        }
    }),

    TOKEN_IS_SHOWN_TO_STRANGERS("WL-20", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            return sound.inspect(domainId)
                    .map(seen -> new DomainSnapshot(
                            domainId,
                            seen.lease().map(lease -> withToken(lease, liveToken(domainId))),
                            seen.backlog(),
                            seen.processedCount(),
                            seen.failedCount()));
        }

        private static LeaseRecord withToken(LeaseRecord lease, String token) {
            return new LeaseRecord(
                    lease.currentOffset(), token, lease.fence(), lease.acquiredAtMillis(), lease.retryCount());
        }
    }),

    LEASE_OF_ANOTHER_IS_ALREADY_ACQUIRED("WL-20", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            AcquireResult answer = super.tryAcquire(domainId, offset);
            return answer instanceof AcquireResult.HeldElsewhere
                    ? new AcquireResult.AlreadyAcquired(liveToken(domainId), 1, 0)
                    : answer;
        }
    }),

    TAKE_OVER_TELLS_NO_RETRIES("WL-21", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            AcquireResult answer = sound.tryAcquire(domainId, offset);
            return answer instanceof AcquireResult.Acquired acquired
                    ? new AcquireResult.Acquired(acquired.token(), acquired.fence())
                    : answer;
        }
    }),

    ASKING_AGAIN_TELLS_NO_RETRIES("WL-21", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            AcquireResult answer = sound.tryAcquire(domainId, offset);
            return answer instanceof AcquireResult.AlreadyAcquired already
                    ? new AcquireResult.AlreadyAcquired(already.token(), already.fence())
                    : answer;
        }
    }),

    ASKING_PROLONGS("WL-21", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            AcquireResult answer = sound.tryAcquire(domainId, offset);
            if (answer instanceof AcquireResult.AlreadyAcquired already) {
                sound.renew(domainId, already.token());
            }
            return answer;
        }
    }),

    RENEW_PROLONGS_NOTHING("WL-21", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public long renew(String domainId, String token) {
            return isLive(domainId, token) ? store.now() + leaseDuration().toMillis() : sound.renew(domainId, token);
        }
    }),

    ENDED_LEASE_IS_NOT_RENEWED("WL-21", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public long renew(String domainId, String token) {
            if (sound.pending(Integer.MAX_VALUE, "").contains(domainId)) {
                throw new TokenMismatchException(domainId);
            }
            return sound.renew(domainId, token);
        }
    }),

    OLD_TOKEN_ENDS_THE_LEASE("WL-22", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public SucceedResult succeed(String domainId, String token) {
            boolean leased =
                    sound.inspect(domainId).flatMap(DomainSnapshot::lease).isPresent();
            return super.succeed(domainId, leased ? liveToken(domainId) : token);
        }
    }),

    LAST_FINISH_IS_FORGOTTEN("WL-23", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public SucceedResult succeed(String domainId, String token) {
            if (store.finished.contains(token)) {
                throw new LeaseNotFoundException(domainId);
            }
            SucceedResult answer = sound.succeed(domainId, token);
            store.finished.add(token);
            return answer;
        }
    }),

    NUMBERED_FAILURE_COUNTS_TWICE("WL-23", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public FailResult fail(String domainId, String token, Failure failure) {
            return sound.fail(domainId, token, new Failure(0, failure.permanent(), failure.reason()));
        }
    }),

    PERMANENT_FAILURE_IS_TRIED_AGAIN("WL-6", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public FailResult fail(String domainId, String token, Failure failure) {
            return sound.fail(domainId, token, new Failure(failure.number(), false, failure.reason()));
        }
    }),

    BATCH_ENDS_AT_A_REFUSAL("WL-24", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
            return untilRefused(offers.stream()
                    .map(offer -> sound.tryAcquireAll(List.of(offer)).get(0))
                    .toList());
        }

        @Override
        public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
            return untilRefused(sound.succeedAll(finishes));
        }
    }),

    BATCH_IS_ANSWERED_BY_DOMAIN("WL-24", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
            return sound.tryAcquireAll(offers.stream()
                    .sorted(Comparator.comparing(Offer::domainId))
                    .toList());
        }
    }),

    NAMES_IGNORE_CASE("WL-27", name -> name.toLowerCase(Locale.ROOT)),

    BLANK_NAME_IS_A_NAME("WL-27", name -> name.isBlank() ? "none" : name),

    DELETION_IS_FOR_ALL_NAMES("WL-27", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public long deleteIdle(Duration idle) {
            return store.domains.keySet().stream()
                    .mapToLong(each ->
                            store.sound(each, 0, owner(), leaseDuration()).deleteIdle(idle))
                    .sum();
        }
    }),

    RELEASE_COUNTS_AS_A_RETRY("WL-28", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public void release(String domainId, String token) {
            if (sound.fail(domainId, token) instanceof FailResult.RetryScheduled) {
                sound.release(domainId, token);
            }
        }
    }),

    RELEASED_TO_THE_TAIL("WL-28", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public void release(String domainId, String token) {
            long offset = sound.inspect(domainId)
                    .flatMap(DomainSnapshot::lease)
                    .map(LeaseRecord::currentOffset)
                    .orElse(0L);
            sound.fail(domainId, token, new Failure(0, true, ""));
            sound.replay(domainId, offset);
        }
    }),

    RELEASE_FORGETS_THE_RETRIES("WL-28", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            boolean released = isReleased(domainId);
            AcquireResult answer = super.tryAcquire(domainId, offset);
            return released && answer instanceof AcquireResult.Acquired acquired
                    ? new AcquireResult.Acquired(acquired.token(), acquired.fence(), 0)
                    : answer;
        }
    }),

    RELEASE_DOES_NOTHING("WL-28", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public void release(String domainId, String token) {
            sound.renew(domainId, token);
        }
    }),

    RENEWAL_ENDS_AT_A_REFUSAL("WL-29", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            return untilRefused(sound.renewAll(leases));
        }
    }),

    MANY_ARE_NOT_RENEWED("WL-29", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            List<BatchAnswer<Long>> answers =
                    new ArrayList<>(sound.renewAll(leases.subList(0, Math.min(100, leases.size()))));
            while (answers.size() < leases.size()) {
                answers.add(answers.get(0));
            }
            return answers;
        }
    }),

    PENDING_IN_THE_ORDER_OF_JAVA("WL-30", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            return sound.pending(Integer.MAX_VALUE, "").stream()
                    .sorted()
                    .filter(domainId -> domainId.compareTo(afterDomain) > 0)
                    .limit(sound.pending(limit, "").isEmpty() ? 0 : limit)
                    .toList();
        }
    }),

    PENDING_IGNORES_CASE("WL-30", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            Set<String> seen = new HashSet<>();
            return sound.pending(limit, afterDomain).stream()
                    .filter(domainId -> seen.add(domainId.toLowerCase(Locale.ROOT)))
                    .toList();
        }
    }),

    PAGE_BEGINS_WITH_THE_LAST_ONE("WL-30", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            List<String> page = new ArrayList<>(sound.pending(limit, afterDomain));
            if (!afterDomain.isEmpty()) {
                page.add(0, afterDomain);
            }
            return page.subList(0, Math.min(limit, page.size()));
        }
    }),

    RELEASED_IS_NOT_PENDING("WL-30", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            return sound.pending(limit, afterDomain).stream()
                    .filter(domainId -> !isReleased(domainId))
                    .toList();
        }
    }),

    ENDED_LEASE_IS_NOT_PENDING("WL-30", (store, name, sound) -> new ForwardingSharedLease(sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            return sound.pending(limit, afterDomain).stream()
                    .filter(domainId -> sound.inspect(domainId)
                            .flatMap(DomainSnapshot::lease)
                            .isEmpty())
                    .toList();
        }
    }),

    HELD_IS_PENDING("WL-30", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            return sound.pending(limit, afterDomain).isEmpty() && afterDomain.isEmpty()
                    ? domains().stream()
                            .filter(domainId -> sound.inspect(domainId)
                                    .flatMap(DomainSnapshot::lease)
                                    .isPresent())
                            .limit(limit)
                            .toList()
                    : sound.pending(limit, afterDomain);
        }
    }),

    /**
     * A domain that was once held is listed only after its lease would have ended, even if the lease was given back.
     */
    LOOKED_AT_TOO_LATE("WL-30", (store, name, sound) -> new Watching(store, name, sound) {
        @Override
        public List<String> pending(int limit, String afterDomain) {
            List<String> due = sound.pending(Integer.MAX_VALUE, "");
            SharedWorkLease spy = store.sound(name, 0, "spy", leaseDuration());
            for (String domainId : domains()) {
                Optional<LeaseRecord> lease = sound.inspect(domainId).flatMap(DomainSnapshot::lease);
                if (lease.isPresent()
                        && !due.contains(domainId)
                        && spy.tryAcquire(domainId, lease.get().currentOffset())
                                instanceof AcquireResult.HeldElsewhere held) {
                    store.lookedAt.putIfAbsent(key(domainId), held.untilMillis());
                }
            }
            return sound.pending(limit, afterDomain).stream()
                    .filter(domainId -> store.lookedAt.getOrDefault(key(domainId), 0L) <= store.now())
                    .toList();
        }
    });

    private interface Fault {
        SharedWorkLease in(WatchedStore store, String name, SharedWorkLease sound);
    }

    private final String rule;
    private final UnaryOperator<String> nameOf;
    private final Fault fault;

    BrokenSharedLease(String rule, Fault fault) {
        this.rule = rule;
        this.nameOf = name -> name;
        this.fault = fault;
    }

    BrokenSharedLease(String rule, UnaryOperator<String> nameOf) {
        this.rule = rule;
        this.nameOf = nameOf;
        this.fault = (store, name, sound) -> sound;
    }

    /** Returns the rule that is broken. */
    public String rule() {
        return rule;
    }

    public SharedWorkLease lease(
            WatchedStore store, String name, int maxRetries, String owner, Duration leaseDuration) {
        return fault.in(store, name, store.sound(nameOf.apply(name), maxRetries, owner, leaseDuration));
    }

    /** Refuses everything after the first refusal. */
    private static <R> List<SharedWorkLease.BatchAnswer<R>> untilRefused(List<SharedWorkLease.BatchAnswer<R>> answers) {
        List<SharedWorkLease.BatchAnswer<R>> cut = new ArrayList<>(answers);
        for (int i = 1; i < cut.size(); i++) {
            if (cut.get(i - 1).refusal().isPresent()) {
                cut.set(i, cut.get(i - 1));
            }
        }
        return cut;
    }

    /** Remembers tokens, releases and domains, for all owners. */
    private static class Watching extends ForwardingSharedLease {
        private final WatchedStore store;
        private final String name;

        Watching(WatchedStore store, String name, SharedWorkLease sound) {
            super(sound);
            this.store = store;
            this.name = name;
            store.domains.computeIfAbsent(name, unused -> new HashSet<>());
        }

        String key(String domainId) {
            return name + "\n" + domainId;
        }

        List<String> domains() {
            return store.domains.getOrDefault(name, Set.of()).stream().sorted().toList();
        }

        String liveToken(String domainId) {
            return store.liveTokens.getOrDefault(key(domainId), "none");
        }

        boolean isLive(String domainId, String token) {
            return liveToken(domainId).equals(token)
                    && sound.inspect(domainId).flatMap(DomainSnapshot::lease).isPresent();
        }

        boolean isReleased(String domainId) {
            return store.released.contains(key(domainId));
        }

        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            AcquireResult answer = sound.tryAcquire(domainId, offset);
            store.domains.computeIfAbsent(name, unused -> new HashSet<>()).add(domainId);
            if (answer instanceof AcquireResult.Acquired acquired) {
                store.liveTokens.put(key(domainId), acquired.token());
                store.released.remove(key(domainId));
            }
            return answer;
        }

        @Override
        public void release(String domainId, String token) {
            sound.release(domainId, token);
            store.released.add(key(domainId));
        }

        @Override
        public boolean forceRelease(String domainId, long fence) {
            boolean released = sound.forceRelease(domainId, fence);
            if (released) {
                store.released.add(key(domainId));
            }
            return released;
        }
    }
}
