package io.tidegate.lease;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.AcquireResult.AlreadyProcessed;
import io.tidegate.lease.AcquireResult.Enqueued;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * An engine for a million domains in memory. Their offsets are offered in order, and no attempt fails. For one thread
 * at a time.
 */
final class SimulatedEngine {
    /*
     * Each domain has two numbers: how many offsets are done, and how many were accepted. So offset `done` is the
     * leased one, or the head of the backlog, and those up to `accepted` are in line. A bit shows whether the domain
     * has work and no owner. When a lease ends, a timing wheel sets that bit: the wheel has a list of domains for each
     * stretch of time, and a lease is in the list of its end.
     */
    private static final long STRETCH_MILLIS = 100;
    private static final int NOBODY = -1;
    private static final long ALIVE = Long.MAX_VALUE;

    private final LongSupplier clock;
    private final long leaseMillis;
    private final int[] done;
    private final int[] accepted;
    private final int[] fence;
    private final int[] holder;
    private final int[] lastHolder;
    private final long[] until;
    private final long[] leftAt;
    private final BitSet nobodyOnIt = new BitSet();
    private final Map<Long, List<Integer>> wheel = new HashMap<>();
    private final List<Owned> owners = new ArrayList<>();
    private long turnedTo;

    long acquires;
    long succeeds;
    long renewals;
    long renewedLeases;
    long pages;
    long emptyPages;
    long inspects;
    long releases;

    /** How many questions that followed a sweep were granted. */
    long sweptUp;

    /** Work that a dead process had begun, and another one took over. */
    long takenOver;

    /** Calls with a token that is not the lease's. */
    long refused;

    /** How long, in milliseconds, the offsets waited that one process left and another one took up. */
    List<Long> waits = new ArrayList<>();

    SimulatedEngine(int domains, Duration lease, LongSupplier clock) {
        this.clock = clock;
        this.leaseMillis = lease.toMillis();
        this.done = new int[domains];
        this.accepted = new int[domains];
        this.fence = new int[domains];
        this.holder = new int[domains];
        this.lastHolder = new int[domains];
        this.until = new long[domains];
        this.leftAt = new long[domains];
        Arrays.fill(holder, NOBODY);
        Arrays.fill(lastHolder, NOBODY);
        this.turnedTo = clock.getAsLong() / STRETCH_MILLIS;
    }

    static String domainName(int domain) {
        String digits = Integer.toString(domain);
        return "d" + "0".repeat(9 - digits.length()) + digits;
    }

    private static int number(String name) {
        return Integer.parseInt(name, 1, name.length(), 10);
    }

    /** Returns the leases of a further process. */
    Owned newOwner() {
        Owned owner = new Owned(owners.size());
        owners.add(owner);
        return owner;
    }

    /** Leaves a waiting offset in a domain, as a dead process would. */
    void leaveBehind(int domain) {
        accepted[domain]++;
        if (holder[domain] == NOBODY) {
            setFree(domain, clock.getAsLong());
        }
    }

    int nextOffset(int domain) {
        return accepted[domain];
    }

    long calls() {
        return acquires + succeeds + renewals + pages + inspects + releases;
    }

    long accepted() {
        return Arrays.stream(accepted).asLongStream().sum();
    }

    long done() {
        return Arrays.stream(done).asLongStream().sum();
    }

    /** Returns how many domains have work and no owner. */
    int leftBehind() {
        turnWheel();
        return nobodyOnIt.cardinality();
    }

    private void setFree(int domain, long since) {
        nobodyOnIt.set(domain);
        leftAt[domain] = since;
    }

    private void prolong(int domain) {
        until[domain] = clock.getAsLong() + leaseMillis;
        wheel.computeIfAbsent(until[domain] / STRETCH_MILLIS + 1, at -> new ArrayList<>())
                .add(domain);
    }

    private void turnWheel() {
        long now = clock.getAsLong();
        while (turnedTo < now / STRETCH_MILLIS) {
            List<Integer> ended = wheel.remove(++turnedTo);
            if (ended != null) {
                ended.stream()
                        .filter(domain -> holder[domain] != NOBODY && until[domain] <= now)
                        .forEach(domain -> setFree(domain, Math.min(owners.get(holder[domain]).diedAt, until[domain])));
            }
        }
    }

    /** The engine in the view of one process. */
    final class Owned implements SharedWorkLease {
        private final int me;
        private long diedAt = ALIVE;
        private int inspected = NOBODY;
        int held;

        private Owned(int me) {
            this.me = me;
        }

        void die() {
            diedAt = clock.getAsLong();
        }

        @Override
        public String owner() {
            return "p" + me;
        }

        @Override
        public Duration leaseDuration() {
            return Duration.ofMillis(leaseMillis);
        }

        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            acquires++;
            int domain = number(domainId);
            boolean swept = inspected == domain;
            inspected = NOBODY;
            AcquireResult answer = acquire(domainId, domain, (int) offset);
            sweptUp += swept && answer instanceof Acquired ? 1 : 0;
            return answer;
        }

        private AcquireResult acquire(String domainId, int domain, int offset) {
            if (offset < done[domain]) {
                return new AlreadyProcessed();
            }
            if (holder[domain] != NOBODY) {
                return acquireLeased(domain, offset);
            }
            if (accepted[domain] > done[domain] && offset != done[domain]) {
                throw new BacklogOrderingException(domainId, done[domain], offset);
            }
            return grant(domain, 0);
        }

        private AcquireResult acquireLeased(int domain, int offset) {
            if (offset != done[domain]) {
                accepted[domain] = Math.max(accepted[domain], offset + 1);
                return new Enqueued();
            }
            if (holder[domain] == me) {
                return new AlreadyAcquired(token(domain), fence[domain], 0);
            }
            if (until[domain] > clock.getAsLong()) {
                return new HeldElsewhere("p" + holder[domain], until[domain]);
            }
            turnWheel();
            takenOver++;
            owners.get(holder[domain]).held--;
            lastHolder[domain] = holder[domain];
            return grant(domain, 1);
        }

        private AcquireResult grant(int domain, int retries) {
            if (nobodyOnIt.get(domain) && lastHolder[domain] != me) {
                waits.add(clock.getAsLong() - leftAt[domain]);
            }
            nobodyOnIt.clear(domain);
            accepted[domain] = Math.max(accepted[domain], done[domain] + 1);
            fence[domain]++;
            holder[domain] = me;
            held++;
            prolong(domain);
            return new Acquired(token(domain), fence[domain], retries);
        }

        private String token(int domain) {
            return me + "." + fence[domain];
        }

        private void require(String domainId, int domain, String token) {
            if (holder[domain] != me || !token.equals(token(domain))) {
                refused++;
                throw holder[domain] == NOBODY
                        ? new LeaseNotFoundException(domainId)
                        : new TokenMismatchException(domainId);
            }
        }

        private void end(int domain) {
            holder[domain] = NOBODY;
            lastHolder[domain] = me;
            held--;
            nobodyOnIt.clear(domain);
            if (accepted[domain] > done[domain]) {
                setFree(domain, clock.getAsLong());
            }
        }

        @Override
        public SucceedResult succeed(String domainId, String token) {
            succeeds++;
            int domain = number(domainId);
            require(domainId, domain, token);
            done[domain]++;
            end(domain);
            return accepted[domain] > done[domain]
                    ? new SucceedResult.NextHint(done[domain])
                    : new SucceedResult.NoBacklog();
        }

        @Override
        public void release(String domainId, String token) {
            releases++;
            int domain = number(domainId);
            require(domainId, domain, token);
            end(domain);
        }

        @Override
        public long renew(String domainId, String token) {
            renewals++;
            return renewOne(domainId, token);
        }

        private long renewOne(String domainId, String token) {
            int domain = number(domainId);
            require(domainId, domain, token);
            renewedLeases++;
            nobodyOnIt.clear(domain);
            prolong(domain);
            return until[domain];
        }

        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            renewals++;
            return leases.stream()
                    .map(lease -> BatchAnswer.of(() -> renewOne(lease.domainId(), lease.token())))
                    .toList();
        }

        @Override
        public List<String> pending(int limit, String afterDomain) {
            pages++;
            turnWheel();
            List<String> page = new ArrayList<>();
            int domain = nobodyOnIt.nextSetBit(afterDomain.isEmpty() ? 0 : number(afterDomain) + 1);
            while (domain >= 0 && page.size() < limit) {
                page.add(domainName(domain));
                domain = nobodyOnIt.nextSetBit(domain + 1);
            }
            emptyPages += page.isEmpty() ? 1 : 0;
            return page;
        }

        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            inspects++;
            int domain = number(domainId);
            inspected = domain;
            boolean leased = holder[domain] != NOBODY;
            List<Long> backlog = accepted[domain] > done[domain] && !leased ? List.of((long) done[domain]) : List.of();
            return Optional.of(new DomainSnapshot(
                    domainId,
                    leased ? Optional.of(new LeaseRecord(done[domain], "", fence[domain], 0, 0)) : Optional.empty(),
                    backlog,
                    done[domain],
                    0));
        }

        @Override
        public FailResult fail(String domainId, String token) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean replay(String domainId, long offset) {
            throw new UnsupportedOperationException();
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
