package io.tidegate.bench.engines;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.bench.engines.LeaseWay.Manner;
import io.tidegate.cluster.CapStore;
import io.tidegate.jdbc.JdbcCapStore;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.servers.MariaDbServer;
import io.tidegate.servers.PostgresServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** An engine that is reached by JDBC. */
final class Database implements Engine {
    static {
        // a pool that looks whether an idle connection is alive adds round trips
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "600000");
    }

    /** Some more connections than there are workers, for what peers do beside the measured work. */
    static final int POOL_SIZE = Throughput.MOST_WORKERS + 4;

    /**
     * Where databases differ.
     *
     * @param durability a query for the setting of durability
     * @param bytes the type of a column that holds bytes
     * @param instant the type of a column that holds a point in time
     * @param skipsLocked see {@link DbSchedulerWay}
     * @param numbers the numbers from 0 to a given one, as a table with a column n
     * @param text the name of a domain, from a text and a number behind it
     */
    private record Dialect(
            String durability, String bytes, String instant, boolean skipsLocked, String numbers, String text) {}

    private final IntFunction<String> urls;
    private final OptionalInt port;
    private final Dialect dialect;
    private final Closeable server;
    private final String name;
    private final String durability;

    private Database(IntFunction<String> urls, OptionalInt port, Dialect dialect, Closeable server) {
        this.urls = urls;
        this.port = port;
        this.dialect = dialect;
        this.server = server;
        try (HikariDataSource pool = pool(url())) {
            createTables(pool);
            JdbcWorkLease.migrate(pool);
            name = productOf(pool);
            durability = ask(pool, dialect.durability);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static Database postgres() {
        return onServer(
                (noFolder, port) -> PostgresServer.startTemporary(port, "fsync=on", "synchronous_commit=on"),
                port -> "jdbc:postgresql://localhost:" + port
                        + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable",
                new Dialect(
                        "select 'fsync ' || current_setting('fsync') || ', synchronous_commit '"
                                + " || current_setting('synchronous_commit')",
                        "bytea",
                        "timestamp with time zone",
                        true,
                        "generate_series(0, %d) as s (n)",
                        "'%s' || %s"));
    }

    static Database mariaDb() {
        return onServer(
                (folder, port) ->
                        MariaDbServer.startWithSync(folder.resolve("programs"), folder.resolve("server"), port),
                port -> "jdbc:mariadb://localhost:" + port + "/" + MariaDbServer.DATABASE
                        + "?user=root&sslMode=disable",
                new Dialect(
                        "select concat('innodb_flush_log_at_trx_commit ', @@innodb_flush_log_at_trx_commit)",
                        "longblob",
                        "timestamp(6) null",
                        false,
                        "(select seq as n from seq_0_to_%d) as s",
                        "concat('%s', %s)"));
    }

    /** Starts a server on a port; the folder is for what it does not delete itself. */
    private interface Start {
        Closeable start(Path folder, int port) throws IOException;
    }

    private static Database onServer(Start start, IntFunction<String> urls, Dialect dialect) {
        TemporaryFolder folder = new TemporaryFolder();
        try {
            int port = PORTS.next();
            Closeable server = start.start(folder.path(), port);
            return new Database(urls, OptionalInt.of(port), dialect, () -> {
                try (folder) {
                    server.close();
                }
            });
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static Database h2() {
        TemporaryFolder folder = new TemporaryFolder();
        return new Database(
                noPort -> "jdbc:h2:file:" + folder.path().resolve("db") + ";USER=sa;WRITE_DELAY=0;LOCK_TIMEOUT=20000",
                OptionalInt.empty(),
                new Dialect(
                        "select 'a file, WRITE_DELAY ' || max(setting_value) from information_schema.settings"
                                + " where setting_name = 'WRITE_DELAY'",
                        "varbinary",
                        "timestamp(6) with time zone",
                        false,
                        "(select x as n from system_range(0, %d)) as s",
                        "stringtoutf8('%s' || %s)"),
                folder);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String durability() {
        return durability;
    }

    @Override
    public OptionalInt port() {
        return port;
    }

    /** Returns the address of the server itself, with nothing in between. */
    String url() {
        return urls.apply(port.orElse(0));
    }

    @Override
    public Contest connect(int usedPort) {
        HikariDataSource pool = pool(urls.apply(usedPort));
        List<JdbcWorkLease> owners = Stream.generate(
                        () -> JdbcWorkLease.builder(pool, "bench", 3).build())
                .limit(Throughput.MOST_WORKERS)
                .toList();
        List<Way> ways = List.of(
                new UpdatesWay(pool, 2),
                new DbSchedulerWay(pool, dialect.skipsLocked),
                new ShedLockWay(pool),
                new LeaseWay(owners, Manner.EACH, 1),
                new LeaseWay(owners, Manner.EACH, 10),
                new LeaseWay(owners, Manner.EACH, 50),
                new LeaseWay(owners, Manner.GAPS, 1),
                new LeaseWay(owners, Manner.NEXT, 1));
        return new OpenContest(ways, (way, domains) -> fill(pool, domains, way), pool::close);
    }

    @Override
    public Contest connectToClaim(List<Integer> members) {
        HikariDataSource pool = pool(url());
        CapStore store = JdbcCapStore.of(pool);
        List<Way> ways = new ArrayList<>(List.of(new UpdatesWay(pool, 1)));
        members.forEach(many -> ways.add(new ClaimsWay(store, many)));
        return new OpenContest(ways, (none, domains) -> {}, pool::close);
    }

    /* Makes more domains, beside those that were measured before. */
    private void fill(DataSource pool, int domains, LeaseWay way) {
        String numbers = dialect.numbers.formatted(domains - 1);
        String others = " and n >= " + Throughput.DOMAINS;
        String domain = dialect.text.formatted(way.domainId(""), "n");
        String first = dialect.text.formatted(way.domainId(""), "0");
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into floor_row (id, updates) select n, 0 from floor_row f, " + numbers
                    + " where f.id = 0" + others);
            statement.execute("insert into tidegate_domain"
                    + " (lease, name, run_first, run_last, processed_count, highest, changed_at)"
                    + " select d.lease, " + domain + ", 0, 0, 1, 0, d.changed_at from tidegate_domain d, " + numbers
                    + " where d.name = " + first + others);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Makes a pool that has all of its connections open. */
    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(POOL_SIZE);
        HikariDataSource pool = new HikariDataSource(config);
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < POOL_SIZE) {
                all.add(pool.getConnection());
            }
            for (Connection connection : all) {
                connection.close();
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return pool;
    }

    private void createTables(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table floor_row (id int primary key, updates bigint not null)");
            statement.execute("""
                    create table shedlock (
                        name varchar(64) primary key, lock_until timestamp(3) not null, locked_at timestamp(3) not null,
                        locked_by varchar(255) not null)""");
            String notNull = dialect.instant.replace(" null", "");
            statement.execute("""
                    create table scheduled_tasks (
                        task_name varchar(100), task_instance varchar(100), task_data %1$s,
                        execution_time %3$s not null,
                        picked boolean not null, picked_by varchar(100), last_success %2$s, last_failure %2$s,
                        consecutive_failures int, last_heartbeat %2$s, version bigint not null, priority smallint,
                        primary key (task_name, task_instance))""".formatted(dialect.bytes, dialect.instant, notNull));
            statement.execute("create index execution_time_idx on scheduled_tasks (execution_time)");
            statement.execute("create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
        }
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into floor_row values (?, 0)")) {
            for (int domain = 0; domain < Throughput.DOMAINS; domain++) {
                insert.setInt(1, domain);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static String productOf(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            String version = connection.getMetaData().getDatabaseProductVersion();
            return connection.getMetaData().getDatabaseProductName() + " " + version.replaceFirst("[ -].*", "");
        }
    }

    private static String ask(DataSource pool, String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }
}
