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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Tidegate: each worker is an owner of its own, and its offsets are new. */
final class LeaseWay implements Way {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final List<? extends SharedWorkLease> owners;
    private final int batch;
    private final String prefix = "way" + NUMBER.incrementAndGet() + "-";
    private final AtomicLongArray lastOffsets = new AtomicLongArray(Throughput.DOMAINS);

    /**
     * @param owners one for each worker, or more
     * @param batch how many domains a worker asks for at once
     */
    LeaseWay(List<? extends SharedWorkLease> owners, int batch) {
        this.owners = owners;
        this.batch = batch;
    }

    @Override
    public String label() {
        return "Tidegate";
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public Running start(Load load) {
        return Workers.start(
                load,
                worker -> batch == 1
                        ? new OneByOne(owners.get(worker), load.domainsOf(worker))
                        : new Batches(owners.get(worker), load.domainsOf(worker)));
    }

    private Offer next(IntSupplier domains) {
        int domain = domains.getAsInt();
        return new Offer(domainId(domain), lastOffsets.incrementAndGet(domain));
    }

    String domainId(int domain) {
        return prefix + domain;
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

    /** If others work on the domain, too, whoever gets in goes on with what they have enqueued. */
    private final class OneByOne implements Workers.Step {
        private final SharedWorkLease lease;
        private final IntSupplier domains;
        private @Nullable Offer mine;
        private @Nullable Offer head;

        OneByOne(SharedWorkLease lease, IntSupplier domains) {
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
