package io.tidegate.bench.lease;

import io.tidegate.bench.Footprint;
import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.WorkLease;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The memory of domains and offsets at rest. */
final class Footprints {
    static final int DOMAINS = 100_000;
    static final int OFFSETS = 1_000_000;

    private static final String TIDEGATE = "Tidegate";
    private static final String HASH_SETS = "synchronized + HashSet";
    private static final String DOMAIN_ID = CycleBenchmark.DOMAIN;

    /* The domains' ids, which are not counted, because any program that keeps domains has them. */
    private static final class Ids {
        static final List<String> ALL =
                IntStream.range(0, DOMAINS).mapToObj(i -> "customer-" + i).toList();
    }

    private Footprints() {}

    static List<Footprint> all() {
        return List.of(
                new Footprint("domain with one processed offset, idle", HASH_SETS, DOMAINS, Footprints::hashSetDomains)
                        .without(Ids.ALL),
                new Footprint("domain with one processed offset, idle", TIDEGATE, DOMAINS, Footprints::idleDomains, 128)
                        .without(Ids.ALL),
                new Footprint("the same, leased", TIDEGATE, DOMAINS, Footprints::leasedDomains).without(Ids.ALL),
                new Footprint("processed offset, one after the other", "HashSet<Long>", OFFSETS, () -> boxed(dense(1))),
                new Footprint("processed offset, one after the other", TIDEGATE, OFFSETS, () -> process(dense(1)), 0.5),
                new Footprint("every third", TIDEGATE, OFFSETS, () -> process(dense(3)), 0.5),
                new Footprint("every third, in random order", TIDEGATE, OFFSETS, () -> process(shuffled(3)), 0.5),
                new Footprint("every hundredth", TIDEGATE, OFFSETS, () -> process(dense(100)), 10),
                new Footprint("any number there is", TIDEGATE, OFFSETS, () -> process(sparse()), 10),
                new Footprint("waiting offset", HASH_SETS, OFFSETS, Footprints::hashSetBacklog),
                new Footprint("waiting offset", TIDEGATE, OFFSETS, Footprints::backlog));
    }

    private static Object hashSetDomains() {
        Map<String, HashSetDomain> domains = new ConcurrentHashMap<>();
        for (String id : Ids.ALL) {
            HashSetDomain domain = new HashSetDomain();
            domain.tryAcquire(1_000);
            domain.succeed();
            domains.put(id, domain);
        }
        return domains;
    }

    private static WorkLease idleDomains() {
        WorkLease leases = WorkLease.inMemory(0);
        Ids.ALL.forEach(id -> process(leases, id, 1_000));
        return leases;
    }

    private static WorkLease leasedDomains() {
        WorkLease leases = idleDomains();
        Ids.ALL.forEach(id -> leases.tryAcquire(id, 1_001));
        return leases;
    }

    private static void process(WorkLease leases, String domainId, long offset) {
        if (leases.tryAcquire(domainId, offset) instanceof Acquired acquired) {
            leases.succeed(domainId, acquired.token());
        }
    }

    private static WorkLease process(LongStream offsets) {
        WorkLease leases = WorkLease.inMemory(0);
        offsets.forEach(offset -> process(leases, DOMAIN_ID, offset));
        return leases;
    }

    private static Set<Long> boxed(LongStream offsets) {
        Set<Long> set = new HashSet<>();
        offsets.forEach(set::add);
        return set;
    }

    private static LongStream dense(int step) {
        return LongStream.range(0, OFFSETS).map(i -> i * step);
    }

    private static LongStream shuffled(int step) {
        long prime = 999_983;
        return LongStream.range(0, OFFSETS).map(i -> i * prime % OFFSETS * step);
    }

    private static LongStream sparse() {
        return new SplittableRandom(1).longs(OFFSETS);
    }

    private static WorkLease backlog() {
        WorkLease leases = WorkLease.inMemory(0);
        offer(offset -> leases.tryAcquire(DOMAIN_ID, offset));
        return leases;
    }

    private static HashSetDomain hashSetBacklog() {
        HashSetDomain domain = new HashSetDomain();
        offer(domain::tryAcquire);
        return domain;
    }

    private static void offer(LongConsumer domain) {
        LongStream.rangeClosed(0, OFFSETS).forEach(domain);
    }
}
