package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.cluster.CapStore;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.relay.ClaimBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Migrates the tables of version 1, in which leases had no name, with rows in each of them. */
@ParameterizedClass
@EnumSource(
        value = Kind.class,
        names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MigrationTest {
    private static final long LATER = 4_000_000_000_000L;

    private final Kind kind;
    private final Engine engine;
    private final TestDatabase database;

    MigrationTest(Kind kind) throws IOException {
        this.kind = kind;
        this.database = TestDatabase.empty(kind);
        this.engine = switch (kind) {
            case POSTGRES -> new PostgresEngine();
            case MARIADB -> new MariaDbEngine("MariaDB");
            default -> new H2Engine();
        };
        run("landed/" + engine.name() + "/V1__work_lease.sql");
        if (kind == Kind.POSTGRES) {
            run("landed/postgresql/V2__cluster_bulkhead.sql");
        }
    }

    @AfterEach
    void close() {
        assertThat(database.connectionsInUse()).isZero();
        database.close();
    }

    private void run(String file) throws IOException {
        run(file, database);
    }

    private void run(String file, TestDatabase target) throws IOException {
        try (InputStream script = MigrationTest.class.getResourceAsStream(file)) {
            engine.statements(new String(script.readAllBytes(), UTF_8)).forEach(target::execute);
        }
    }

    /** Makes a domain in each state, in the tables of version 1. */
    private void fillTables() {
        domain(
                1,
                "leased",
                "lease_offset = 5, owner = 'we', acquired_at = 1000, retry_count ="
                        + " 2, retries_before = 1, lease_until = "
                        + LATER);
        setToken(1, 11);
        domain(
                2,
                "ended",
                "lease_offset = 7, owner = 'we', acquired_at = 2000, retry_count = 0,"
                        + " retries_before = 0, lease_until = 2");
        setToken(2, 12);
        domain(3, "queued", "waiting = 2");
        domain(
                4,
                "done",
                "run_first = 1, run_last = 9, processed_count = 10, last_token = '4.x', last_code = 'NO_BACKLOG'");
        domain(5, "failed", "processed_count = 0");
        domain(6, "forgotten", "forgotten = 100");
        domain(
                7,
                "leased and queued",
                "lease_offset = 1, owner = 'they', acquired_at = 1, retry_count = 0, retries_before = 0, waiting = 1,"
                        + " lease_until = "
                        + LATER);
        setToken(7, 13);
        if (kind == Kind.POSTGRES) {
            database.execute("update tidegate_domain set highest = case id when 4 then 2998 when 6 then 300 end");
            database.execute("select setval('tidegate_fence', 13)");
            database.execute("alter table tidegate_domain alter column id restart with 8");
            database.execute("insert into tidegate_backlog (domain_id, work_offset) values (3, 30), (3, 10), (7, 2)");
            database.execute("insert into tidegate_cap values ('pay', 7)");
            database.execute("insert into tidegate_slice values ('pay', 'they', 3, 2, 2, 2, 1000, " + LATER + ")");
        } else {
            database.execute("insert into tidegate_backlog (domain_id, place, work_offset)"
                    + " values (3, 1, 30), (3, 2, 10), (7, 1, 2)");
            database.execute("update tidegate_domain set last_place = waiting");
        }
        if (kind == Kind.MARIADB) {
            database.execute("alter table tidegate_fence auto_increment = 14");
        }
        if (kind == Kind.H2_MEMORY) {
            database.execute("update tidegate_domain set last_fence = fence");
            database.execute("insert into tidegate_fence values (13)");
        }
        StringBuilder processed = new StringBuilder("(4, 20, 20), (4, " + Long.MIN_VALUE + ", -500), (6, 200, 300)");
        for (int offset = 1_000; offset < 3_000; offset += 2) {
            // every second offset, and at first some that touch each other, as two streams left them
            processed
                    .append(", (4, " + offset + ", " + offset + ")")
                    .append(offset < 1_100 ? ", (4, " + (offset + 1) + ", " + (offset + 1) + ")" : "");
        }
        database.execute("insert into tidegate_processed (domain_id, first_offset, last_offset) values " + processed);
        database.execute(
                "insert into tidegate_failed (domain_id, work_offset, retry_count, failed_at) values (5, 3, 2, "
                        + database.time(1_000) + ")");
    }

    private void domain(int id, String name, String state) {
        boolean dated = kind == Kind.MARIADB;
        String identity = kind == Kind.MARIADB ? "" : " overriding system value";
        database.execute("insert into tidegate_domain (id, name" + (dated ? ", changed_at" : "") + ")" + identity
                + " values (" + id + ", " + database.bytes(name) + (dated ? ", 0" : "") + ")");
        database.execute("update tidegate_domain set " + state + " where id = " + id);
    }

    private void setToken(int id, int fence) {
        database.execute("update tidegate_domain set fence = " + fence
                + (kind == Kind.POSTGRES ? ", secret = 'secret'" : ", token = '" + fence + ".secret'") + " where id = "
                + id);
    }

    private JdbcWorkLease lease(String name, String owner) {
        return JdbcWorkLease.builder(database.pool(), name, 2).owner(owner).build();
    }

    @Test
    @DisplayName("WL-27 what is in the tables of today belongs to the name that migrate gives it, and nothing is lost")
    void migrate_named_keepsAll() {
        fillTables();

        JdbcWorkLease.migrate(database.pool(), "orders");
        JdbcWorkLease.migrate(database.pool(), "invoices");

        assertAllIsKept();
    }

    @Test
    @DisplayName(
            "WL-27 processes that die one after the other, each a statement later than the one before, lose nothing")
    void migrate_killedAtEachStatement_keepsAll() throws SQLException {
        fillTables();

        int statements = 0;
        boolean died = true;
        while (died) {
            DyingProcess process = new DyingProcess(database.url(), statements++);
            try {
                JdbcWorkLease.migrate(process.dataSource(), "orders");
            } catch (JdbcLeaseException broken) {
                if (!process.isDead()) {
                    throw broken;
                }
            }
            died = process.isDead();
        }

        // on PostgreSQL a script is one transaction
        assertThat(statements).isGreaterThan(kind == Kind.POSTGRES ? 2 : 10);
        assertTablesAreNew();
        assertAllIsKept();
    }

    @ParameterizedTest
    @ValueSource(strings = {"domain", "failed", "schema", "processed"})
    @DisplayName("WL-27 a migration that dies before the change of a table, within any statement, loses nothing")
    void migrate_killedBeforeChange_keepsAll(String table) throws Exception {
        if (kind == Kind.H2_MEMORY) {
            return; // on H2 each change is a statement, and the test above cuts before each one
        }
        fillTables();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection user = database.transaction();
                Statement statement = user.createStatement()) {
            // holds a lock that keeps the table from being changed
            statement.execute("delete from tidegate_" + table + " where 1 = 0");
            Future<?> migration = thread.submit(() -> JdbcWorkLease.migrate(database.pool(), "orders"));
            String kill;
            do {
                assertThat(migration.isDone()).as("changes " + table).isFalse();
                kill = killOfWaitingSession();
            } while (kill == null);
            database.execute(kill);
            assertThatThrownBy(migration::get).hasCauseInstanceOf(JdbcLeaseException.class);
            user.rollback();
        } finally {
            thread.shutdown();
        }

        JdbcWorkLease.migrate(database.pool(), "orders");

        assertTablesAreNew();
        assertAllIsKept();
    }

    /** Returns the statement that kills the session which waits for a lock of a table; null if none waits. */
    private String killOfWaitingSession() throws SQLException {
        return database.text(
                switch (kind) {
                    case POSTGRES ->
                        "select 'select pg_terminate_backend(' || min(pid) || ')' from pg_stat_activity where"
                                + " wait_event_type = 'Lock'";
                    case MARIADB ->
                        "select concat('kill ', min(id)) from information_schema.processlist where state like 'Waiting"
                                + " for table metadata lock%'";
                    default -> throw new IllegalStateException(kind + " is in this process");
                });
    }

    private void assertAllIsKept() {
        JdbcWorkLease ours = lease("orders", "we");
        JdbcWorkLease theirs = lease("orders", "they");
        assertThat(ours.pending(10, "")).containsExactly("ended", "queued");
        assertThat(ours.inspect("leased").orElseThrow().lease())
                .contains(new LeaseRecord(5, "11.secret", 11, 1_000, 2));
        assertThat(theirs.tryAcquire("leased", 5)).isEqualTo(new AcquireResult.HeldElsewhere("we", LATER));
        assertThat(ours.fail("leased", "11.secret", 1).code()).isEqualTo("RETRY_SCHEDULED");
        assertThat(ours.succeed("leased", "11.secret")).isEqualTo(new SucceedResult.NoBacklog());
        AcquireResult.Acquired taken = (AcquireResult.Acquired) theirs.tryAcquire("ended", 7);
        assertThat(taken.retryCount()).isEqualTo(1);
        assertThat(taken.fence()).isGreaterThan(12);
        assertThat(ours.inspect("queued").orElseThrow().backlog()).containsExactly(30L, 10L);
        assertThat(ours.tryAcquire("queued", 30).code()).isEqualTo("ACQUIRED");
        assertThat(ours.tryAcquire("queued", 31).code()).isEqualTo("ENQUEUED");
        assertThat(ours.inspect("queued").orElseThrow().backlog()).containsExactly(10L, 31L);
        assertThat(ours.succeed("done", "4.x")).isEqualTo(new SucceedResult.NoBacklog());
        for (long offset : new long[] {1, 9, 20, Long.MIN_VALUE, -500, 1_000, 1_001, 1_099, 1_100, 2_000, 2_998}) {
            assertThat(ours.tryAcquire("done", offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }
        for (long offset : new long[] {0, 21, 1_101, 2_997}) {
            ours.succeed("done", ((AcquireResult.Acquired) ours.tryAcquire("done", offset)).token());
            assertThat(ours.tryAcquire("done", offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }
        if (kind != Kind.H2_MEMORY) {
            assertThat(database.number("select count(*) from tidegate_processed"))
                    .as("packed")
                    .isLessThan(10);
        }
        assertThat(ours.inspect("done").orElseThrow().processedCount()).isEqualTo(14);
        assertThat(((AcquireResult.Acquired) ours.tryAcquire("done", 10)).fence())
                .isGreaterThan(kind == Kind.H2_MEMORY ? 0 : 13);
        assertThat(ours.failedWork("failed", 10)).containsExactly(new FailedWork(3, 2, 1_000, ""));
        assertThat(ours.replay("failed", 3)).isTrue();
        assertThat(ours.tryAcquire("forgotten", 100)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(ours.tryAcquire("forgotten", 250)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(theirs.succeed("leased and queued", "13.secret")).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(ours.pending(10, "")).containsExactly("failed", "leased and queued");

        JdbcWorkLease others = lease("invoices", "we");
        assertThat(others.inspect("leased")).isEmpty();
        assertThat(others.pending(10, "")).isEmpty();
        assertThat(others.tryAcquire("leased", 5).code()).isEqualTo("ACQUIRED");
        if (kind == Kind.POSTGRES) {
            CapStore caps = JdbcCapStore.of(database.pool());
            assertThat(caps.inspect("pay").orElseThrow().cap()).isEqualTo(7);
            assertThat(caps.claim(ClaimBuilder.of("pay", "we")
                                    .firstCap(7)
                                    .need(7)
                                    .made())
                            .granted())
                    .as("what they do not have")
                    .isEqualTo(5);
        }
    }

    @Test
    @DisplayName("WL-27 without a name, tables with work stay as they are, with an error; empty ones are migrated")
    void migrate_withoutName_refusesWork() {
        fillTables();
        assertThatThrownBy(() -> JdbcWorkLease.migrate(database.pool()))
                .hasMessage(
                        "Schema: lease version 1 has work without a name, run JdbcWorkLease.migrate(dataSource, name)"
                                + " with the name of the lease that it belongs to")
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.SCHEMA_TOO_OLD));
        assertThatThrownBy(() -> lease("orders", "we")).hasMessageContaining("lease version 1 (expected: 3)");
        assertThat(database.number("select count(*) from tidegate_domain")).isEqualTo(7);

        database.deleteAll();
        JdbcWorkLease.migrate(database.pool());

        SmokeTest.everyOperation(
                JdbcWorkLease.builder(database.pool(), "orders", 0).build(), "A");
    }

    @Test
    @DisplayName("WL-27 the tables are the same, whether they were made or brought up to date")
    void migrate_tables_areTheSame() throws SQLException {
        JdbcWorkLease.migrate(database.pool(), "orders");
        assertTablesAreNew();
    }

    private void assertTablesAreNew() throws SQLException {
        try (TestDatabase fresh = TestDatabase.empty(kind)) {
            JdbcWorkLease.migrate(fresh.pool());
            assertThat(columns(database)).isNotEmpty().containsExactlyInAnyOrderElementsOf(columns(fresh));
            assertThat(indexes(database)).isNotEmpty().containsExactlyInAnyOrderElementsOf(indexes(fresh));
        }
    }

    private static List<String> columns(TestDatabase database) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = database.pool().getConnection();
                ResultSet row = connection
                        .getMetaData()
                        .getColumns(connection.getCatalog(), connection.getSchema(), null, null)) {
            while (row.next()) {
                String table = row.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                if (table.startsWith("tidegate_")) {
                    columns.add(table + "." + row.getString("COLUMN_NAME") + " " + row.getString("TYPE_NAME") + " "
                            + row.getInt("COLUMN_SIZE") + " " + row.getString("IS_NULLABLE") + " "
                            + row.getString("COLUMN_DEF") + " " + row.getString("IS_GENERATEDCOLUMN"));
                }
            }
        }
        return columns;
    }

    private List<String> indexes(TestDatabase database) throws SQLException {
        List<String> indexes = new ArrayList<>();
        try (Connection connection = database.pool().getConnection()) {
            DatabaseMetaData metaData = connection.getMetaData();
            for (String table : List.of("schema", "fence", "domain", "backlog", "processed", "failed")) {
                String name = "tidegate_" + table;
                try (ResultSet row = metaData.getIndexInfo(
                        connection.getCatalog(),
                        connection.getSchema(),
                        kind == Kind.H2_MEMORY ? name.toUpperCase(Locale.ROOT) : name,
                        false,
                        false)) {
                    while (row.next()) {
                        indexes.add(name + " " + row.getBoolean("NON_UNIQUE") + " " + row.getInt("ORDINAL_POSITION")
                                + " " + row.getString("COLUMN_NAME") + " " + row.getString("FILTER_CONDITION"));
                    }
                }
            }
        }
        return indexes;
    }

    @Test
    @DisplayName("WL-27 many processes that migrate the tables and work at the same time lose nothing")
    void migrate_byManyAtOnce_allSucceed() throws Exception {
        fillTables();
        int many = 4;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            CyclicBarrier start = new CyclicBarrier(many);
            List<Future<String>> ends = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                ends.add(threads.submit(() -> {
                    start.await();
                    JdbcWorkLease.migrate(database.pool(), "orders");
                    JdbcWorkLease lease = lease("orders", "we");
                    lease.deleteFailed(Duration.ofDays(40_000));
                    return lease.tryAcquire("leased", 5).code();
                }));
            }
            for (Future<String> end : ends) {
                assertThat(end.get()).isEqualTo("ALREADY_ACQUIRED");
            }
        } finally {
            threads.shutdown();
        }
        assertThat(lease("orders", "we").pending(10, "")).containsExactly("ended", "queued");
    }

    @Test
    @DisplayName("WL-27 from version 2, too, nothing is lost, and the tables are those that are made")
    void migrate_fromVersion2_keepsAll() throws Exception {
        try (TestDatabase second = TestDatabase.empty(kind);
                TestDatabase fresh = TestDatabase.empty(kind)) {
            run("landed/" + engine.name() + "/V2__lease.sql", second);
            String identity = kind == Kind.MARIADB ? "" : " overriding system value";
            String dated = kind == Kind.MARIADB ? ", changed_at" : "";
            for (String row : List.of("(1, 'leased'", "(2, 'done'", "(3, 'failed'")) {
                String name = row.substring(row.indexOf('\'') + 1, row.length() - 1);
                second.execute("insert into tidegate_domain (id, lease, name" + dated + ")" + identity + " values ("
                        + row.charAt(1) + ", " + second.bytes("orders") + ", " + second.bytes(name)
                        + (dated.isEmpty() ? "" : ", 0") + ")");
            }
            second.execute("update tidegate_domain set fence = 13, "
                    + (kind == Kind.POSTGRES ? "secret = 'secret'" : "token = '13.secret'")
                    + ", lease_offset = 5, owner = 'we', acquired_at = 1000, retry_count = 2, retries_before = 1,"
                    + " look_at = 0,"
                    + " lease_until = " + LATER + " where id = 1");
            second.execute("update tidegate_domain set run_first = 1, run_last = 9, processed_count = 12"
                    + (kind == Kind.POSTGRES ? ", highest = 30" : "") + " where id = 2");
            second.execute("insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)"
                    + " values (2, 28, 30, 28, '')");
            second.execute(
                    "insert into tidegate_failed (domain_id, work_offset, retry_count, failed_at) values (3, 7, 2, "
                            + second.time(1_000) + ")");
            switch (kind) {
                case POSTGRES -> second.execute("update tidegate_domain set highest = 7 where id = 3");
                case MARIADB -> second.execute("alter table tidegate_fence auto_increment = 14");
                default -> second.execute("update tidegate_domain set last_fence = fence");
            }
            if (kind == Kind.POSTGRES) {
                second.execute("select setval('tidegate_fence', 13)");
            }

            JdbcWorkLease.migrate(second.pool());
            JdbcWorkLease.migrate(second.pool());
            JdbcWorkLease.migrate(fresh.pool());

            assertThat(columns(second)).containsExactlyInAnyOrderElementsOf(columns(fresh));
            JdbcWorkLease lease = JdbcWorkLease.builder(second.pool(), "orders", 2)
                    .owner("we")
                    .build();
            assertThat(lease.inspect("leased").orElseThrow().lease())
                    .contains(new LeaseRecord(5, "13.secret", 13, 1_000, 2));
            assertThat(lease.succeed("leased", "13.secret")).isEqualTo(new SucceedResult.NoBacklog());
            assertThat(((AcquireResult.Acquired) lease.tryAcquire("leased", 6)).fence())
                    .isGreaterThan(13);
            for (long offset : new long[] {1, 9, 28, 30}) {
                assertThat(lease.tryAcquire("done", offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
            }
            assertThat(lease.tryAcquire("done", 10).code()).isEqualTo("ACQUIRED");
            assertThat(lease.tryAcquire("failed", 7).code()).isEqualTo("ALREADY_FAILED");
            assertThat(lease.tryAcquire("failed", 8).code()).isEqualTo("ACQUIRED");
        }
    }

    @Test
    @DisplayName("WL-27 a user that may not create tables gets a message that says so, and nothing has changed")
    void migrate_withoutRights_saysSo() throws Exception {
        try (TestDatabase empty = TestDatabase.empty(kind);
                HikariDataSource guest = guestOf(empty)) {
            assertThatThrownBy(() -> JdbcWorkLease.migrate(guest))
                    .isInstanceOfSatisfying(
                            JdbcLeaseException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_ALLOWED))
                    .hasMessageContaining("one who may create tables");
            assertThat(columns(empty)).isEmpty();
        }
    }

    @Test
    @DisplayName("WL-27 a user that may not create tables can call migrate when there is nothing to do")
    void migrate_nothingToDo_needsNoRights() throws Exception {
        try (TestDatabase made = TestDatabase.empty(kind)) {
            JdbcWorkLease.migrate(made.pool());
            try (HikariDataSource guest = guestOf(made)) {
                JdbcWorkLease.migrate(guest);
                JdbcWorkLease.migrate(guest, "orders");
            }
        }
    }

    /** Returns a pool of a user that may only read. */
    private HikariDataSource guestOf(TestDatabase empty) throws SQLException {
        String schema;
        try (Connection connection = empty.pool().getConnection()) {
            schema = kind == Kind.MARIADB ? connection.getCatalog() : connection.getSchema();
        }
        String guest = "guest_" + schema.toLowerCase(Locale.ROOT);
        switch (kind) {
            case POSTGRES -> {
                empty.execute("create role " + guest + " login");
                empty.execute("grant usage on schema " + schema + " to " + guest);
                empty.execute("grant select on all tables in schema " + schema + " to " + guest);
            }
            case MARIADB -> {
                empty.execute("create user " + guest + "@localhost");
                empty.execute("grant select on " + schema + ".* to " + guest + "@localhost");
            }
            default -> {
                empty.execute("create user " + guest + " password ''");
                empty.execute("grant select on schema " + schema + " to " + guest);
            }
        }
        // settings behind a semicolon belong to H2's owner, and a guest may not use them
        String url = empty.url()
                .replaceFirst("user=(postgres|root)", "user=" + guest)
                .replaceFirst(";.*", "");
        return TestDatabase.newPool(url, guest);
    }
}
