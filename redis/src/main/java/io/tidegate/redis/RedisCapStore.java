package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.cluster.CapStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Caps that the processes of a cluster share through a Redis or Valkey server, for {@link
 * io.tidegate.cluster.ClusterBulkhead}.
 *
 * <p>Each operation is one script on the server and one round trip. When the server cannot be reached, or refuses,
 * {@link RedisUnavailableException} is thrown. Thread-safe. Give the connection a timeout well below the lease.
 *
 * <p>In a failover to a replica the last answered claims can be lost. Until the lost leases end, more than the cap may
 * then be in flight.
 */
public final class RedisCapStore implements CapStore {
    private static final Script CLAIM = Script.read("cap", "claim");
    private static final Script LEAVE = Script.read("cap", "leave");
    private static final Script SET_CAP = Script.read("cap", "set-cap");
    private static final Script DELETE = Script.read("cap", "delete-cap");
    private static final Script DIVISION = Script.read("cap", "division");
    private static final int WORDS_PER_MEMBER = 5;

    private final ScriptCalls calls;

    private RedisCapStore(ScriptCalls calls) {
        this.calls = calls;
    }

    /**
     * Returns caps on one server, or on the primary of several. Does not call it yet.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation
     *     waits for its answer. Do not use it for transactions, and do not switch its automatic flushing off
     */
    public static RedisCapStore of(StatefulRedisConnection<String, String> connection) {
        requireNonNull(connection, "connection");
        return new RedisCapStore(ScriptCalls.over(connection));
    }

    /**
     * Returns caps on a cluster of servers. Does not call it yet. All keys of a cap are in one slot.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation
     *     waits for its answer. Do not switch its automatic flushing off
     */
    public static RedisCapStore of(StatefulRedisClusterConnection<String, String> connection) {
        requireNonNull(connection, "connection");
        return new RedisCapStore(ScriptCalls.over(connection));
    }

    @Override
    public Share claim(Claim claim) {
        List<String> answer = call(
                CLAIM,
                claim.bulkhead(),
                owner(claim.owner()),
                Long.toString(claim.number()),
                Integer.toString(claim.firstCap()),
                Integer.toString(claim.slice()),
                Integer.toString(claim.inUse()),
                Integer.toString(claim.need()),
                Boolean.toString(claim.exact()),
                Long.toString(claim.leaseMillis()));
        return new Share(number(answer, 0), number(answer, 1), number(answer, 2), Long.parseLong(answer.get(3)));
    }

    @Override
    public void leave(String bulkhead, String owner) {
        call(LEAVE, bulkhead, owner(owner));
    }

    @Override
    public void setCap(String bulkhead, int cap) {
        if (cap < 1) {
            throw new IllegalArgumentException("cap: " + cap + " (expected: >= 1)");
        }
        call(SET_CAP, bulkhead, Integer.toString(cap));
    }

    @Override
    public boolean delete(String bulkhead) {
        return call(DELETE, bulkhead).get(0).equals("deleted");
    }

    @Override
    public Optional<Division> inspect(String bulkhead) {
        List<String> answer = call(DIVISION, bulkhead);
        if (answer.get(0).isEmpty()) {
            return Optional.empty();
        }
        List<Member> members = new ArrayList<>();
        for (int i = 1; i < answer.size(); i += WORDS_PER_MEMBER) {
            members.add(new Member(
                    answer.get(i),
                    number(answer, i + 1),
                    number(answer, i + 2),
                    number(answer, i + 3),
                    Long.parseLong(answer.get(i + 4))));
        }
        return Optional.of(new Division(number(answer, 0), members));
    }

    private List<String> call(Script script, String bulkhead, String... arguments) {
        if (requireNonNull(bulkhead, "bulkhead").isEmpty()) {
            throw new IllegalArgumentException("bulkhead: \"\" (expected: not empty)");
        }
        String start = RedisWorkLease.DEFAULT_PREFIX + ":{" + DomainKeys.escaped(bulkhead) + "}:";
        List<String> keys = List.of(start + "cap", start + "slices", start + "sums");
        return calls.call(new ScriptCall(script, "bulkhead " + bulkhead, keys, List.of(arguments)));
    }

    /* Encodes the name, because a word of an answer must not contain blanks. */
    private static String owner(String owner) {
        if (!requireNonNull(owner, "owner").matches("[!-~]+")) {
            throw new IllegalArgumentException(
                    "owner: " + owner + " (expected: printable ASCII without spaces, not empty)");
        }
        return owner;
    }

    private static int number(List<String> answer, int index) {
        return Integer.parseInt(answer.get(index));
    }
}
