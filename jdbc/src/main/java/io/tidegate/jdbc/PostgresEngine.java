package io.tidegate.jdbc;

import io.tidegate.jdbc.JdbcWorkLease.FailedWork;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, where the operations are functions of the schema: one statement each, and so one round trip. */
final class PostgresEngine implements Engine {
    private static final String ANSWER = "select code, token, fence, owner, number from ";
    private static final String PLACED_ANSWER = "select place, code, token, fence, owner, number from ";

    // One statement sees one state of the database.
    private static final String INSPECT = """
            select lease_offset, token, fence, owner, acquired_at, retry_count, processed_count,
                array(select work_offset from tidegate_backlog b where b.domain_id = d.id order by place) as backlog,
                (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count
            from tidegate_domain d where name = ?
            """;

    private static final String FAILED = """
            select work_offset, f.retry_count, floor(extract(epoch from failed_at) * 1000)::bigint as failed_at
            from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
            where d.name = ? order by work_offset limit ?
            """;

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public List<String> scripts() {
        return List.of("V1__work_lease.sql", "V2__cluster_bulkhead.sql");
    }

    @Override
    public Commit commit() {
        return Commit.AUTOMATICALLY;
    }

    @Override
    public void checkDurable(Connection connection) {
        // each function sees to it
    }

    @Override
    public Answer tryAcquire(Connection connection, Offer offer, String secret, Terms terms) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(ANSWER + "tidegate_try_acquire(?, ?, ?, ?, ?, ?)")) {
            call.setString(1, offer.domainId());
            call.setLong(2, offer.offset());
            call.setString(3, terms.owner());
            call.setString(4, secret);
            call.setLong(5, terms.leaseMillis());
            call.setInt(6, terms.maxRetries());
            return answer(call);
        }
    }

    @Override
    public List<Answer> tryAcquireAll(Connection connection, List<Offer> offers, List<String> secrets, Terms terms)
            throws SQLException {
        try (PreparedStatement call =
                connection.prepareStatement(PLACED_ANSWER + "tidegate_try_acquire_all(?, ?, ?, ?, ?, ?)")) {
            call.setArray(1, texts(connection, offers.stream().map(Offer::domainId)));
            call.setArray(
                    2,
                    connection.createArrayOf(
                            "bigint", offers.stream().map(Offer::offset).toArray(Long[]::new)));
            call.setString(3, terms.owner());
            call.setArray(4, texts(connection, secrets.stream()));
            call.setLong(5, terms.leaseMillis());
            call.setInt(6, terms.maxRetries());
            return answers(call, offers.size());
        }
    }

    @Override
    public Answer succeed(Connection connection, String domainId, String token) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(ANSWER + "tidegate_succeed(?, ?)")) {
            call.setString(1, domainId);
            call.setString(2, token);
            return answer(call);
        }
    }

    @Override
    public List<Answer> succeedAll(Connection connection, List<Finish> finishes) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(PLACED_ANSWER + "tidegate_succeed_all(?, ?)")) {
            call.setArray(1, texts(connection, finishes.stream().map(Finish::domainId)));
            call.setArray(2, texts(connection, finishes.stream().map(Finish::token)));
            return answers(call, finishes.size());
        }
    }

    @Override
    public Answer fail(Connection connection, String domainId, String token, @Nullable Integer failure, Terms terms)
            throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(ANSWER + "tidegate_fail(?, ?, ?, ?, ?)")) {
            call.setString(1, domainId);
            call.setString(2, token);
            call.setObject(3, failure, Types.INTEGER);
            call.setLong(4, terms.leaseMillis());
            call.setInt(5, terms.maxRetries());
            return answer(call);
        }
    }

    @Override
    public Answer renew(Connection connection, String domainId, String token, Terms terms) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(ANSWER + "tidegate_renew(?, ?, ?)")) {
            call.setString(1, domainId);
            call.setString(2, token);
            call.setLong(3, terms.leaseMillis());
            return answer(call);
        }
    }

    @Override
    public void forget(Connection connection, String domainId, long upToOffset) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("select tidegate_forget(?, ?)")) {
            call.setString(1, domainId);
            call.setLong(2, upToOffset);
            call.execute();
        }
    }

    @Override
    public boolean replay(Connection connection, String domainId, long offset) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("select tidegate_replay(?, ?)")) {
            call.setString(1, domainId);
            call.setLong(2, offset);
            try (ResultSet row = call.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    @Override
    public long deleteIdle(Connection connection, long idleMillis, int most) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("select tidegate_delete_idle(?, ?)")) {
            call.setLong(1, idleMillis);
            call.setInt(2, most);
            try (ResultSet row = call.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    @Override
    public long deleteFailed(Connection connection, long oldMillis, int most) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("select tidegate_delete_failed(?, ?)")) {
            call.setLong(1, oldMillis);
            call.setInt(2, most);
            try (ResultSet row = call.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    @Override
    public List<FailedWork> failed(Connection connection, String domainId, int most) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(FAILED)) {
            query.setString(1, domainId);
            query.setInt(2, most);
            return Engine.readFailed(query);
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(Connection connection, String domainId, String owner) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(INSPECT)) {
            query.setString(1, domainId);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(snapshot(row, domainId, owner)) : Optional.empty();
            }
        }
    }

    private static DomainSnapshot snapshot(ResultSet row, String domainId, String owner) throws SQLException {
        Long[] backlog = (Long[]) row.getArray("backlog").getArray();
        return new DomainSnapshot(
                domainId,
                Engine.readLease(row, owner),
                List.of(backlog),
                row.getLong("processed_count"),
                row.getLong("failed_count"));
    }

    private static Array texts(Connection connection, Stream<String> texts) throws SQLException {
        return connection.createArrayOf("text", texts.toArray(String[]::new));
    }

    private static Answer answer(PreparedStatement call) throws SQLException {
        try (ResultSet row = call.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("no answer (expected: a row)");
            }
            return Answer.read(row);
        }
    }

    private static List<Answer> answers(PreparedStatement call, int size) throws SQLException {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(size, Answer.of("MISSING")));
        try (ResultSet row = call.executeQuery()) {
            while (row.next()) {
                answers.set(row.getInt("place") - 1, Answer.read(row));
            }
        }
        return answers;
    }
}
