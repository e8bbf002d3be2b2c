package io.tidegate.testkit;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * One of several careless workers: offers the same offsets as the others, finishes with tokens of theirs, replays and
 * forgets.
 */
final class CarelessWorker {
    private record Held(String domainId, String token) {}

    private final WorkLease lease;
    private final List<String> domains;
    private final Random random;
    private final Deque<Held> held = new ArrayDeque<>();
    private int next;

    private CarelessWorker(WorkLease lease, List<String> domains, long seed) {
        this.lease = lease;
        this.domains = domains;
        this.random = new Random(seed);
    }

    static void run(WorkLease lease, List<String> domains, long seed, int steps) {
        CarelessWorker load = new CarelessWorker(lease, domains, seed);
        for (int i = 0; i < steps; i++) {
            load.step();
        }
    }

    private void step() {
        String domainId = domains.get(random.nextInt(domains.size()));
        try {
            int die = random.nextInt(100);
            if (die < 50 || held.isEmpty()) {
                ask(domainId, random.nextInt(3) > 0 ? next++ : random.nextInt(next + 3));
            } else if (die < 75) {
                Held one = held.removeFirst();
                lease.succeed(one.domainId(), one.token());
            } else if (die < 90) {
                lease.fail(held.getFirst().domainId(), held.getFirst().token());
            } else if (die < 96) {
                lease.replay(domainId, random.nextInt(next + 1));
            } else if (die < 97) {
                lease.forget(domainId, random.nextInt(next + 1) - 20);
            } else {
                lease.inspect(domainId);
            }
        } catch (TokenMismatchException | LeaseNotFoundException late) {
            held.pollFirst();
        }
    }

    private void ask(String domainId, long offset) {
        AcquireResult answer;
        try {
            answer = lease.tryAcquire(domainId, offset);
        } catch (BacklogOrderingException refused) {
            try {
                answer = lease.tryAcquire(domainId, refused.expected());
            } catch (BacklogOrderingException overtaken) {
                return; // another worker was quicker
            }
        }
        if (answer instanceof AcquireResult.Acquired acquired) {
            held.addLast(new Held(domainId, acquired.token()));
        } else if (answer instanceof AcquireResult.AlreadyAcquired already) {
            held.addLast(new Held(domainId, already.token()));
        }
    }
}
