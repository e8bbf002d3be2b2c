package io.tidegate.bench.engines;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.cluster.CapStore;
import io.tidegate.jdbc.JdbcCapStore;
import io.tidegate.jdbc.JdbcWorkLease;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    /** Some more than there are workers, for what peers do beside. */
    static final int POOL_SIZE = Throughput.MOST_WORKERS + 4;

    /**
     * Where databases differ.
     *
     * @param durability a query for it
     * @param bytes the type of a column that holds bytes
     * @param instant the type of a column that holds a point in time
     * @param skipsLocked see {@link DbSchedulerWay}
     */
    private record Dialect(String durability, String bytes, String instant, boolean skipsLocked) {}

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
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setPort(Ports.free())
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            return new Database(
                    port -> "jdbc:postgresql://localhost:" + port
                            + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable",
                    OptionalInt.of(server.getPort()),
                    new Dialect(
                            "select 'fsync ' || current_setting('fsync') || ', synchronous_commit '"
                                    + " || current_setting('synchronous_commit')",
                            "bytea",
                            "timestamp with time zone",
                            true),
                    server);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static Database mariaDb() {
        MariaDb server = new MariaDb();
        return new Database(
                port -> "jdbc:mariadb://localhost:" + port + "/" + MariaDb.DATABASE + "?user=root&sslMode=disable",
                OptionalInt.of(server.port()),
                new Dialect(
                        "select concat('innodb_flush_log_at_trx_commit ', @@innodb_flush_log_at_trx_commit)",
                        "longblob",
                        "timestamp(6) null",
                        false),
                server);
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
                        false),
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

    /** Without anything between. */
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
                new LeaseWay(owners, 1),
                new LeaseWay(owners, 10),
                new LeaseWay(owners, 50));
        return new OpenContest(ways, pool::close);
    }

    @Override
    public Contest connectToClaim(List<Integer> members) {
        HikariDataSource pool = pool(url());
        CapStore store = JdbcCapStore.of(pool);
        List<Way> ways = new ArrayList<>(List.of(new UpdatesWay(pool, 1)));
        members.forEach(many -> ways.add(new ClaimsWay(store, many)));
        return new OpenContest(ways, pool::close);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** With all of its connections open. */
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
            statement.execute("""
                    create table scheduled_tasks (
                        task_name varchar(100), task_instance varchar(100), task_data %1$s, execution_time %3$s not null,
                        picked boolean not null, picked_by varchar(100), last_success %2$s, last_failure %2$s,
                        consecutive_failures int, last_heartbeat %2$s, version bigint not null, priority smallint,
                        primary key (task_name, task_instance))""".formatted(dialect.bytes, dialect.instant, dialect.instant.replace(" null", "")));
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
