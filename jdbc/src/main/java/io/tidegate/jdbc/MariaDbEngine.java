package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.JdbcWorkLease.FailedWork;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** MariaDB and MySQL, where the operations are procedures of the schema, which begin and commit by themselves: one call each, and so one round trip. */
final class MariaDbEngine implements Engine {
    /*
     * Texts are sent as bytes: the connection's character set does not matter then. In JSON, which a batch is, they are ASCII for the same reason.
     */
    private static final String DELIMITER = "delimiter ";

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public Commit commit() {
        return Commit.BY_ITSELF;
    }

    /* The scripts are for the client's command line, where a word of its own changes what ends a statement. */
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
    public Answer tryAcquire(Connection connection, Offer offer, String secret, Terms terms) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_try_acquire(?, ?, ?, ?, ?, ?)")) {
            setText(call, 1, offer.domainId());
            call.setLong(2, offer.offset());
            setText(call, 3, terms.owner());
            setText(call, 4, secret);
            call.setLong(5, terms.leaseMillis());
            call.setInt(6, terms.maxRetries());
            return answer(call);
        }
    }

    @Override
    public List<Answer> tryAcquireAll(Connection connection, List<Offer> offers, List<String> secrets, Terms terms)
            throws SQLException {
        List<Integer> order = Engine.placesByDomain(offers, Offer::domainId);
        try (PreparedStatement call = connection.prepareStatement("call tidegate_try_acquire_all(?, ?, ?, ?)")) {
            call.setString(1, json(order, place -> {
                Offer offer = offers.get(place);
                return quoted(offer.domainId()) + "," + offer.offset() + "," + quoted(secrets.get(place));
            }));
            setText(call, 2, terms.owner());
            call.setLong(3, terms.leaseMillis());
            call.setInt(4, terms.maxRetries());
            return answers(call, order);
        }
    }

    @Override
    public Answer succeed(Connection connection, String domainId, String token) throws SQLException {
        return succeed(connection, "call tidegate_succeed(?, ?)", domainId, token);
    }

    @Override
    public Answer succeedWithCaller(Connection connection, String domainId, String token) throws SQLException {
        return succeed(connection, "call tidegate_succeed_with_caller(?, ?)", domainId, token);
    }

    private static Answer succeed(Connection connection, String procedure, String domainId, String token)
            throws SQLException {
        try (PreparedStatement call = connection.prepareStatement(procedure)) {
            setText(call, 1, domainId);
            setText(call, 2, token);
            return answer(call);
        }
    }

    @Override
    public List<Answer> succeedAll(Connection connection, List<Finish> finishes) throws SQLException {
        List<Integer> order = Engine.placesByDomain(finishes, Finish::domainId);
        try (PreparedStatement call = connection.prepareStatement("call tidegate_succeed_all(?)")) {
            call.setString(1, json(order, place -> {
                Finish finish = finishes.get(place);
                return quoted(finish.domainId()) + "," + quoted(finish.token());
            }));
            return answers(call, order);
        }
    }

    @Override
    public Answer fail(Connection connection, String domainId, String token, @Nullable Integer failure, Terms terms)
            throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_fail(?, ?, ?, ?, ?)")) {
            setText(call, 1, domainId);
            setText(call, 2, token);
            call.setObject(3, failure, Types.INTEGER);
            call.setLong(4, terms.leaseMillis());
            call.setInt(5, terms.maxRetries());
            return answer(call);
        }
    }

    @Override
    public Answer renew(Connection connection, String domainId, String token, Terms terms) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_renew(?, ?, ?)")) {
            setText(call, 1, domainId);
            setText(call, 2, token);
            call.setLong(3, terms.leaseMillis());
            return answer(call);
        }
    }

    @Override
    public void forget(Connection connection, String domainId, long upToOffset) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_forget(?, ?)")) {
            setText(call, 1, domainId);
            call.setLong(2, upToOffset);
            call.execute();
        }
    }

    @Override
    public boolean replay(Connection connection, String domainId, long offset) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_replay(?, ?)")) {
            setText(call, 1, domainId);
            call.setLong(2, offset);
            return number(call) == 1;
        }
    }

    @Override
    public long deleteIdle(Connection connection, long idleMillis, int most) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_delete_idle(?, ?)")) {
            call.setLong(1, idleMillis);
            call.setInt(2, most);
            return number(call);
        }
    }

    @Override
    public long deleteFailed(Connection connection, long oldMillis, int most) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_delete_failed(?, ?)")) {
            call.setLong(1, oldMillis);
            call.setInt(2, most);
            return number(call);
        }
    }

    @Override
    public List<FailedWork> failed(Connection connection, String domainId, int most) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_list_failed(?, ?)")) {
            setText(call, 1, domainId);
            call.setInt(2, most);
            return Engine.readFailed(call);
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(Connection connection, String domainId, String owner) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("call tidegate_inspect(?)")) {
            setText(call, 1, domainId);
            try (ResultSet row = call.executeQuery()) {
                return row.next() ? Optional.of(snapshot(row, domainId, owner)) : Optional.empty();
            }
        }
    }

    /* A row for each that waits, or one if none does. */
    private static DomainSnapshot snapshot(ResultSet row, String domainId, String owner) throws SQLException {
        Optional<LeaseRecord> lease = Engine.readLease(row, owner);
        long processedCount = row.getLong("processed_count");
        long failedCount = row.getLong("failed_count");
        List<Long> backlog = new ArrayList<>();
        do {
            long offset = row.getLong("work_offset");
            if (!row.wasNull()) {
                backlog.add(offset);
            }
        } while (row.next());
        return new DomainSnapshot(domainId, lease, backlog, processedCount, failedCount);
    }

    private static void setText(PreparedStatement call, int parameter, String text) throws SQLException {
        call.setBytes(parameter, text.getBytes(UTF_8));
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

    private static long number(PreparedStatement call) throws SQLException {
        try (ResultSet row = call.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static Answer answer(PreparedStatement call) throws SQLException {
        try (ResultSet row = call.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("no answer (expected: a row)");
            }
            return Answer.read(row);
        }
    }

    /* A result for each, then the end of the call, which comes after the commit: all of it has to be read. */
    private static List<Answer> answers(PreparedStatement call, List<Integer> order) throws SQLException {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(order.size(), Answer.of("MISSING")));
        boolean isRow = call.execute();
        while (isRow || call.getUpdateCount() != -1) {
            if (isRow) {
                try (ResultSet row = call.getResultSet()) {
                    row.next();
                    answers.set(order.get(row.getInt("place") - 1), Answer.read(row));
                }
            }
            isRow = call.getMoreResults();
        }
        return answers;
    }
}
