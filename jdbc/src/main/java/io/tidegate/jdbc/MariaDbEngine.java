package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.Schema.Component;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB and MySQL, where the operations are procedures of the schema that begin and commit a transaction themselves:
 * each operation is one call, and so one round trip.
 */
final class MariaDbEngine implements Engine {
    /*
     * Texts are sent as bytes, so that the connection's character set does not matter. A batch is JSON, in which texts
     * are ASCII for the same reason. MariaDB has a lock time-out, in seconds, for a single statement. MySQL has one
     * only for a session, and a session setting is not ours to change.
     */
    private static final String DELIMITER = "delimiter ";

    private static final String SUMMARIES = """
            select name, lease_offset, fence, owner, acquired_at, lease_until, retry_count, waiting, processed_count,
                (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count
            from tidegate_domain d force index (tidegate_domain_key) where lease = ?
            """;

    static final String DOMAINS = SUMMARIES + "and name > ? order by name limit ?";

    private static final String SUMMARY = SUMMARIES + "and name = ?";

    private static final String TOKEN = "select token from tidegate_domain where lease = ? and name = ? and fence = ?";

    private static final String LOCK_OF_SCHEMA = "concat('tidegate.', md5(database()))";

    /** Longer than any upgrade takes. */
    private static final int UPGRADE_SECONDS = 3_600;

    private final boolean boundsWaits;

    MariaDbEngine(String product) {
        this.boundsWaits = product.equals("MariaDB");
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public List<String> scripts(Component component, int version) {
        return component.equals(Schema.CLUSTER) || version >= component.version()
                ? List.of()
                : List.of(component.script(version), "lease_procedures.sql");
    }

    /* The lock prevents a second upgrade from dropping what the first one has created and already uses. */
    @Override
    public void beginUpgrade(Connection connection, @Nullable String lease) throws SQLException {
        try (PreparedStatement wait =
                prepare(connection, "select get_lock(" + LOCK_OF_SCHEMA + ", ?)", UPGRADE_SECONDS)) {
            wait.execute();
        }
        try (PreparedStatement set = connection.prepareStatement("set @tidegate_name = ?")) {
            set.setString(1, lease);
            set.execute();
        }
    }

    /* Commits first, so that the next upgrade sees that this one is done. A partial upgrade can be repeated. */
    @Override
    public void endUpgrade(Connection connection) throws SQLException {
        connection.commit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("set @tidegate_name = null");
            statement.execute("do release_lock(" + LOCK_OF_SCHEMA + ")");
        }
    }

    @Override
    public Commit commit() {
        return Commit.BY_ITSELF;
    }

    /*
     * The scripts are written for the client's command line, where the command delimiter changes the end of
     * statements.
     */
    @Override
    public List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        String end = ";";
        StringBuilder statement = new StringBuilder();
        for (String line : script.lines().toList()) {
            if (line.startsWith(DELIMITER)) {
                end = line.substring(DELIMITER.length());
            } else if (line.endsWith(end) && !line.startsWith("--")) {
                statements.add(statement + line.substring(0, line.length() - end.length()));
                statement.setLength(0);
            } else {
                statement.append(line).append('\n');
            }
        }
        return statements;
    }

    @Override
    public void checkDurable(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select @@innodb_flush_log_at_trx_commit")) {
            row.next();
            int flush = row.getInt(1);
            if (flush == 0 || flush == 2) {
                throw new JdbcLeaseException(
                        Reason.NOT_DURABLE, "innodb_flush_log_at_trx_commit: " + flush + " (expected: 1)", null);
            }
        }
    }

    @Override
    public Answer tryAcquire(Connection connection, LeaseTerms terms, Offer offer, String secret) throws SQLException {
        return answer(
                connection,
                bounded(terms, "call tidegate_try_acquire(?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                terms.lease(),
                offer.domainId(),
                offer.offset(),
                terms.owner(),
                secret,
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.maxBacklog(),
                terms.joined());
    }

    @Override
    public List<Answer> tryAcquireAll(Connection connection, LeaseTerms terms, List<Offer> offers, List<String> secrets)
            throws SQLException {
        List<Integer> order = Engine.placesByDomain(offers, Offer::domainId);
        String asked = json(order, place -> {
            Offer offer = offers.get(place);
            return quoted(offer.domainId()) + "," + offer.offset() + "," + quoted(secrets.get(place));
        });
        return answers(
                connection,
                order,
                bounded(terms, "call tidegate_try_acquire_all(?, ?, ?, ?, ?, ?)"),
                terms.lease(),
                asked,
                terms.owner(),
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.maxBacklog());
    }

    @Override
    public Answer succeed(Connection connection, LeaseTerms terms, Finish finish) throws SQLException {
        return answer(
                connection,
                bounded(terms, "call tidegate_succeed(?, ?, ?, ?)"),
                terms.lease(),
                finish.domainId(),
                finish.token(),
                terms.joined());
    }

    @Override
    public List<Answer> succeedAll(Connection connection, LeaseTerms terms, List<Finish> finishes) throws SQLException {
        List<Integer> order = Engine.placesByDomain(finishes, Finish::domainId);
        return answers(
                connection,
                order,
                bounded(terms, "call tidegate_succeed_all(?, ?, ?)"),
                terms.lease(),
                json(finishes, order),
                terms.joined());
    }

    @Override
    public List<Answer> succeedAndTakeNext(Connection connection, LeaseTerms terms, Finish finish, String secret)
            throws SQLException {
        return answers(
                connection,
                List.of(0, 1),
                bounded(terms, "call tidegate_succeed_and_take_next(?, ?, ?, ?, ?, ?, ?, ?)"),
                terms.lease(),
                finish.domainId(),
                finish.token(),
                terms.owner(),
                secret,
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.maxBacklog());
    }

    @Override
    public Answer fail(Connection connection, LeaseTerms terms, Finish finish, Failure failure) throws SQLException {
        return answer(
                connection,
                bounded(terms, "call tidegate_fail(?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                terms.lease(),
                finish.domainId(),
                finish.token(),
                failure.number(),
                failure.permanent(),
                failure.reason(),
                terms.leaseMillis(),
                terms.maxRetries(),
                terms.joined());
    }

    @Override
    public Answer renew(Connection connection, LeaseTerms terms, Finish lease) throws SQLException {
        return answer(
                connection,
                bounded(terms, "call tidegate_renew(?, ?, ?, ?)"),
                terms.lease(),
                lease.domainId(),
                lease.token(),
                terms.leaseMillis());
    }

    @Override
    public List<Answer> renewAll(Connection connection, LeaseTerms terms, List<Finish> leases) throws SQLException {
        List<Integer> order = Engine.placesByDomain(leases, Finish::domainId);
        return answers(
                connection,
                order,
                "call tidegate_renew_all(?, ?, ?)",
                terms.lease(),
                json(leases, order),
                terms.leaseMillis());
    }

    @Override
    public Answer release(Connection connection, LeaseTerms terms, Finish lease) throws SQLException {
        return answer(
                connection,
                bounded(terms, "call tidegate_release(?, ?, ?)"),
                terms.lease(),
                lease.domainId(),
                lease.token());
    }

    @Override
    public boolean forget(
            Connection connection, LeaseTerms terms, String domainId, long upToOffset, int most, boolean oneOfAll)
            throws SQLException {
        return number(
                        connection,
                        bounded(terms, "call tidegate_forget(?, ?, ?, ?, ?)"),
                        terms.lease(),
                        domainId,
                        upToOffset,
                        most,
                        oneOfAll)
                == 1;
    }

    @Override
    public long count(Connection connection, LeaseTerms terms) throws SQLException {
        return number(connection, "select count(*) from tidegate_domain where lease = ?", terms.lease());
    }

    @Override
    public List<String> remembering(
            Connection connection, LeaseTerms terms, long upToOffset, int most, String afterDomain)
            throws SQLException {
        try (PreparedStatement call = prepare(
                connection, "call tidegate_remembering(?, ?, ?, ?)", terms.lease(), afterDomain, upToOffset, most)) {
            return Engine.readAll(call, row -> row.getString("name"));
        }
    }

    @Override
    public boolean replay(Connection connection, LeaseTerms terms, String domainId, long offset) throws SQLException {
        return number(connection, bounded(terms, "call tidegate_replay(?, ?, ?)"), terms.lease(), domainId, offset)
                == 1;
    }

    @Override
    public long deleteIdle(Connection connection, LeaseTerms terms, long idleMillis, int most) throws SQLException {
        return number(connection, "call tidegate_delete_idle(?, ?, ?)", terms.lease(), idleMillis, most);
    }

    @Override
    public long deleteFailed(Connection connection, LeaseTerms terms, long oldMillis, int most) throws SQLException {
        return number(connection, "call tidegate_delete_failed(?, ?, ?)", terms.lease(), oldMillis, most);
    }

    @Override
    public List<String> pending(Connection connection, LeaseTerms terms, int most, String afterDomain)
            throws SQLException {
        try (PreparedStatement call = prepare(
                connection, "call tidegate_pending(?, ?, ?, ?)", terms.lease(), afterDomain, most, MOST_CORRECTIONS)) {
            return Engine.readAll(call, row -> row.getString("name"));
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
        return Engine.readAll(query, row -> Engine.readSummary(row, text(row, "name"), textOrNone(row, "owner")));
    }

    @Override
    public Optional<String> token(Connection connection, LeaseTerms terms, String domainId, long fence)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, TOKEN, terms.lease(), domainId, fence)) {
            return Engine.readAll(query, row -> text(row, "token")).stream().findFirst();
        }
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return new String(row.getBytes(column), UTF_8);
    }

    private static @Nullable String textOrNone(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    @Override
    public List<FailedWork> failedWork(Connection connection, LeaseTerms terms, String domainId, int most)
            throws SQLException {
        try (PreparedStatement call =
                prepare(connection, "call tidegate_failed_work(?, ?, ?)", terms.lease(), domainId, most)) {
            return Engine.readFailed(call);
        }
    }

    @Override
    public List<Long> backlogBehind(Connection connection, LeaseTerms terms, String domainId, long offset, int most)
            throws SQLException {
        try (PreparedStatement call = prepare(
                connection, "call tidegate_backlog_behind(?, ?, ?, ?)", terms.lease(), domainId, offset, most)) {
            return Engine.readAll(call, row -> row.getLong("work_offset"));
        }
    }

    /* Runs a query that returns a row for each waiting offset, or one row if none waits. */
    @Override
    public Optional<DomainSnapshot> inspect(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        try (PreparedStatement call = prepare(
                        connection,
                        "call tidegate_inspect(?, ?, ?)",
                        terms.lease(),
                        domainId,
                        DomainSnapshot.MOST_BACKLOG);
                ResultSet row = call.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            DomainSnapshot first = Engine.readSnapshot(row, domainId, terms.owner(), List.of());
            List<Long> backlog = new ArrayList<>(first.backlog());
            do {
                long offset = row.getLong("work_offset");
                if (!row.wasNull() && backlog.size() < DomainSnapshot.MOST_BACKLOG) {
                    backlog.add(offset);
                }
            } while (row.next());
            return Optional.of(
                    new DomainSnapshot(domainId, first.lease(), backlog, first.processedCount(), first.failedCount()));
        }
    }

    private String bounded(LeaseTerms terms, String call) {
        return terms.joined() || !boundsWaits
                ? call
                : "set statement innodb_lock_wait_timeout=" + (terms.waitMillis() + 999) / 1_000 + " for " + call;
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] instanceof String text) {
                statement.setBytes(i + 1, text.getBytes(UTF_8));
            } else {
                statement.setObject(i + 1, parameters[i]);
            }
        }
        return statement;
    }

    private static String json(List<Finish> finishes, List<Integer> order) {
        return json(order, place -> {
            Finish finish = finishes.get(place);
            return quoted(finish.domainId()) + "," + quoted(finish.token());
        });
    }

    private static String json(List<Integer> order, IntFunction<String> row) {
        return order.stream().map(place -> "[" + row.apply(place) + "]").collect(Collectors.joining(",", "[", "]"));
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < ' ' || unit > '~' || unit == '"' || unit == '\\') {
                quoted.append(String.format("\\u%04x", (int) unit));
            } else {
                quoted.append(unit);
            }
        }
        return quoted.append('"').toString();
    }

    private static long number(Connection connection, String call, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, call, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static Answer answer(Connection connection, String call, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, call, parameters);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("no answer (expected: a row)");
            }
            return Answer.read(row);
        }
    }

    /*
     * Each answer is a separate result. The last result marks the end of the call, after the commit, so all results
     * must be read.
     */
    private static List<Answer> answers(Connection connection, List<Integer> order, String call, Object... parameters)
            throws SQLException {
        List<Answer> answers = Answer.missing(order.size());
        try (PreparedStatement statement = prepare(connection, call, parameters)) {
            boolean isRow = statement.execute();
            while (isRow || statement.getUpdateCount() != -1) {
                if (isRow) {
                    try (ResultSet row = statement.getResultSet()) {
                        row.next();
                        answers.set(order.get(row.getInt("place") - 1), Answer.read(row));
                    }
                }
                isRow = statement.getMoreResults();
            }
        }
        return answers;
    }
}
