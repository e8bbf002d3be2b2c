package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that is not as it should be, and the messages about it. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TroubleTest {
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    void build_noTables_saysHowToMakeThem(Kind kind) {
        try (TestDatabase database = TestDatabase.empty(kind)) {
            assertFails(
                    Reason.SCHEMA_MISSING,
                    "run JdbcWorkLease.migrate(dataSource)",
                    () -> JdbcWorkLease.builder(database.pool(), "orders", 0).build());
            assertThat(database.connectionsInUse()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    void build_oldTables_saysHowToRenewThem(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute("update tidegate_schema set version = 0");
            assertFails(
                    Reason.SCHEMA_TOO_OLD,
                    "lease version 0 (expected: 3), run JdbcWorkLease.migrate(dataSource)",
                    () -> JdbcWorkLease.builder(database.pool(), "orders", 0).build());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    void operation_tablesGone_saysSo(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            database.execute("alter table tidegate_domain rename to elsewhere");
            assertFails(Reason.SCHEMA_MISSING, "migrate", () -> lease.tryAcquire("A", 1));
            database.execute("alter table elsewhere rename to tidegate_domain");
            assertThat(lease.inspect("A")).isEmpty();
            assertThat(lease.tryAcquire("A", 1)).isInstanceOf(AcquireResult.Acquired.class);
            assertThat(database.connectionsInUse()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    void migrate_again_changesNothing(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            lease.tryAcquire("A", 1);
            long versions = database.number("select count(*) from tidegate_schema");
            JdbcWorkLease.migrate(database.pool());
            assertThat(lease.tryAcquire("A", 1).code()).isEqualTo("ALREADY_ACQUIRED");
            assertThat(database.number("select count(*) from tidegate_schema")).isEqualTo(versions);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    void build_laterTables_areFine(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute("insert into tidegate_schema (component, version) values ('lease', 99)");
            JdbcWorkLease.migrate(database.pool());
            assertThat(JdbcWorkLease.builder(database.pool(), "orders", 0)
                            .build()
                            .tryAcquire("A", 1))
                    .isInstanceOf(AcquireResult.Acquired.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    void migrate_byManyAtOnce_allSucceed(Kind kind) throws Exception {
        int many = 4;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try (TestDatabase database = TestDatabase.empty(kind)) {
            CyclicBarrier start = new CyclicBarrier(many);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                ends.add(threads.submit(() -> {
                    start.await();
                    JdbcWorkLease.migrate(database.pool());
                    return JdbcWorkLease.builder(database.pool(), "orders", 0)
                            .build()
                            .tryAcquire("A", 1);
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            assertThat(database.number("select count(*) from tidegate_schema"))
                    .isEqualTo(kind == Kind.POSTGRES ? 2 : 1);
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "MARIADB"})
    void migrate_afterHalfOfIt_doesTheRest(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute("drop table tidegate_failed");
            database.execute("delete from tidegate_schema");
            assertFails(
                    Reason.SCHEMA_TOO_OLD,
                    "version 0",
                    () -> JdbcWorkLease.builder(database.pool(), "orders", 0).build());
            JdbcWorkLease.migrate(database.pool());
            assertThat(JdbcWorkLease.builder(database.pool(), "orders", 0)
                            .build()
                            .tryAcquire("A", 1))
                    .isInstanceOf(AcquireResult.Acquired.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRES", "MARIADB"})
    @DisplayName("WL-24 each operation on another connection, as with transaction pooling, leaves nothing in any")
    void operations_eachOnAnotherConnection_leaveNothing(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind);
                Connection first = DriverManager.getConnection(database.url());
                Connection second = DriverManager.getConnection(database.url())) {
            JdbcWorkLease lease = JdbcWorkLease.builder(OneConnection.inTurns(first, second), "orders", 0)
                    .build();
            String token = ((AcquireResult.Acquired) lease.tryAcquire("A", 1)).token();
            assertThat(lease.tryAcquire("A", 1).code()).isEqualTo("ALREADY_ACQUIRED");
            assertThat(lease.tryAcquire("A", 2).code()).isEqualTo("ENQUEUED");
            lease.renew("A", token);
            assertThat(lease.fail("A", token).code()).isEqualTo("GIVE_UP_NEXT_HINT");
            assertThat(lease.fail("A", token).code()).isEqualTo("GIVE_UP_NEXT_HINT");
            assertThat(lease.failedWork("A", 10)).hasSize(1);
            assertThat(lease.replay("A", 1)).isTrue();
            assertThat(lease.inspect("A").orElseThrow().backlog()).containsExactly(2L, 1L);
            assertThat(isInTransaction(database, first)).isFalse();
            assertThat(isInTransaction(database, second)).isFalse();
        }
    }

    @Test
    void operation_mariaDbReadOnly_saysSo() {
        try (TestDatabase database = TestDatabase.create(Kind.MARIADB)) {
            database.execute("create or replace user somebody@localhost");
            database.execute("grant all on *.* to somebody@localhost");
            database.execute("revoke read_only admin on *.* from somebody@localhost");
            try (HikariDataSource pool = TestDatabase.newPool(database.url().replace("user=root", "user=somebody"))) {
                JdbcWorkLease lease = JdbcWorkLease.builder(pool, "orders", 0).build();
                database.execute("set global read_only = on");
                assertFails(Reason.READ_ONLY, "takes no changes", () -> lease.tryAcquire("A", 1));
                assertThat(lease.inspect("A")).isEmpty();
            } finally {
                database.execute("set global read_only = off");
            }
        }
    }

    @Test
    void operation_h2ReadOnly_saysSo(@TempDir Path folder) {
        JdbcDataSource file = new JdbcDataSource();
        String url = "jdbc:h2:file:" + folder.resolve("db") + ";WRITE_DELAY=0";
        file.setUrl(url);
        file.setUser("sa");
        JdbcWorkLease.migrate(file);
        file.setUrl(url + ";ACCESS_MODE_DATA=r");
        JdbcWorkLease lease = JdbcWorkLease.builder(file, "orders", 0).build();
        assertFails(Reason.READ_ONLY, "takes no changes", () -> lease.tryAcquire("A", 1));
    }

    @Test
    void operation_postgresFull_saysSo() {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRES)) {
            database.execute("""
                    create function no_room() returns trigger language plpgsql as
                    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$
                    """);
            database.execute(
                    "create trigger no_room before insert on tidegate_backlog for each row execute function no_room()");
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            lease.tryAcquire("A", 1);
            assertFails(Reason.FULL, "no room left", () -> lease.tryAcquire("A", 2));
            assertThat(database.number("select waiting from tidegate_domain")).isZero();
        }
    }

    @Test
    @DisplayName("a table of MariaDB that is really full, because it is in memory and has a limit")
    void operation_mariaDbFull_saysSo() {
        try (TestDatabase database = TestDatabase.create(Kind.MARIADB)) {
            database.execute(
                    "set statement max_heap_table_size = 16384 for alter table tidegate_backlog engine = memory");
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            lease.tryAcquire("A", 0);
            List<Offer> many = LongStream.range(1, 2_000)
                    .mapToObj(offset -> new Offer("A", offset))
                    .toList();
            assertFails(Reason.FULL, "no room left", () -> lease.tryAcquireAll(many));
            assertThat(database.number("select waiting from tidegate_domain")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRES", "MARIADB"})
    @DisplayName("an operation that waits for too long is refused with this reason, and nothing is left of it")
    void operation_locked_saysSo(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind);
                Connection impatient = DriverManager.getConnection(database.url());
                Connection locking = database.transaction();
                Statement lock = locking.createStatement()) {
            JdbcWorkLease lease = JdbcWorkLease.builder(OneConnection.of(impatient), "orders", 0)
                    .lockTimeout(Duration.ofMillis(1))
                    .build();
            String token = ((AcquireResult.Acquired) lease.tryAcquire("A", 1)).token();
            lock.execute("select * from tidegate_domain for update");
            assertFails(Reason.LOCKED, "nothing has changed, ask again", () -> lease.succeed("A", token));
            assertThat(isInTransaction(database, impatient)).isFalse();
            locking.rollback();
            lease.succeed("A", token);
        }
    }

    private static boolean isInTransaction(TestDatabase database, Connection connection) throws SQLException {
        if (connection.isWrapperFor(PGConnection.class)) {
            int backend = connection.unwrap(PGConnection.class).getBackendPID();
            return database.number("select count(*) from pg_stat_activity where state <> 'idle' and pid = " + backend)
                    != 0;
        }
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select @@in_transaction")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    @DisplayName("an empty pool is named in the message: nothing was sent, so nothing has changed")
    void operation_poolEmpty_saysSo() throws SQLException {
        HikariConfig one = new HikariConfig();
        one.setMaximumPoolSize(1);
        one.setConnectionTimeout(250);
        try (TestDatabase database = TestDatabase.create(Kind.H2_MEMORY)) {
            one.setDataSource(database.pool());
            assertSaysThatThePoolIsEmpty(one);
        }
    }

    private static void assertSaysThatThePoolIsEmpty(HikariConfig one) throws SQLException {
        try (HikariDataSource small = new HikariDataSource(one)) {
            JdbcWorkLease lease = JdbcWorkLease.builder(small, "orders", 0).build();
            try (Connection only = small.getConnection()) {
                assertThat(only.isClosed()).isFalse();
                assertFails(
                        Reason.NO_CONNECTION,
                        "the pool is empty or the database cannot be reached, nothing has changed",
                        () -> lease.tryAcquire("A", 1));
            }
            assertThat(lease.tryAcquire("A", 1)).isInstanceOf(AcquireResult.Acquired.class);
        }
    }

    @Test
    @DisplayName("a transaction undone because of others runs again after a pause, up to a hundred times in all")
    void operation_overtaken_isRunAgain() {
        try (TestDatabase database = TestDatabase.create(Kind.H2_MEMORY)) {
            AtomicInteger overtakings = new AtomicInteger(99);
            AtomicInteger tries = new AtomicInteger();
            List<Integer> pauses = new ArrayList<>();
            Transactions transactions = new Transactions(database.pool(), Engine.Commit.AFTERWARDS, retry -> {
                pauses.add(retry);
                return Duration.ZERO;
            });
            Transactions.Body<Integer> body = connection -> {
                tries.incrementAndGet();
                if (overtakings.getAndDecrement() > 0) {
                    throw new SQLException("deadlock", "40P01");
                }
                return tries.get();
            };
            assertThat(transactions.run(body)).isEqualTo(100);
            assertThat(pauses).hasSize(99).startsWith(1, 2, 3).endsWith(99);

            overtakings.set(100);
            assertFails(Reason.BUSY, "nothing has changed", () -> transactions.run(body));
            assertThat(database.connectionsInUse()).isZero();
        }
    }

    @Test
    void build_nobodyThereOnMariaDb_saysSo() throws SQLException {
        MariaDbDataSource nobody = new MariaDbDataSource(TestDatabase.mariaDbUrl(1, "nowhere"));
        assertFails(
                Reason.NO_CONNECTION,
                "nothing has changed, ask again",
                () -> JdbcWorkLease.builder(nobody, "orders", 0).build());
    }

    @Test
    @DisplayName("WL-26 a MariaDB that writes later is refused")
    void build_mariaDbWritesLater_isRefused() {
        try (TestDatabase database = TestDatabase.create(Kind.MARIADB)) {
            database.execute("set global innodb_flush_log_at_trx_commit = 2");
            try {
                assertFails(
                        Reason.NOT_DURABLE,
                        "innodb_flush_log_at_trx_commit: 2 (expected: 1)",
                        () -> JdbcWorkLease.builder(database.pool(), "orders", 0)
                                .build());
            } finally {
                database.execute("set global innodb_flush_log_at_trx_commit = 1");
            }
        }
    }

    @Test
    void operation_readOnly_saysSo() {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRES);
                HikariDataSource readOnly =
                        TestDatabase.newPool(database.url() + "&options=-c%20default_transaction_read_only=on")) {
            JdbcWorkLease lease = JdbcWorkLease.builder(readOnly, "orders", 0).build();
            assertFails(Reason.READ_ONLY, "takes no changes", () -> lease.tryAcquire("A", 1));
            assertThat(lease.inspect("A")).isEmpty();
        }
    }

    @Test
    void build_nobodyThere_saysSo() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl(TestDatabase.postgresUrl(1, "nowhere"));
        assertFails(
                Reason.NO_CONNECTION,
                "nothing has changed, ask again",
                () -> JdbcWorkLease.builder(nobody, "orders", 0).build());
        assertFails(Reason.NO_CONNECTION, "ask again", () -> JdbcWorkLease.migrate(nobody));
    }

    @Test
    @DisplayName("WL-26 a database in a file that writes later is refused")
    void build_h2WritesLater_isRefused(@TempDir Path folder) {
        JdbcDataSource late = new JdbcDataSource();
        late.setUrl("jdbc:h2:file:" + folder.resolve("db"));
        late.setUser("sa");
        JdbcWorkLease.migrate(late);
        assertFails(
                Reason.NOT_DURABLE,
                "WRITE_DELAY: 500 (expected: 0",
                () -> JdbcWorkLease.builder(late, "orders", 0).build());
    }

    @Test
    void builder_misuse_isRefusedAtOnce() {
        JdbcDataSource unused = new JdbcDataSource();
        assertMisuse("name: \"\" (expected: not blank)", () -> JdbcWorkLease.builder(unused, "", 0));
        assertMisuse("name: \" \" (expected: not blank)", () -> JdbcWorkLease.migrate(unused, " "));
        assertMisuse(
                "name: 101 characters (expected: <= 100)", () -> JdbcWorkLease.builder(unused, "x".repeat(101), 0));
        assertMisuse("name: a\0 (expected: valid Unicode", () -> JdbcWorkLease.builder(unused, "a\0", 0));
        assertMisuse("maxRetries: -1 (expected: >= 0)", () -> JdbcWorkLease.builder(unused, "orders", -1));
        JdbcWorkLease.Builder builder = JdbcWorkLease.builder(unused, "orders", 0);
        assertMisuse("timeout: PT0S", () -> builder.lockTimeout(Duration.ZERO));
        assertMisuse("owner: \"\" (expected: not empty)", () -> builder.owner(""));
        assertMisuse("duration: PT0S", () -> builder.leaseDuration(Duration.ZERO));
        assertMisuse("duration: PT-1S", () -> builder.leaseDuration(Duration.ofSeconds(-1)));
        assertMisuse("duration: PT", () -> builder.leaseDuration(Duration.ofDays(40_000)));
        assertMisuse("duration: PT", () -> builder.leaseDuration(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    @DisplayName("WL-11 names that a database could not distinguish, or store, are refused")
    void domain_notForDatabases_isMisuse() {
        try (TestDatabase database = TestDatabase.create(Kind.H2_MEMORY)) {
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            assertMisuse("domainId", () -> lease.tryAcquire("a\0", 1));
            assertMisuse("domainId", () -> lease.tryAcquireAll(List.of(new Offer("\ud83d", 1))));
            assertMisuse("domainId: 501 characters (expected: <= 500)", () -> lease.tryAcquire("x".repeat(501), 1));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    @DisplayName("WL-11 the longest names of the widest characters, alone and in a batch")
    void domain_longest_isKept(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            String name = IntStream.range(0, 499)
                    .mapToObj(i -> Character.toString(0x4e00 + 37 * i))
                    .collect(Collectors.joining());
            JdbcWorkLease lease = JdbcWorkLease.builder(database.pool(), "orders", 0)
                    .owner(name + "!")
                    .build();
            assertThat(lease.tryAcquire(name + "a", 1).code()).isEqualTo("ACQUIRED");
            assertThat(lease.tryAcquire(name + "A", 1).code()).isEqualTo("ACQUIRED");
            assertThat(lease.tryAcquireAll(List.of(
                            new Offer(name + "a", 1), new Offer(name + " ", 1), new Offer("\t\"\\\ud83d\ude00", 1))))
                    .extracting(answer -> answer.orThrow().code())
                    .containsExactly("ALREADY_ACQUIRED", "ACQUIRED", "ACQUIRED");
            assertThat(lease.inspect("\t\"\\\ud83d\ude00")).isPresent();
        }
    }

    private static void assertMisuse(String message, ThrowingCallable misuse) {
        assertThatThrownBy(misuse).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    private static void assertFails(Reason reason, String message, ThrowingCallable operation) {
        assertThatThrownBy(operation)
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        thrown -> assertThat(thrown.reason()).isEqualTo(reason));
    }
}
