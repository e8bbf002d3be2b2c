package io.tidegate.processes;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.testkit.LeaseHistory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A second set of leases beside those of the run, whose domains are deleted all the time while others use them. There,
 * work may be done again when its domain was deleted; all other promises must hold.
 */
final class SideLeases {
    static final String NAME = "side";

    private static final List<String> DOMAINS = List.of("side0", "side1");
    private static final int OFFSETS = 4;
    private static final int PAGE = 10;
    private static final int LOOK_MILLIS = 20;

    private final Order order;
    private final Client client;
    private final LeaseHistory history;
    private final Random random;

    /** Records each call and each answer, except deletions. */
    SideLeases(Order order, Client client, Consumer<String> lines, Random random) {
        this.order = order;
        this.client = client;
        this.history = new LeaseHistory(order.owner(), System::nanoTime, lines);
        this.random = random;
    }

    private SharedWorkLease lease() {
        return history.recording(client.sideLeases());
    }

    /** Does one random step; the step may fail. */
    @SuppressWarnings("EmptyCatch") // a lease may be lost at any time
    void step() {
        try {
            switch (random.nextInt(8)) {
                case 0 -> lease().deleteIdle(Duration.ZERO);
                case 1 -> lease().deleteFailed(Duration.ZERO);
                case 2 -> lease().forgetAll(random.nextInt(OFFSETS));
                default -> work(DOMAINS.get(random.nextInt(DOMAINS.size())), random.nextInt(OFFSETS));
            }
        } catch (TokenMismatchException | LeaseNotFoundException overtaken) {
            // the lease was lost
        } catch (RuntimeException thrown) {
            if (!order.engine().isAway(thrown)) {
                throw thrown;
            }
            client.noteAway();
        }
    }

    private void work(String domainId, long offset) {
        AcquireResult answer = ask(domainId, offset);
        String token = token(answer);
        if (token != null) {
            switch (random.nextInt(6)) {
                case 0 -> {} // another owner takes it over
                case 1 -> lease().release(domainId, token);
                case 2 -> lease().fail(domainId, token);
                default -> lease().succeed(domainId, token);
            }
        } else if (answer instanceof AcquireResult.AlreadyFailed && random.nextBoolean()) {
            lease().replay(domainId, offset);
        }
    }

    /** Asks for the offset, or for the one whose turn it is. */
    private AcquireResult ask(String domainId, long offset) {
        try {
            return lease().tryAcquire(domainId, offset);
        } catch (BacklogOrderingException disorder) {
            return lease().tryAcquire(domainId, disorder.expected());
        }
    }

    private static String token(AcquireResult answer) {
        if (answer instanceof AcquireResult.Acquired acquired) {
            return acquired.token();
        }
        return answer instanceof AcquireResult.AlreadyAcquired already ? already.token() : null;
    }

    /**
     * When no other owner is left: does the remaining work, and deletes everything.
     *
     * @return what is wrong then
     */
    Optional<String> end(long patienceMillis) throws InterruptedException {
        long start = System.nanoTime();
        do {
            DOMAINS.forEach(this::workOff);
            lease().deleteFailed(Duration.ZERO);
            lease().deleteIdle(Duration.ZERO);
            if (lease().domains(PAGE, "").isEmpty()) {
                DOMAINS.forEach(domainId -> lease().tryAcquire(domainId, 0)); // so that its fence can be compared
                return Optional.empty();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // a lease whose owner has gone ends by itself
        } while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(patienceMillis));
        return Optional.of("something cannot be deleted: " + lease().domains(PAGE, ""));
    }

    private void workOff(String domainId) {
        for (Optional<Long> next = next(domainId); next.isPresent(); next = next(domainId)) {
            AcquireResult answer = lease().tryAcquire(domainId, next.get());
            if (answer instanceof AcquireResult.Acquired acquired) {
                lease().succeed(domainId, acquired.token());
            } else if (answer instanceof AcquireResult.HeldElsewhere) {
                return;
            }
        }
    }

    private Optional<Long> next(String domainId) {
        return lease().inspect(domainId).flatMap(SideLeases::next);
    }

    private static Optional<Long> next(DomainSnapshot domain) {
        return domain.lease()
                .map(held -> held.currentOffset())
                .or(() -> domain.backlog().stream().findFirst());
    }
}
