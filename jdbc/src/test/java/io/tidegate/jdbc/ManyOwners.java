package io.tidegate.jdbc;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.LeaseBreach;
import io.tidegate.testkit.LeaseHistory;
import io.tidegate.testkit.LeaseRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * Owners whose leases run out at once and which often just stop, all at work on the same domains; and the history of
 * their calls.
 */
final class ManyOwners {
    private static final int OWNERS = 4;
    private static final int STEPS = 150;
    private static final int ASKS_FOR_AN_OFFSET = 10;
    private static final int MAX_RETRIES = 2;

    private final LeaseHistory history = new LeaseHistory();
    private final Queue<JdbcLeaseException> failures = new ConcurrentLinkedQueue<>();

    private ManyOwners() {}

    static ManyOwners run(DataSource dataSource, long seed) throws Exception {
        ManyOwners owners = new ManyOwners();
        ExecutorService threads = Executors.newFixedThreadPool(OWNERS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int owner = 0; owner < OWNERS; owner++) {
                Random random = new Random(seed * OWNERS + owner);
                WorkLease lease = owners.history.recording(JdbcWorkLease.builder(dataSource, "orders", MAX_RETRIES)
                        .leaseDuration(Duration.ofMillis(1))
                        .build());
                ends.add(threads.submit(() -> owners.work(lease, random)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdown();
        }
        return owners;
    }

    /** Returns the first answer that no order of the calls explains. */
    Optional<LeaseBreach> breach() {
        return history.check(LeaseRules.ENGINE);
    }

    Queue<JdbcLeaseException> failures() {
        return failures;
    }

    private void work(WorkLease lease, Random random) {
        for (int step = 0; step < STEPS; step++) {
            String domainId = random.nextBoolean() ? "A" : "B";
            try {
                AcquireResult answer = ask(lease, domainId, step / ASKS_FOR_AN_OFFSET);
                if (answer instanceof AcquireResult.Enqueued) {
                    answer = askForLeased(lease, domainId);
                }
                if (answer instanceof AcquireResult.Acquired acquired) {
                    end(lease, domainId, acquired.token(), random.nextInt(4));
                }
            } catch (JdbcLeaseException failed) {
                failures.add(failed);
            }
        }
    }

    private static AcquireResult ask(WorkLease lease, String domainId, long offset) {
        try {
            return lease.tryAcquire(domainId, offset);
        } catch (BacklogOrderingException behind) {
            return askForHead(lease, domainId, behind.expected());
        }
    }

    private static AcquireResult askForHead(WorkLease lease, String domainId, long head) {
        try {
            return lease.tryAcquire(domainId, head);
        } catch (BacklogOrderingException overtaken) {
            return new AcquireResult.AlreadyProcessed();
        }
    }

    private static AcquireResult askForLeased(WorkLease lease, String domainId) {
        Optional<Long> leased =
                lease.inspect(domainId).flatMap(DomainSnapshot::lease).map(LeaseRecord::currentOffset);
        return leased.isPresent() ? ask(lease, domainId, leased.get()) : new AcquireResult.AlreadyProcessed();
    }

    /** Ends the lease: one of four owners just stops, and one fails. */
    @SuppressWarnings("EmptyCatch") // a slow owner is often overtaken
    private static void end(WorkLease lease, String domainId, String token, int fate) {
        try {
            if (fate == 1) {
                lease.fail(domainId, token);
            } else if (fate > 1) {
                lease.succeed(domainId, token);
                lease.succeed(domainId, token);
            }
        } catch (TokenMismatchException | LeaseNotFoundException takenOver) {
            // the lease was lost, and nothing has changed
        }
    }
}
