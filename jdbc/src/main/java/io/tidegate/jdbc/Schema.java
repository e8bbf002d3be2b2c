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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The tables: which version they have, and how to upgrade them. */
final class Schema {
    /**
     * A part of the tables, and the version of it that this library needs. A later version works, too, because scripts
     * only add.
     */
    record Component(String name, int version) {
        /** The name of the script that creates the component's tables, or upgrades those of an earlier version. */
        String script(int from) {
            return name + "_V" + (from == 0 ? "" : from + "_to_V") + version + ".sql";
        }
    }

    static final Component LEASE = new Component("lease", 3);

    static final Component CLUSTER = new Component("cluster", 5);

    private Schema() {}

    static Engine engineOf(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new PostgresEngine();
            case "H2" -> new H2Engine();
            case "MariaDB", "MySQL" -> new MariaDbEngine(product);
            default ->
                throw new IllegalArgumentException(
                        "dataSource: " + product + " (expected: PostgreSQL, MariaDB, MySQL or H2)");
        };
    }

    static void check(Connection connection, Component needed) throws SQLException {
        int found = versionOf(needed, versions(connection));
        if (found < needed.version()) {
            throw new JdbcLeaseException(
                    Reason.SCHEMA_TOO_OLD,
                    "Schema: " + needed.name() + " version " + found + " (expected: " + needed.version()
                            + "), run JdbcWorkLease.migrate(dataSource)",
                    null);
        }
    }

    /**
     * Other processes may upgrade at the same time. A run that fails because of them continues from the version that
     * they have reached.
     */
    static void migrate(DataSource dataSource, @Nullable String lease) {
        Transactions transactions =
                new Transactions(requireNonNull(dataSource, "dataSource"), Engine.Commit.AFTERWARDS);
        Map<String, Integer> found = transactions.run(Schema::versionsOrNone);
        while (true) {
            try {
                transactions.run(connection -> upgrade(connection, lease));
                return;
            } catch (JdbcLeaseException failed) {
                Map<String, Integer> now = transactions.run(Schema::versionsOrNone);
                if (now.equals(found)) {
                    throw failed;
                }
                found = now;
            }
        }
    }

    private static boolean upgrade(Connection connection, @Nullable String lease) throws SQLException {
        Engine engine = engineOf(connection);
        engine.beginUpgrade(connection, lease);
        try {
            Map<String, Integer> found = versionsOrNone(connection);
            if (versionOf(LEASE, found) == 1 && lease == null && hasDomains(connection)) {
                throw new JdbcLeaseException(
                        Reason.SCHEMA_TOO_OLD,
                        "Schema: lease version 1 has work without a name, run"
                                + " JdbcWorkLease.migrate(dataSource, name) with the"
                                + " name of the lease that it belongs to",
                        null);
            }
            for (Component component : List.of(LEASE, CLUSTER)) {
                for (String script : engine.scripts(component, versionOf(component, found))) {
                    run(connection, engine, script);
                }
            }
            return true;
        } finally {
            engine.endUpgrade(connection);
        }
    }

    private static void run(Connection connection, Engine engine, String script) throws SQLException {
        for (String sql : engine.statements(read(engine.name() + "/" + script))) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    private static boolean hasDomains(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select min(id) from tidegate_domain")) {
            return row.next() && row.getObject(1) != null;
        }
    }

    /** Begins a new transaction if there are no tables. */
    private static Map<String, Integer> versionsOrNone(Connection connection) throws SQLException {
        try {
            return versions(connection);
        } catch (SQLException failed) {
            if (JdbcLeaseException.of(failed).reason() != Reason.SCHEMA_MISSING) {
                throw failed;
            }
            connection.rollback();
            return Map.of();
        }
    }

    private static int versionOf(Component component, Map<String, Integer> versions) {
        return versions.getOrDefault(component.name(), 0);
    }

    /**
     * Returns the newest version of each component. The first tables did not name components: their version 1 was the
     * lease, version 2 the cluster bulkhead.
     */
    private static Map<String, Integer> versions(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select * from tidegate_schema")) {
            boolean named = hasColumn(row, "component");
            Map<String, Integer> newest = new HashMap<>();
            while (row.next()) {
                int version = row.getInt("version");
                String component = version == 1 ? LEASE.name() : CLUSTER.name();
                newest.merge(named ? row.getString("component") : component, version, Math::max);
            }
            return newest;
        }
    }

    private static boolean hasColumn(ResultSet rows, String name) throws SQLException {
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
            if (rows.getMetaData().getColumnName(column).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private static String read(String file) {
        try (InputStream script = Schema.class.getResourceAsStream(file)) {
            return new String(requireNonNull(script, file).readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file, unreadable);
        }
    }
}
