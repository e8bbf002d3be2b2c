package io.tidegate.jdbc;

import io.tidegate.jdbc.Schema.Component;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, where the operations are functions of the schema: each operation is one statement, and so one round trip.
 */
final class PostgresEngine implements Engine {
    private static final String ANSWER = "select code, token, fence, owner, number from ";
    private static final String PLACED_ANSWER = "select place, code, token, fence, owner, number from ";

    // One statement sees one state of the database, so the row and its backlog agree.
    private static final String INSPECT = """
            select lease_offset, fence || '.' || secret as token, fence, owner, acquired_at, retry_count,
                processed_count,
                array(select work_offset from tidegate_backlog b where b.domain_id = d.id and place > d.taken_place
                    order by place limit ?) as backlog,
                (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count
            from tidegate_domain d where lease = ? and name = ?
            """;

    /*
     * Uses the index of the times at which domains may need an owner, in its order. If a domain needs none now, its
     * time is corrected: to the end of the lease, or to null. Such a row is locked and then read again. A row that
     * another transaction has locked stays as it is.
     */
    static final String PENDING = """
            with clock as materialized (select tidegate_now() as now),
            cared_for as (
                update tidegate_domain set look_at = lease_until where id = any (array(
                    select id from tidegate_domain
                    where lease = ? and name > ? and look_at <= (select now from clock)
                        and case when secret is null then lease_offset is null and waiting = 0
                            else lease_until > (select now from clock) end
                    order by name limit ? for update skip locked)))
            select name from tidegate_domain
            where lease = ? and name > ? and look_at <= (select now from clock)
                and case
                    when secret is null then lease_offset is not null or waiting > 0
                    else lease_until <= (select now from clock)
                end
            order by name limit ?
            """;

    private static final String SUMMARIES = """
            select name, lease_offset, fence, owner, acquired_at, lease_until, retry_count, waiting, processed_count,
                (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count
            from tidegate_domain d where lease = ?
            """;

    static final String DOMAINS = SUMMARIES + "and name > ? order by name limit ?";

    private static final String SUMMARY = SUMMARIES + "and name = ?";

    private static final String TOKEN =
            "select fence || '.' || secret from tidegate_domain where lease = ? and name = ? and fence = ?";

    private static final String REMEMBERING = """
            select name from tidegate_domain
            where lease = ? and name > ? and (forgotten is null or forgotten < ?) order by name limit ?
            """;

    private static final String FAILED = """
            select work_offset, f.retry_count, f.reason,
                floor(extract(epoch from failed_at) * 1000)::bigint as failed_at
            from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
            where d.lease = ? and d.name = ? order by work_offset limit ?
            """;

    private static final String BACKLOG_BEHIND = """
            select b.work_offset
            from tidegate_domain d
                left join tidegate_backlog f on f.domain_id = d.id and f.work_offset = ?
                join tidegate_backlog b on b.domain_id = d.id
                    and b.place > coalesce(
                        f.place, case when d.secret is null and d.lease_offset = ? then d.taken_place end)
            where d.lease = ? and d.name = ? order by b.place limit ?
            """;

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public List<String> scripts(Component component, int version) {
        if (version >= component.version()) {
            return List.of();
        }
        if (component.equals(Schema.CLUSTER)) {
            return switch (version) {
                case 0 -> List.of("cluster_V5.sql", "cluster_functions.sql");
                case 2 -> List.of("cluster_V2_to_V3.sql", "cluster_V3_to_V4.sql", "cluster_functions.sql");
                case 3 -> List.of("cluster_V3_to_V4.sql", "cluster_functions.sql");
                default -> List.of("cluster_V4_to_V5.sql", "cluster_functions.sql");
            };
        }
        return List.of(component.script(version), "lease_functions.sql");
    }

    /* Each script is a transaction: of several concurrent runs, all but one fail and undo their changes. */
    @Override
    public void beginUpgrade(Connection connection, @Nullable String lease) throws SQLException {
        try (PreparedStatement set = prepare(connection, "select set_config('tidegate.name', ?, true)", lease)) {
            set.execute();
        }
    }

    @Override
    public Commit commit() {
        return Commit.AUTOMATICALLY;
    }

    @Override
    public void checkDurable(Connection connection) {
        // each function makes its transaction durable
    }

    @Override
    public Answer tryAcquire(Connection connection, LeaseTerms terms, Offer offer, String secret) throws SQLException {
        return answer(
                connection,
                "tidegate_try_acquire(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                terms.lease(),
                offer.domainId(),
                offer.offset(),
                terms.owner(),
                secret,
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.maxBacklog(),
                bound(terms));
    }

    @Override
    public List<Answer> tryAcquireAll(Connection connection, LeaseTerms terms, List<Offer> offers, List<String> secrets)
            throws SQLException {
        return answers(
                connection,
                offers.size(),
                "tidegate_try_acquire_all(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                terms.lease(),
                offers.stream().map(Offer::domainId).toArray(String[]::new),
                offers.stream().map(Offer::offset).toArray(Long[]::new),
                terms.owner(),
                secrets.toArray(String[]::new),
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.maxBacklog(),
                bound(terms));
    }

    @Override
    public Answer succeed(Connection connection, LeaseTerms terms, Finish finish) throws SQLException {
        return answer(
                connection,
                "tidegate_succeed(?, ?, ?, ?)",
                terms.lease(),
                finish.domainId(),
                finish.token(),
                bound(terms));
    }

    @Override
    public List<Answer> succeedAll(Connection connection, LeaseTerms terms, List<Finish> finishes) throws SQLException {
        return answers(
                connection,
                finishes.size(),
                "tidegate_succeed_all(?, ?, ?, ?)",
                terms.lease(),
                domains(finishes),
                tokens(finishes),
                bound(terms));
    }

    @Override
    public List<Answer> succeedAndTakeNext(Connection connection, LeaseTerms terms, Finish finish, String secret)
            throws SQLException {
        return answers(
                connection,
                2,
                "tidegate_succeed_and_take_next(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                terms.lease(),
                finish.domainId(),
                finish.token(),
                terms.owner(),
                secret,
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.maxBacklog(),
                bound(terms));
    }

    @Override
    public Answer fail(Connection connection, LeaseTerms terms, Finish finish, Failure failure) throws SQLException {
        return answer(
                connection,
                "tidegate_fail(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                terms.lease(),
                finish.domainId(),
                finish.token(),
                failure.number(),
                failure.permanent(),
                failure.reason(),
                terms.leaseMillis(),
                terms.maxRetries(),
                bound(terms));
    }

    @Override
    public Answer renew(Connection connection, LeaseTerms terms, Finish lease) throws SQLException {
        return answer(
                connection,
                "tidegate_renew(?, ?, ?, ?, ?)",
                terms.lease(),
                lease.domainId(),
                lease.token(),
                terms.leaseMillis(),
                bound(terms));
    }

    @Override
    public List<Answer> renewAll(Connection connection, LeaseTerms terms, List<Finish> leases) throws SQLException {
        return answers(
                connection,
                leases.size(),
                "tidegate_renew_all(?, ?, ?, ?)",
                terms.lease(),
                domains(leases),
                tokens(leases),
                terms.leaseMillis());
    }

    @Override
    public Answer release(Connection connection, LeaseTerms terms, Finish lease) throws SQLException {
        return answer(
                connection,
                "tidegate_release(?, ?, ?, ?)",
                terms.lease(),
                lease.domainId(),
                lease.token(),
                bound(terms));
    }

    @Override
    public boolean forget(
            Connection connection, LeaseTerms terms, String domainId, long upToOffset, int most, boolean oneOfAll)
            throws SQLException {
        return isTrue(
                connection,
                "select tidegate_forget(?, ?, ?, ?, ?, ?)",
                terms.lease(),
                domainId,
                upToOffset,
                most,
                oneOfAll,
                bound(terms));
    }

    @Override
    public long count(Connection connection, LeaseTerms terms) throws SQLException {
        return number(connection, "select count(*) from tidegate_domain where lease = ?", terms.lease());
    }

    @Override
    public List<String> remembering(
            Connection connection, LeaseTerms terms, long upToOffset, int most, String afterDomain)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, REMEMBERING, terms.lease(), afterDomain, upToOffset, most)) {
            return Engine.readAll(query, row -> row.getString("name"));
        }
    }

    @Override
    public boolean replay(Connection connection, LeaseTerms terms, String domainId, long offset) throws SQLException {
        return isTrue(connection, "select tidegate_replay(?, ?, ?, ?)", terms.lease(), domainId, offset, bound(terms));
    }

    private static boolean isTrue(Connection connection, String call, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, call, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public long deleteIdle(Connection connection, LeaseTerms terms, long idleMillis, int most) throws SQLException {
        return number(connection, "select tidegate_delete_idle(?, ?, ?)", terms.lease(), idleMillis, most);
    }

    @Override
    public long deleteFailed(Connection connection, LeaseTerms terms, long oldMillis, int most) throws SQLException {
        return number(connection, "select tidegate_delete_failed(?, ?, ?)", terms.lease(), oldMillis, most);
    }

    private static long number(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, query, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    @Override
    public List<String> pending(Connection connection, LeaseTerms terms, int most, String afterDomain)
            throws SQLException {
        String lease = terms.lease();
        try (PreparedStatement query =
                prepare(connection, PENDING, lease, afterDomain, MOST_CORRECTIONS, lease, afterDomain, most)) {
            return Engine.readAll(query, row -> row.getString("name"));
        }
    }

    @Override
    public List<DomainSummary> domains(Connection connection, LeaseTerms terms, int most, String afterDomain)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, DOMAINS, terms.lease(), afterDomain, most)) {
            return readSummaries(query);
        }
    }

    @Override
    public Optional<DomainSummary> summary(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, SUMMARY, terms.lease(), domainId)) {
            return readSummaries(query).stream().findFirst();
        }
    }

    private static List<DomainSummary> readSummaries(PreparedStatement query) throws SQLException {
        return Engine.readAll(query, row -> Engine.readSummary(row, row.getString("name"), row.getString("owner")));
    }

    @Override
    public Optional<String> token(Connection connection, LeaseTerms terms, String domainId, long fence)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, TOKEN, terms.lease(), domainId, fence)) {
            return Engine.readAll(query, row -> row.getString(1)).stream().findFirst();
        }
    }

    @Override
    public List<FailedWork> failedWork(Connection connection, LeaseTerms terms, String domainId, int most)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, FAILED, terms.lease(), domainId, most)) {
            return Engine.readFailed(query);
        }
    }

    @Override
    public List<Long> backlogBehind(Connection connection, LeaseTerms terms, String domainId, long offset, int most)
            throws SQLException {
        try (PreparedStatement query =
                prepare(connection, BACKLOG_BEHIND, offset, offset, terms.lease(), domainId, most)) {
            return Engine.readAll(query, row -> row.getLong("work_offset"));
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        try (PreparedStatement query =
                        prepare(connection, INSPECT, DomainSnapshot.MOST_BACKLOG, terms.lease(), domainId);
                ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            Long[] waiting = (Long[]) row.getArray("backlog").getArray();
            return Optional.of(Engine.readSnapshot(row, domainId, terms.owner(), List.of(waiting)));
        }
    }

    /** Returns the lock time-out in the form that the functions take. */
    private static @Nullable String bound(LeaseTerms terms) {
        return terms.joined() ? null : Long.toString(terms.waitMillis());
    }

    private static String[] domains(List<Finish> finishes) {
        return finishes.stream().map(Finish::domainId).toArray(String[]::new);
    }

    private static String[] tokens(List<Finish> finishes) {
        return finishes.stream().map(Finish::token).toArray(String[]::new);
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            if (parameter instanceof Object[] elements) {
                statement.setArray(i + 1, array(connection, elements));
            } else if (parameter == null) {
                statement.setString(i + 1, null);
            } else {
                statement.setObject(i + 1, parameter);
            }
        }
        return statement;
    }

    private static Array array(Connection connection, Object[] elements) throws SQLException {
        return connection.createArrayOf(elements instanceof Long[] ? "bigint" : "text", elements);
    }

    private static Answer answer(Connection connection, String call, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, ANSWER + call, parameters);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("no answer (expected: a row)");
            }
            return Answer.read(row);
        }
    }

    private static List<Answer> answers(Connection connection, int size, String call, @Nullable Object... parameters)
            throws SQLException {
        List<Answer> answers = Answer.missing(size);
        try (PreparedStatement statement = prepare(connection, PLACED_ANSWER + call, parameters);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                answers.set(row.getInt("place") - 1, Answer.read(row));
            }
        }
        return answers;
    }
}
