package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.cluster.CapStore;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.relay.ClaimBuilder;
import io.tidegate.testkit.CapStoreContract;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of stores of shared caps, on PostgreSQL. */
class CapStoreTest extends CapStoreContract {
    private final List<TestDatabase> opened = new ArrayList<>();

    @Override
    protected CapStore open() {
        opened.add(TestDatabase.create(Kind.POSTGRES));
        return JdbcCapStore.of(last().pool());
    }

    private TestDatabase last() {
        return opened.get(opened.size() - 1);
    }

    /** Makes all stored times earlier, which has the same effect. */
    @Override
    protected void pass(long millis) {
        last().execute("update tidegate_slice set lease_until = lease_until - " + millis + ", turn_at = turn_at - "
                + millis + ", asked_at = asked_at - " + millis);
        last().execute("update tidegate_cap set count_at = count_at - " + millis);
    }

    @AfterEach
    void close() {
        opened.forEach(database -> assertThat(database.connectionsInUse()).isZero());
        opened.forEach(TestDatabase::close);
    }

    @Test
    @DisplayName("a database that only has the tables of the work lease says how to get the others")
    void of_tablesOfVersionOne_saysSo() {
        open();
        last().execute("drop table tidegate_cap, tidegate_slice cascade");
        last().execute("delete from tidegate_schema where component = 'cluster'");

        assertThatThrownBy(() -> JdbcCapStore.of(last().pool()))
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        thrown -> assertThat(thrown.reason()).isEqualTo(Reason.SCHEMA_TOO_OLD))
                .hasMessageContaining("cluster version 0 (expected: 5), run JdbcWorkLease.migrate(dataSource)");
        assertThat(JdbcWorkLease.builder(last().pool(), "orders", 0).build().inspect("A"))
                .isEmpty();
    }

    @Test
    @DisplayName("INV-RB-CAPPED where a transaction sees one snapshot, a stale one is refused; the claim is repeated")
    void claim_repeatableRead_seesWhoClaimedMeanwhile() throws Exception {
        open().setCap("pay", 10);
        String repeatableRead = "&options=-c%20default_transaction_isolation=repeatable%5C%20read";
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (HikariDataSource pool = TestDatabase.newPool(last().url() + repeatableRead);
                Connection claiming = last().transaction();
                Statement statement = claiming.createStatement()) {
            CapStore store = JdbcCapStore.of(pool);
            statement.execute("select * from tidegate_claim_slice('pay', 'a', 1, 10, 0, 0, 10, false, 60000)");
            Future<CapStore.Share> other = thread.submit(
                    () -> store.claim(ClaimBuilder.of("pay", "b").need(10).made()));
            while (last().number("select count(*) from pg_stat_activity where wait_event_type = 'Lock'") == 0) {
                Thread.onSpinWait();
            }
            claiming.commit();

            assertThat(other.get()).isEqualTo(new CapStore.Share(0, 5, 10));
        } finally {
            thread.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    @DisplayName("INV-RB-CAPPED where many claim at once and transactions see one snapshot, none fails")
    void claim_manyAtOnceUnderOneSnapshot_noneFails(String isolation) throws Exception {
        open().setCap("pay", 10);
        String option = "&options=-c%20default_transaction_isolation=" + isolation.replace(" ", "%5C%20");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (HikariDataSource pool = TestDatabase.newPool(last().url() + option)) {
            CapStore store = JdbcCapStore.of(pool);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String owner = "p" + i;
                ends.add(threads.submit(() -> {
                    for (int number = 1; number <= 40; number++) {
                        store.claim(ClaimBuilder.of("pay", owner)
                                .number(number)
                                .need(3)
                                .made());
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            assertThat(store.inspect("pay").orElseThrow().held()).isLessThanOrEqualTo(10);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    @DisplayName("a claim does not look at all members")
    void claim_aThousandMembers_readsFew() throws Exception {
        open();
        try (Connection connection = last().transaction();
                Statement statement = connection.createStatement()) {
            statement.execute("select tidegate_claim_slice('pay', 'm' || m, 1, 10000, 0, 0, 1 + m % 20, false, 3600000)"
                    + " from generate_series(1, 1000) m");
            connection.commit();
            String rowsRead = "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables"
                    + " where schemaname = current_schema and relname like 'tidegate%'";
            long before = Long.parseLong(textOf(statement, rowsRead));
            statement.execute("select tidegate_claim_slice('pay', 'm7', 2, 10000, 8, 8, 30, false, 3600000)");

            assertThat(Long.parseLong(textOf(statement, rowsRead)) - before)
                    .as("rows read")
                    .isLessThan(20);
            connection.rollback();
        }
    }

    @Test
    @DisplayName("what was answered is on the disk, whatever the server's default is")
    void claim_answered_isDurable() throws Exception {
        open();
        try (HikariDataSource pool = TestDatabase.newPool(last().url() + "&options=-c%20synchronous_commit=off");
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            CapStore store = JdbcCapStore.of(pool);
            for (int number = 1; number <= 20; number++) {
                String before = textOf(statement, "select pg_current_wal_insert_lsn()::text");
                store.claim(ClaimBuilder.of("pay", "a").number(number).need(3).made());
                String flushed = "select pg_current_wal_flush_lsn() > '" + before + "'::pg_lsn";
                assertThat(textOf(statement, flushed)).as("claim %d", number).isEqualTo("t");
            }
        }
    }

    private static String textOf(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    @DisplayName("a member of version 3, which claims by a function, and one of this version share a cap")
    void claim_besideMemberOfVersionThree_leavesItsSlice() {
        CapStore store = open();
        last().execute("select * from tidegate_claim_slice('pay', 'old', 1, 10, 0, 0, 6, true, 60000)");

        assertThat(store.claim(ClaimBuilder.of("pay", "new").need(9).made())).isEqualTo(new CapStore.Share(4, 5, 10));
    }

    @Test
    @DisplayName("another database is refused")
    void of_otherDatabase_isRefused() {
        opened.add(TestDatabase.create(Kind.H2_MEMORY));

        assertThatThrownBy(() -> JdbcCapStore.of(last().pool()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dataSource: H2 (expected: PostgreSQL)");
    }
}
