package io.tidegate.jdbc;

import io.tidegate.jdbc.JdbcWorkLease.FailedWork;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How a database does the operations: each within a transaction, which the caller ends. Stateless. */
interface Engine {
    /** How an operation's transaction is committed. */
    enum Commit {
        /** It is one statement, on a connection that commits after each. */
        AUTOMATICALLY,
        /** It is one statement that begins and commits, whatever the connection does. */
        BY_ITSELF,
        /** It is several statements, and then a commit. */
        AFTERWARDS
    }

    /** The folder of its scripts. */
    String name();

    /** Its scripts, in the order of their versions, from 1. */
    default List<String> scripts() {
        return List.of("V1__work_lease.sql");
    }

    /** What a script consists of, where that cannot be sent as a whole. */
    default List<String> statements(String script) {
        return List.of(script);
    }

    Commit commit();

    /**
     * Sees whether what is acknowledged is durable.
     *
     * @throws JdbcLeaseException when it is not
     */
    void checkDurable(Connection connection) throws SQLException;

    /** The secret makes the token, if there is to be one, hard to guess. */
    Answer tryAcquire(Connection connection, Offer offer, String secret, Terms terms) throws SQLException;

    /** The answers in the order of the offers, each of which has a secret. */
    List<Answer> tryAcquireAll(Connection connection, List<Offer> offers, List<String> secrets, Terms terms)
            throws SQLException;

    Answer succeed(Connection connection, String domainId, String token) throws SQLException;

    /** As a part of a transaction that is not ours. */
    default Answer succeedWithCaller(Connection connection, String domainId, String token) throws SQLException {
        return succeed(connection, domainId, token);
    }

    /** The answers in the order of the finishes. */
    List<Answer> succeedAll(Connection connection, List<Finish> finishes) throws SQLException;

    /** The failure's number is which one with this token it is, from 1, or null for the next one. */
    Answer fail(Connection connection, String domainId, String token, @Nullable Integer failure, Terms terms)
            throws SQLException;

    Answer renew(Connection connection, String domainId, String token, Terms terms) throws SQLException;

    void forget(Connection connection, String domainId, long upToOffset) throws SQLException;

    boolean replay(Connection connection, String domainId, long offset) throws SQLException;

    /** How many domains it has deleted; at most so many. */
    long deleteIdle(Connection connection, long idleMillis, int most) throws SQLException;

    /** How many failures it has forgotten; at most so many. */
    long deleteFailed(Connection connection, long oldMillis, int most) throws SQLException;

    List<FailedWork> failed(Connection connection, String domainId, int most) throws SQLException;

    /** With the token of its lease if this is the owner. */
    Optional<DomainSnapshot> inspect(Connection connection, String domainId, String owner) throws SQLException;

    /** All transactions lock their domains in this order, so they do not wait for each other in a circle. */
    static <T> List<Integer> placesByDomain(List<T> asked, Function<T, String> domainOf) {
        return IntStream.range(0, asked.size())
                .boxed()
                .sorted(Comparator.comparing((Integer place) -> domainOf.apply(asked.get(place))))
                .toList();
    }

    /** The columns of a lease, its token only for its owner. */
    static Optional<LeaseRecord> readLease(ResultSet row, String owner) throws SQLException {
        String token = row.getString("token");
        if (token == null) {
            return Optional.empty();
        }
        return Optional.of(new LeaseRecord(
                row.getLong("lease_offset"),
                owner.equals(row.getString("owner")) ? token : "",
                row.getLong("fence"),
                row.getLong("acquired_at"),
                row.getInt("retry_count")));
    }

    static List<FailedWork> readFailed(PreparedStatement query) throws SQLException {
        List<FailedWork> failed = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                failed.add(new FailedWork(
                        row.getLong("work_offset"), row.getInt("retry_count"), row.getLong("failed_at")));
            }
        }
        return failed;
    }
}
