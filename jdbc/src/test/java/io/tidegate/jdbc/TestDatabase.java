package io.tidegate.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A database for one test, with a pool that reuses connections, so that a test sees what an operation leaves behind in
 * one.
 */
final class TestDatabase implements AutoCloseable {
    enum Kind {
        H2_MEMORY,
        H2_FILE,
        POSTGRES,
        MARIADB
    }

    static {
        // a pool that tests an idle connection would get the reply that the test loses
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "600000");
    }

    /** MariaDB takes long to create tables, so databases are used again. */
    private static final Queue<String> USED_BEFORE = new ConcurrentLinkedQueue<>();

    private static final List<String> DELETE_ALL = Stream.of("domain", "backlog", "processed", "failed")
            .map(table -> "delete from tidegate_" + table)
            .toList();

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String H2_OPTIONS = ";WRITE_DELAY=0;LOCK_TIMEOUT=300000";

    private final Kind kind;
    private final String url;
    private HikariDataSource pool;
    private boolean reusable;

    private TestDatabase(Kind kind, String url) {
        this.kind = kind;
        this.url = url;
        this.pool = newPool(url);
    }

    /** Returns a database without tables. */
    static TestDatabase empty(Kind kind) {
        String name = "t" + NUMBER.incrementAndGet();
        return new TestDatabase(
                kind,
                switch (kind) {
                    case H2_MEMORY -> "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1" + H2_OPTIONS;
                    case H2_FILE -> "jdbc:h2:file:" + newFolder().resolve("db") + H2_OPTIONS;
                    case POSTGRES ->
                        newNamespace("create schema " + name, postgresUrl(TestServers.postgresPort(), name));
                    case MARIADB -> {
                        newNamespace("create database " + name, mariaDbUrl(TestServers.mariaDbPort(), "mysql"));
                        yield mariaDbUrl(TestServers.mariaDbPort(), name);
                    }
                });
    }

    /** Returns a database with the tables. */
    static TestDatabase create(Kind kind) {
        String used = kind == Kind.MARIADB ? USED_BEFORE.poll() : null;
        TestDatabase database = used == null ? empty(kind) : new TestDatabase(kind, used);
        if (used == null) {
            JdbcWorkLease.migrate(database.pool());
        } else {
            database.deleteAll();
        }
        database.reusable = kind == Kind.MARIADB;
        return database;
    }

    static String postgresUrl(int port, String schema) {
        return "jdbc:postgresql://localhost:" + port
                + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable&currentSchema=" + schema;
    }

    static String mariaDbUrl(int port, String database) {
        return "jdbc:mariadb://localhost:" + port + "/" + database + "?user=root&sslMode=disable";
    }

    /** Returns the same address through a relay. */
    String urlThrough(int port) {
        return url.replaceFirst("localhost:[0-9]+/", "localhost:" + port + "/");
    }

    int serverPort() {
        return kind == Kind.MARIADB ? TestServers.mariaDbPort() : TestServers.postgresPort();
    }

    static HikariDataSource newPool(String url) {
        return newPool(url, "sa");
    }

    /** @param h2User the user of H2; elsewhere the address has it */
    static HikariDataSource newPool(String url, String h2User) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        if (url.startsWith("jdbc:h2:")) {
            config.setUsername(h2User);
        }
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    private static String newNamespace(String sql, String url) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return url;
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("tidegate");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String url() {
        return url;
    }

    HikariDataSource pool() {
        return pool;
    }

    /** Returns a connection in a transaction, as a caller has one. */
    Connection transaction() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Closes every connection, and thereby a database in a file; then opens it again. */
    void restart() {
        pool.close();
        pool = newPool(url);
    }

    int connectionsInUse() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    void execute(String sql) {
        reusable = false;
        run(List.of(sql));
    }

    private void run(List<String> sqls) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : sqls) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    long number(String query) {
        return first(query, row -> row.getLong(1));
    }

    String text(String query) {
        return first(query, row -> row.getString(1));
    }

    private interface Column<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> T first(String query, Column<T> column) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return column.of(row);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Returns the time by the clock of leases. */
    long now() {
        return number(
                switch (kind) {
                    case POSTGRES -> "select tidegate_now()";
                    case MARIADB -> "select timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000";
                    case H2_MEMORY, H2_FILE ->
                        "select cast(floor(extract(epoch from current_timestamp) * 1000) as bigint)";
                });
    }

    /** Whether the time stays the same from the beginning of a transaction to its end. */
    boolean clockStandsStill() {
        return kind == Kind.H2_MEMORY || kind == Kind.H2_FILE;
    }

    /** Whether a transaction waits for a lock at this moment. */
    boolean somebodyWaits() {
        return number(
                        switch (kind) {
                            case POSTGRES -> "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
                            case MARIADB ->
                                "select variable_value from information_schema.global_status where variable_name ="
                                        + " 'INNODB_ROW_LOCK_CURRENT_WAITS'";
                            case H2_MEMORY, H2_FILE ->
                                "select count(*) from information_schema.sessions where blocker_id is not null";
                        })
                > 0;
    }

    /** Updates the database's statistics of a table. */
    void analyze(String table) {
        execute((kind == Kind.POSTGRES ? "vacuum analyze " : "analyze table ") + table);
    }

    /** Deletes all rows and keeps the tables. */
    void deleteAll() {
        run(DELETE_ALL);
    }

    /** Returns a name in the form of the tables. */
    String bytes(String name) {
        return kind == Kind.H2_MEMORY || kind == Kind.H2_FILE ? "stringtoutf8('" + name + "')" : "'" + name + "'";
    }

    /** Returns a time in the form of the tables. */
    String time(long epochMillis) {
        return kind == Kind.MARIADB
                ? Long.toString(epochMillis)
                : "timestamp with time zone '" + Instant.ofEpochMilli(epochMillis) + "'";
    }

    /** Makes every lease end now. */
    void expireLeases() {
        pass(Duration.ofDays(1));
    }

    /** Lets time pass: makes the ends of leases, and the times to look at domains, earlier. */
    void pass(Duration time) {
        long millis = time.toMillis();
        run(List.of("update tidegate_domain set lease_until = lease_until - " + millis + ", look_at = look_at - "
                + millis));
    }

    @Override
    public void close() {
        if (kind == Kind.H2_MEMORY) {
            execute("drop all objects");
        }
        pool.close();
        if (reusable) {
            USED_BEFORE.add(url);
        }
        if (kind == Kind.H2_FILE) {
            delete(Path.of(url.substring("jdbc:h2:file:".length(), url.indexOf(';')))
                    .getParent());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
