package io.tidegate.lease;

import io.tidegate.race.Race;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two operations that meet on a domain; each round has a domain of its own. */
@SuppressWarnings("ImmutableEnumChecker") // functions without a state, and sets that are never changed
enum LeaseRace {
    /** Two threads finish: one of them ends the lease. */
    SUCCEED_AGAINST_SUCCEED(
            Start.LEASED,
            round -> round.succeed(),
            round -> round.succeed(),
            Set.of("NO_BACKLOG | no lease | idle [] 1 0", "no lease | NO_BACKLOG | idle [] 1 0")),

    /** Two failures: one of them is the retry, the other the end. */
    FAIL_AGAINST_FAIL(
            Start.LEASED,
            round -> round.fail(),
            round -> round.fail(),
            Set.of(
                    "RETRY_SCHEDULED | GIVE_UP_NO_BACKLOG | idle [] 0 1",
                    "GIVE_UP_NO_BACKLOG | RETRY_SCHEDULED | idle [] 0 1")),

    /** A newcomer is enqueued, or acquires. */
    ACQUIRE_AGAINST_SUCCEED(
            Start.LEASED,
            round -> round.acquire(2),
            round -> round.succeed(),
            Set.of("ENQUEUED | NEXT_HINT | idle [2] 1 0", "ACQUIRED | NO_BACKLOG | leased 2 [] 1 0")),

    /** One creates the domain and acquires; the other waits. */
    ACQUIRE_AGAINST_ACQUIRE(
            Start.NEW,
            round -> round.acquire(1),
            round -> round.acquire(2),
            Set.of("ACQUIRED | ENQUEUED | leased 1 [2] 0 0", "ENQUEUED | ACQUIRED | leased 2 [1] 0 0")),

    /** One acquires; the other is shown the same lease. */
    ACQUIRE_AGAINST_SAME(
            Start.NEW,
            round -> round.acquire(1),
            round -> round.acquire(1),
            Set.of("ACQUIRED | ALREADY_ACQUIRED | leased 1 [] 0 0", "ALREADY_ACQUIRED | ACQUIRED | leased 1 [] 0 0")),

    /** One replay brings the offset back. */
    REPLAY_AGAINST_REPLAY(
            Start.FAILED,
            round -> round.replay(),
            round -> round.replay(),
            Set.of("true | false | idle [1] 0 0", "false | true | idle [1] 0 0")),

    /** The offset is done, whichever thread comes first. */
    SUCCEED_AGAINST_FORGET(
            Start.LEASED,
            round -> round.succeed(),
            round -> round.forget(),
            Set.of("NO_BACKLOG | forgotten | idle [] 1 0"));

    private enum Start {
        NEW,
        LEASED,
        FAILED
    }

    private final Start start;
    private final Function<Round, String> one;
    private final Function<Round, String> other;
    private final Set<String> right;

    LeaseRace(Start start, Function<Round, String> one, Function<Round, String> other, Set<String> right) {
        this.start = start;
        this.one = one;
        this.other = other;
        this.right = right;
    }

    /** Returns what went wrong, or null. */
    @Nullable
    String run(WorkLease lease, long rounds, Duration limit) {
        AtomicLong number = new AtomicLong();
        return Race.run(rounds, limit, () -> new Round(lease, "round " + number.getAndIncrement()));
    }

    /** Returns leases with one retry for each offset. */
    private final class Round implements Race.Round {
        private final WorkLease lease;
        private final String domainId;
        private final String token;
        private String first = "";
        private volatile String second = "";

        Round(WorkLease lease, String domainId) {
            this.lease = lease;
            this.domainId = domainId;
            this.token = start == Start.NEW ? "" : ((AcquireResult.Acquired) lease.tryAcquire(domainId, 1)).token();
            if (start == Start.FAILED) {
                lease.fail(domainId, token);
                lease.fail(domainId, token);
            }
        }

        @Override
        public void first() {
            first = one.apply(this);
        }

        @Override
        public void second() {
            second = other.apply(this);
        }

        String acquire(long offset) {
            return lease.tryAcquire(domainId, offset).code();
        }

        String succeed() {
            try {
                return lease.succeed(domainId, token).code();
            } catch (LeaseNotFoundException late) {
                return "no lease";
            }
        }

        String fail() {
            try {
                return lease.fail(domainId, token).code();
            } catch (LeaseNotFoundException late) {
                return "no lease";
            }
        }

        String replay() {
            return "" + lease.replay(domainId, 1);
        }

        String forget() {
            lease.forget(domainId, 5);
            return "forgotten";
        }

        @Override
        public @Nullable String verdict() {
            Optional<DomainSnapshot> seen = lease.inspect(domainId);
            String state =
                    seen.flatMap(DomainSnapshot::lease)
                                    .map(record -> "leased " + record.currentOffset())
                                    .orElse("idle") + " "
                            + seen.map(DomainSnapshot::backlog).orElse(List.of()) + " "
                            + seen.map(DomainSnapshot::processedCount).orElse(0L) + " "
                            + seen.map(DomainSnapshot::failedCount).orElse(0L);
            String outcome = first + " | " + second + " | " + state;
            return right.contains(outcome) ? null : outcome;
        }
    }
}
