package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cost of finding domains that have work and no owner, and of keeping this index for a domain that changes all the
 * time.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PendingTest {
    private static final String INDEX = "tidegate_domain_watched";
    private static final int DOMAINS = 3_000;
    private static final int CYCLES = 5;

    /** Makes many domains without work, some with an owner, and a few that are pending. */
    private static JdbcWorkLease fill(TestDatabase database) {
        JdbcWorkLease lease =
                JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        List<Offer> offers = IntStream.range(0, DOMAINS)
                .mapToObj(number -> new Offer("domain " + number, 1))
                .toList();
        List<BatchAnswer<AcquireResult>> held = lease.tryAcquireAll(offers);
        List<Finish> done = IntStream.range(20, DOMAINS)
                .mapToObj(i -> new Finish(
                        offers.get(i).domainId(),
                        ((AcquireResult.Acquired) held.get(i).orThrow()).token()))
                .toList();
        lease.succeedAll(done);
        database.pass(Duration.ofDays(1));
        for (int page = 0; page * Engine.MOST_CORRECTIONS < DOMAINS; page++) {
            assertThat(lease.pending(DOMAINS, "")).hasSize(20);
        }
        return lease;
    }

    @Test
    @DisplayName("WL-30 PostgreSQL: pending reads due domains by their index, in its order, and nothing else")
    void pending_postgres_usesItsIndex() throws SQLException {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRES)) {
            JdbcWorkLease lease = fill(database);
            database.execute("vacuum analyze tidegate_domain");
            assertThat(database.number("select count(*) from tidegate_domain where look_at is not null"))
                    .isEqualTo(20);
            String plan =
                    plan(database, "explain (analyze, costs off, timing off) " + PostgresEngine.PENDING, statement -> {
                        for (int i = 0; i < 6; i += 3) {
                            statement.setString(i + 1, "orders");
                            statement.setString(i + 2, "");
                            statement.setInt(i + 3, 10);
                        }
                    });
            assertThat(plan)
                    .contains("Index Scan using " + INDEX)
                    .doesNotContain("Seq Scan on tidegate_domain")
                    .doesNotContain("Sort");
            assertThat(lease.pending(10, "domain 11")).startsWith("domain 12").hasSize(10);
        }
    }

    @Test
    @DisplayName("WL-30 H2: pending reads by its index")
    void pending_h2_usesItsIndex() throws SQLException {
        try (TestDatabase database = TestDatabase.create(Kind.H2_MEMORY)) {
            fill(database);
            String plan = plan(database, "explain analyze " + H2Engine.PENDING, statement -> {
                statement.setBytes(1, "orders".getBytes(UTF_8));
                statement.setBytes(2, new byte[0]);
                statement.setLong(3, Long.MAX_VALUE);
                statement.setLong(4, Long.MAX_VALUE);
                statement.setLong(5, 10);
            });
            assertThat(plan).containsIgnoringCase(INDEX).containsIgnoringCase("index sorted");
        }
    }

    @Test
    @DisplayName("WL-30 MariaDB: pending reads by its index, and as many rows as there are to be looked at")
    void pending_mariaDb_usesItsIndex() throws SQLException, IOException {
        try (TestDatabase database = TestDatabase.create(Kind.MARIADB)) {
            JdbcWorkLease lease = fill(database);
            String plan = plan(database, "explain " + queryOfMariaDb(), statement -> {});
            assertThat(plan).contains(INDEX).contains("range").doesNotContain("filesort");
            try (Connection connection = database.pool().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("flush status");
                JdbcWorkLease.builder(OneConnection.of(connection), "orders", 0)
                        .build()
                        .pending(10, "domain 11");
                try (ResultSet row = statement.executeQuery(
                        "select sum(variable_value) from information_schema.session_status where variable_name in"
                                + " ('HANDLER_READ_NEXT', 'HANDLER_READ_KEY', 'HANDLER_READ_FIRST')")) {
                    row.next();
                    assertThat(row.getLong(1)).isLessThan(200);
                }
            }
            assertThat(lease.pending(10, "domain 11")).startsWith("domain 12").hasSize(10);
        }
    }

    /** Returns the last query of the procedure, with values instead of its parameters. */
    private static String queryOfMariaDb() throws IOException {
        try (InputStream script = Schema.class.getResourceAsStream("mariadb/lease_procedures.sql")) {
            String text = new String(script.readAllBytes(), UTF_8);
            String procedure = text.substring(text.indexOf("tidegate_pending("));
            String query = procedure.substring(procedure.indexOf("select convert(name"));
            return query.substring(0, query.indexOf(';'))
                    .replace("p_lease", "'orders'")
                    .replace("p_after", "''")
                    .replace("v_now", Long.toString(Long.MAX_VALUE))
                    .replace("p_most", "10");
        }
    }

    private interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    private static String plan(TestDatabase database, String explain, Parameters parameters) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                PreparedStatement statement = connection.prepareStatement(explain)) {
            parameters.set(statement);
            List<String> lines = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                        lines.add(row.getString(column));
                    }
                }
            }
            return String.join("\n", lines);
        }
    }

    @Test
    @DisplayName("WL-30 PostgreSQL: ordinary acquisitions and ends change no index; one on what they change is noticed")
    void cycles_postgres_stayHot() throws SQLException {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRES);
                Connection connection = database.pool().getConnection()) {
            JdbcWorkLease lease = JdbcWorkLease.builder(OneConnection.of(connection), "orders", 0)
                    .build();
            lease.succeed("A", acquire(lease, 0));

            Updates ours = updatesOfCycles(lease, connection, 1);
            assertThat(ours.all).isGreaterThanOrEqualTo(2 * CYCLES);
            assertThat(ours.hot).isEqualTo(ours.all);

            database.execute("create index on tidegate_domain (lease_until)");
            assertThat(updatesOfCycles(lease, connection, CYCLES + 1).hot).isZero();
        }
    }

    @Test
    @DisplayName("PostgreSQL: while an old snapshot keeps all versions of a row, its newest one is found first")
    void cycles_postgresWithOldSnapshot_readFewVersions() throws SQLException {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRES);
                Connection connection = database.pool().getConnection();
                Connection old = database.transaction()) {
            JdbcWorkLease lease = JdbcWorkLease.builder(OneConnection.of(connection), "orders", 0)
                    .build();
            lease.succeed("A", acquire(lease, 0));
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = old.createStatement()) {
                statement.execute("select * from tidegate_domain");
            }
            for (long offset = 1; offset <= 500; offset++) {
                lease.succeed("A", acquire(lease, offset));
            }
            assertThat(database.number("select pg_relation_size('tidegate_domain') / 8192"))
                    .as("pages, each of which has an entry in the index")
                    .isGreaterThan(15);

            long before = entriesRead(connection);
            updatesOfCycles(lease, connection, 501);

            assertThat(entriesRead(connection) - before).isLessThan(10 * CYCLES);
            old.rollback();
        }
    }

    private static long entriesRead(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            try (ResultSet row = statement.executeQuery("select sum(idx_tup_read) from pg_stat_user_indexes"
                    + " where relname = 'tidegate_domain' and schemaname = current_schema()")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private record Updates(long all, long hot) {}

    /** Does so few cycles that all versions of the row fit into a page, whether or not earlier ones are cleaned up. */
    private static Updates updatesOfCycles(JdbcWorkLease lease, Connection connection, long first) throws SQLException {
        Updates before = updates(connection);
        for (long offset = first; offset < first + CYCLES; offset++) {
            lease.succeed("A", acquire(lease, offset));
        }
        Updates after = updates(connection);
        return new Updates(after.all - before.all, after.hot - before.hot);
    }

    /** Returns the updates of this connection, which alone has changed something. */
    private static Updates updates(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            try (ResultSet row = statement.executeQuery("select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables"
                    + " where relname = 'tidegate_domain' and schemaname = current_schema()")) {
                row.next();
                return new Updates(row.getLong(1), row.getLong(2));
            }
        }
    }

    private static String acquire(JdbcWorkLease lease, long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire("A", offset)).token();
    }
}
