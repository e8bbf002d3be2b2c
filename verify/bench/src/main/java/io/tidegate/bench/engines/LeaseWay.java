package io.tidegate.bench.engines;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyProcessed;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult.NextHint;
import io.tidegate.lease.TakeNextResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tidegate: each worker is a separate owner, and its offsets are new. */
final class LeaseWay implements Way {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** How offsets arrive, and how workers ask for them. */
    enum Manner {
        EACH("Tidegate"),
        /** Every second offset. */
        GAPS("Tidegate, gaps"),
        /** Some offsets wait in line, and each is acquired together with the end of the one before. */
        NEXT("Tidegate, next taken");

        private final String label;

        Manner(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private static final int LOADED_AT_ONCE = 1_000;

    /** How many offsets a worker enqueues at once. */
    private static final int LINE = 50;

    private final List<? extends SharedWorkLease> owners;
    private final Manner manner;
    private final int batch;
    private final String prefix;
    private final AtomicLongArray lastOffsets = new AtomicLongArray(Throughput.MANY_DOMAINS);
    private final Set<Offer> open = ConcurrentHashMap.newKeySet();

    /**
     * @param owners one for each worker, or more
     * @param batch how many domains a worker asks for at once
     */
    LeaseWay(List<? extends SharedWorkLease> owners, Manner manner, int batch) {
        this.owners = owners;
        this.manner = manner;
        this.batch = batch;
        this.prefix = "way" + NUMBER.incrementAndGet() + "-";
    }

    @Override
    public String label() {
        return manner.label;
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public boolean fits(int domains) {
        return switch (manner) {
            case EACH -> batch == 1 || domains == Throughput.DOMAINS;
            case GAPS -> domains == Throughput.DOMAINS;
            case NEXT -> domains <= Throughput.DOMAINS;
        };
    }

    @Override
    public Running start(Load load) {
        return Workers.start(load, worker -> {
            SharedWorkLease lease = owners.get(worker);
            IntSupplier domains = load.domainsOf(worker);
            return manner == Manner.NEXT
                    ? new NextTaken(lease, domains, load.domains() == 1 ? 1 : LINE)
                    : batch == 1 ? new Trampoline(lease, domains) : new Batches(lease, domains);
        });
    }

    private Offer next(IntSupplier domains) {
        return nextOf(domains.getAsInt());
    }

    private Offer nextOf(int domain) {
        return new Offer(domainId(domain), lastOffsets.addAndGet(domain, manner == Manner.GAPS ? 2 : 1));
    }

    String domainId(Object domain) {
        return prefix + domain;
    }

    /** Does one offset in each of so many domains. */
    void load(int domains) {
        SharedWorkLease lease = owners.get(0);
        for (int from = 0; from < domains; from += LOADED_AT_ONCE) {
            List<Offer> offers = IntStream.range(from, Math.min(domains, from + LOADED_AT_ONCE))
                    .mapToObj(this::nextOf)
                    .toList();
            List<Finish> finishes = new ArrayList<>();
            for (BatchAnswer<AcquireResult> answer : lease.tryAcquireAll(offers)) {
                finishes.add(new Finish(offers.get(finishes.size()).domainId(), ((Acquired) answer.orThrow()).token()));
            }
            lease.succeedAll(finishes).forEach(BatchAnswer::orThrow);
        }
    }

    private final class Batches implements Workers.Step {
        private final SharedWorkLease lease;
        private final IntSupplier domains;

        Batches(SharedWorkLease lease, IntSupplier domains) {
            this.lease = lease;
            this.domains = domains;
        }

        @Override
        public int run() {
            List<Offer> offers = new ArrayList<>();
            for (int i = 0; i < batch; i++) {
                offers.add(next(domains));
            }
            List<Finish> finishes = new ArrayList<>();
            for (BatchAnswer<AcquireResult> answer : lease.tryAcquireAll(offers)) {
                Acquired acquired = (Acquired) answer.orThrow();
                finishes.add(new Finish(offers.get(finishes.size()).domainId(), acquired.token()));
            }
            lease.succeedAll(finishes).forEach(BatchAnswer::orThrow);
            return batch;
        }
    }

    /**
     * Enqueues and processes a line of offsets at a time. If several workers use the domain, the one with the lease
     * goes on until no offset waits, and the others wait until theirs have ended.
     */
    private final class NextTaken implements Workers.Step {
        private final SharedWorkLease lease;
        private final IntSupplier domains;
        private final int length;
        private @Nullable Offer offer;
        private @Nullable Acquired held;

        NextTaken(SharedWorkLease lease, IntSupplier domains, int length) {
            this.lease = lease;
            this.domains = domains;
            this.length = length;
        }

        @Override
        public int run() {
            if (offer == null || held == null) {
                putInLine(domains.getAsInt());
                return 0;
            }
            TakeNextResult result = lease.succeedAndTakeNext(offer.domainId(), held.token());
            open.remove(offer);
            held = (Acquired) result.next().orElse(null);
            if (result.succeeded() instanceof NextHint next) {
                offer = new Offer(offer.domainId(), next.offset());
            }
            return 1;
        }

        private void putInLine(int domain) {
            List<Offer> line = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                line.add(nextOf(domain));
            }
            Offer last = line.get(length - 1);
            open.add(last);
            AcquireResult first = length == 1
                    ? lease.tryAcquire(last.domainId(), last.offset())
                    : lease.tryAcquireAll(line).get(0).orThrow();
            if (first instanceof Acquired acquired) {
                offer = line.get(0);
                held = acquired;
                return;
            }
            while (open.contains(last)) {
                Pauses.untilNextTry();
            }
        }

        @Override
        public int end() {
            int cycles = 0;
            while (held != null) {
                cycles += run();
            }
            return cycles;
        }
    }

    /**
     * If several workers use the domain, the one with the lease processes the offsets that the others have enqueued.
     */
    private final class Trampoline implements Workers.Step {
        private final SharedWorkLease lease;
        private final IntSupplier domains;
        private @Nullable Offer mine;
        private @Nullable Offer head;

        Trampoline(SharedWorkLease lease, IntSupplier domains) {
            this.lease = lease;
            this.domains = domains;
        }

        @Override
        public int run() {
            Offer asked = head != null ? head : mine != null ? mine : next(domains);
            if (head == null) {
                mine = asked;
            }
            head = null;
            try {
                return ask(asked);
            } catch (BacklogOrderingException other) {
                head = new Offer(other.domainId(), other.expected());
                return 0;
            }
        }

        private int ask(Offer asked) {
            AcquireResult result = lease.tryAcquire(asked.domainId(), asked.offset());
            if (result instanceof Acquired acquired) {
                done(asked);
                if (lease.succeed(asked.domainId(), acquired.token()) instanceof NextHint next) {
                    head = new Offer(asked.domainId(), next.offset());
                }
                return 1;
            }
            if (result instanceof AlreadyProcessed) {
                done(asked);
            } else if (asked.equals(mine)) {
                Pauses.untilNextTry();
            }
            return 0;
        }

        private void done(Offer asked) {
            if (asked.equals(mine)) {
                mine = null;
            }
        }
    }
}
