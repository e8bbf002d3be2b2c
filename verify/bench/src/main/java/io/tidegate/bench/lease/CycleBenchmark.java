package io.tidegate.bench.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.SucceedResult.NextHint;
import io.tidegate.lease.WorkLease;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Acquires an offset and reports its success. If two threads share a domain, the thread with the lease also does the
 * offsets that the other one enqueued.
 */
@State(Scope.Benchmark)
public abstract class CycleBenchmark {
    static final String DOMAIN = "customer-42";

    /**
     * The offsets of one thread: in a shared domain, every n-th one for n threads; in a domain of its own, all of them.
     */
    @State(Scope.Thread)
    public static class Offers {
        private String ownDomain = "own";
        private long nextOwn;
        private long nextShared;
        private int threads = 1;

        @Setup
        public void setUp(ThreadParams params) {
            ownDomain = "own-" + params.getThreadIndex();
            nextShared = params.getThreadIndex();
            threads = params.getThreadCount();
        }

        long nextShared() {
            nextShared += threads;
            return nextShared;
        }
    }

    /** Returns whether anything was done; nothing is done if another thread has the lease, or had it. */
    abstract boolean cycle(String domainId, long offset);

    @Benchmark
    public boolean sharedDomain(Offers offers) {
        return cycle(DOMAIN, offers.nextShared());
    }

    @Benchmark
    public boolean ownDomain(Offers offers) {
        return cycle(offers.ownDomain, ++offers.nextOwn);
    }

    /** Looks up the domain once, and does nothing with it. */
    public static class MapGet extends CycleBenchmark {
        record Found(int zero) {}

        private final ConcurrentMap<String, Found> domains = new ConcurrentHashMap<>();

        @Override
        boolean cycle(String domainId, long offset) {
            return domains.get(domainId) != null || domains.put(domainId, new Found(0)) == null;
        }

        Found find(String domainId) {
            return requireNonNull(domains.get(domainId), domainId);
        }
    }

    /** Changes the leased offset in the map, with the map's own lock. */
    public static class Compute extends CycleBenchmark {
        private static final Long NONE = -1L;
        private final ConcurrentMap<String, Long> leased = new ConcurrentHashMap<>();

        @Override
        boolean cycle(String domainId, long offset) {
            Long now = leased.compute(domainId, (id, other) -> other == null || other < 0 ? (Long) offset : other);
            if (now != offset) {
                return false;
            }
            leased.compute(domainId, (id, mine) -> NONE);
            return true;
        }
    }

    /** See {@link HashSetDomain}. */
    public static class HashSets extends CycleBenchmark {
        private final ConcurrentMap<String, HashSetDomain> domains = new ConcurrentHashMap<>();
        int mostOffsets = 100_000;

        @Override
        boolean cycle(String domainId, long offset) {
            HashSetDomain domain = domains.computeIfAbsent(domainId, id -> new HashSetDomain());
            domain.keepAtMost(mostOffsets);
            boolean done = false;
            for (Long next = offset; next != null && domain.tryAcquire(next); next = finish(domainId)) {
                done = true;
            }
            return done;
        }

        private @Nullable Long finish(String domainId) {
            HashSetDomain domain = domains.get(domainId);
            return domain == null ? null : domain.succeed();
        }
    }

    public static class Tidegate extends CycleBenchmark {
        private final WorkLease leases = WorkLease.inMemory(3);

        @Override
        boolean cycle(String domainId, long offset) {
            long next = offset;
            boolean done = false;
            while (true) {
                try {
                    if (!(leases.tryAcquire(domainId, next) instanceof Acquired acquired)) {
                        return done;
                    }
                    done = true;
                    if (!(leases.succeed(domainId, acquired.token()) instanceof NextHint hint)) {
                        return true;
                    }
                    next = hint.offset();
                } catch (BacklogOrderingException e) {
                    cycle(domainId, e.expected());
                }
            }
        }
    }
}
