package io.tidegate.redis;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A careless owner: asks for offsets of others, finishes late or never, replays and forgets. If {@code repeats} is set,
 * it also repeats its calls.
 */
final class CarelessOwner {
    private static final int DOMAINS = 2;

    private record Held(String domainId, String token) {}

    private final WorkLease lease;
    private final Random random;
    private final boolean repeats;
    private final Runnable afterSilence;
    private final Deque<Held> held = new ArrayDeque<>();
    private final Map<String, Long> heads = new HashMap<>();
    private int highest = 5;

    /**
     * @param afterSilence run after a call without an answer, to wait: further unanswered calls would show nothing,
     *     because they could have happened in any order
     */
    CarelessOwner(WorkLease lease, long seed, boolean repeats, Runnable afterSilence) {
        this.afterSilence = afterSilence;
        this.lease = lease;
        this.random = new Random(seed);
        this.repeats = repeats;
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            try {
                step("domain" + random.nextInt(DOMAINS));
            } catch (TokenMismatchException | LeaseNotFoundException late) {
                held.pollFirst();
            } catch (RedisUnavailableException unanswered) {
                held.clear(); // the calls may have happened or not, which the history records
                afterSilence.run();
            }
        }
    }

    private void step(String domainId) {
        int die = random.nextInt(100);
        if (die < 50 || held.isEmpty()) {
            ask(domainId, random.nextInt(highest++ / 2 + 3));
        } else if (die < 75) {
            Held one = held.removeFirst();
            lease.succeed(one.domainId(), one.token());
        } else if (die < 90) {
            fail(held.getFirst());
        } else if (die < 96) {
            lease.replay(domainId, random.nextInt(highest));
        } else if (die < 97) {
            lease.forget(domainId, random.nextInt(highest) - 20);
        } else {
            lease.inspect(domainId);
        }
    }

    private void fail(Held one) {
        FailResult answer = lease.fail(one.domainId(), one.token());
        if (!repeats && !(answer instanceof FailResult.RetryScheduled)) {
            held.removeFirst();
        }
    }

    private void ask(String domainId, long offset) {
        Long head = heads.remove(domainId);
        try {
            keep(domainId, lease.tryAcquire(domainId, head == null ? offset : head));
        } catch (BacklogOrderingException refused) {
            heads.put(domainId, refused.expected());
        }
    }

    private void keep(String domainId, AcquireResult answer) {
        if (answer instanceof AcquireResult.Acquired acquired) {
            held.addLast(new Held(domainId, acquired.token()));
        } else if (repeats && answer instanceof AcquireResult.AlreadyAcquired already) {
            held.addLast(new Held(domainId, already.token()));
        }
    }
}
