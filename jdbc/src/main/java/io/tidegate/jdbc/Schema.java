package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The tables: which version is there, and how to get to this one. */
final class Schema {
    /** What leases need. A later version is fine: scripts only add. */
    static final int LEASE = 1;

    /** What the cluster bulkhead needs. */
    static final int CLUSTER = 2;

    private static final int NONE = 0;

    private Schema() {}

    static Engine engineOf(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new PostgresEngine();
            case "H2" -> new H2Engine();
            case "MariaDB", "MySQL" -> new MariaDbEngine();
            default ->
                throw new IllegalArgumentException(
                        "dataSource: " + product + " (expected: PostgreSQL, MariaDB, MySQL or H2)");
        };
    }

    static void check(Connection connection, int needed) throws SQLException {
        int found = version(connection);
        if (found < needed) {
            throw new JdbcLeaseException(
                    Reason.SCHEMA_TOO_OLD,
                    "Schema: version " + found + " (expected: " + needed + "), run JdbcWorkLease.migrate(dataSource)",
                    null);
        }
    }

    /** Others may do it at the same time: who fails because of them goes on where they are. */
    static void migrate(DataSource dataSource) {
        Transactions transactions =
                new Transactions(requireNonNull(dataSource, "dataSource"), Engine.Commit.AFTERWARDS);
        int found = transactions.run(Schema::versionOrNone);
        while (true) {
            try {
                transactions.run(Schema::upgrade);
                return;
            } catch (JdbcLeaseException failed) {
                int now = transactions.run(Schema::versionOrNone);
                if (now == found) {
                    throw failed;
                }
                found = now;
            }
        }
    }

    private static int upgrade(Connection connection) throws SQLException {
        Engine engine = engineOf(connection);
        int found = versionOrNone(connection);
        for (String script : engine.scripts().stream().skip(found).toList()) {
            for (String sql : engine.statements(read(engine.name() + "/" + script))) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
        }
        return found;
    }

    /** Begins a new transaction if there are no tables. */
    private static int versionOrNone(Connection connection) throws SQLException {
        try {
            return version(connection);
        } catch (SQLException failed) {
            if (JdbcLeaseException.of(failed).reason() != Reason.SCHEMA_MISSING) {
                throw failed;
            }
            connection.rollback();
            return NONE;
        }
    }

    private static int version(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select max(version) from tidegate_schema")) {
            return row.next() ? row.getInt(1) : NONE;
        }
    }

    private static String read(String file) {
        try (InputStream script = Schema.class.getResourceAsStream(file)) {
            return new String(requireNonNull(script, file).readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file, unreadable);
        }
    }
}
