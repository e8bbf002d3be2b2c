package io.tidegate.jdbc;

import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SucceedResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A finish that waits for the domain's row, or has an old snapshot, while another session enqueues. Its answer about
 * the backlog must be right: otherwise the enqueued offset waits, and no answer hints at it.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StaleSnapshotTest {
    private static final String A = "A";

    abstract static class OnDatabase {
        private final String enqueue;
        private final String waiting;
        final TestDatabase database;
        final String token;
        JdbcWorkLease lease;

        OnDatabase(Kind kind, String enqueue, String waiting) {
            this.enqueue = enqueue;
            this.waiting = waiting;
            database = TestDatabase.create(kind);
            lease = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            token = ((AcquireResult.Acquired) lease.tryAcquire(A, 1)).token();
        }

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        @DisplayName("WL-11 succeed locks the row first, and sees offsets enqueued meanwhile")
        void succeed_afterWaiting_seesWhoWasEnqueued() throws Exception {
            assertThat(whileSomebodyEnqueues(() -> lease.succeed(A, token))).isEqualTo(new SucceedResult.NextHint(2));
        }

        @Test
        @DisplayName("WL-11 fail locks the row first, and sees offsets enqueued meanwhile")
        void fail_afterWaiting_seesWhoWasEnqueued() throws Exception {
            assertThat(whileSomebodyEnqueues(() -> lease.fail(A, token)).code()).isEqualTo("GIVE_UP_NEXT_HINT");
        }

        @Test
        @DisplayName(
                "WL-13 deleteFailed leaves out a domain that is locked, as it could not know what is processed there")
        void deleteFailed_locked_isLeftOut() throws Exception {
            lease.fail(A, token);
            String second = ((AcquireResult.Acquired) lease.tryAcquire(A, 2)).token();
            try (Connection finishing = database.transaction()) {
                lease.succeed(finishing, A, second);
                assertThat(lease.deleteFailed(Duration.ZERO)).isZero();
                finishing.commit();
            }
            assertThat(lease.deleteFailed(Duration.ZERO)).isEqualTo(1);
            assertThat(lease.tryAcquire(A, 1)).isEqualTo(new AcquireResult.AlreadyProcessed());
            assertThat(lease.tryAcquire(A, 2)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }

        /**
         * Runs the finish so that it waits for the row, which a transaction has locked that enqueues 2 and then
         * commits.
         */
        <T> T whileSomebodyEnqueues(Callable<T> finish) throws Exception {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try (Connection enqueuing = database.transaction();
                    Statement statement = enqueuing.createStatement()) {
                statement.execute(enqueue);
                Future<T> finished = thread.submit(finish);
                while (database.number(waiting) == 0) {
                    Thread.onSpinWait();
                }
                enqueuing.commit();
                return finished.get();
            } finally {
                thread.shutdown();
            }
        }

        /** Returns a connection whose transaction sees the database as it was before 2 was enqueued. */
        Connection withOldSnapshot() throws SQLException {
            Connection connection = database.transaction();
            connection.setTransactionIsolation(TRANSACTION_REPEATABLE_READ);
            assertThat(countBacklog(connection)).isZero();
            lease.tryAcquire(A, 2);
            return connection;
        }

        static long countBacklog(Connection connection) throws SQLException {
            try (Statement query = connection.createStatement();
                    ResultSet row = query.executeQuery("select count(*) from tidegate_backlog")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Nested
    class Postgres extends OnDatabase {
        /**
         * Ends the lease and searches for the head in one statement, which seems sufficient because the row is locked
         * while it runs.
         */
        private static final String ALL_IN_ONE_STATEMENT = """
                update tidegate_domain d set secret = null, lease_offset = null, processed_count = processed_count + 1
                where name = ? and fence || '.' || secret = ?
                returning (select work_offset from tidegate_backlog b where b.domain_id = d.id order by place limit 1)
                """;

        Postgres() {
            super(
                    Kind.POSTGRES,
                    "select code from tidegate_try_acquire('orders', 'A', 2, 'somebody', 'secret', 1000, 0, 9, null)",
                    "select count(*) from pg_stat_activity where wait_event_type = 'Lock'");
        }

        @Test
        @DisplayName("one UPDATE with a subquery on the backlog reads a stale snapshot after it has waited for the row")
        void finish_inOneStatement_missesWhoWasEnqueued() throws Exception {
            String hint = whileSomebodyEnqueues(this::finishInOneStatement);
            assertThat(hint).isNull();
            assertThat(lease.inspect(A).orElseThrow().backlog()).containsExactly(2L);
        }

        private String finishInOneStatement() throws SQLException {
            try (Connection connection = database.transaction();
                    PreparedStatement update = connection.prepareStatement(ALL_IN_ONE_STATEMENT)) {
                update.setString(1, A);
                update.setString(2, token);
                try (ResultSet row = update.executeQuery()) {
                    row.next();
                    String hint = row.getString(1);
                    connection.commit();
                    return hint;
                }
            }
        }

        @Test
        @DisplayName("WL-11 where a transaction sees one snapshot, a stale one is refused; the operation runs again")
        void succeed_repeatableRead_seesWhoWasEnqueued() throws Exception {
            database.execute("alter role postgres set default_transaction_isolation = 'repeatable read'");
            try {
                database.restart();
                lease = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
                assertThat(whileSomebodyEnqueues(() -> lease.succeed(A, token)))
                        .isEqualTo(new SucceedResult.NextHint(2));
            } finally {
                database.execute("alter role postgres reset default_transaction_isolation");
            }
        }

        @Test
        @DisplayName("WL-25 in the caller's transaction a stale snapshot is refused")
        void succeed_oldSnapshotOfCaller_isRefused() throws Exception {
            try (Connection caller = withOldSnapshot()) {
                assertThatThrownBy(() -> lease.succeed(caller, A, token))
                        .isInstanceOfSatisfying(
                                JdbcLeaseException.class,
                                thrown -> assertThat(thrown.reason()).isEqualTo(Reason.BUSY));
                caller.rollback();
            }
            assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        }
    }

    @Nested
    class H2 {
        private final TestDatabase database = TestDatabase.create(Kind.H2_MEMORY);
        private final JdbcWorkLease lease =
                JdbcWorkLease.builder(database.pool(), "orders", 0).build();

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        @DisplayName("WL-25 in the caller's transaction a snapshot from before an offset was enqueued is refused")
        void succeed_enqueuedSinceSnapshot_isRefused() throws SQLException {
            String token = ((AcquireResult.Acquired) lease.tryAcquire(A, 1)).token();
            assertOldSnapshotIsRefused(() -> {
                lease.tryAcquire(A, 2);
                return token;
            });
            assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        }

        @Test
        @DisplayName("WL-25 in the caller's transaction a snapshot from before an offset was taken is refused")
        void succeed_takenSinceSnapshot_isRefused() throws SQLException {
            String token = ((AcquireResult.Acquired) lease.tryAcquire(A, 1)).token();
            lease.tryAcquire(A, 2);
            lease.tryAcquire(A, 3);
            assertOldSnapshotIsRefused(() -> {
                lease.succeed(A, token);
                return ((AcquireResult.Acquired) lease.tryAcquire(A, 2)).token();
            });
            String second = ((AcquireResult.AlreadyAcquired) lease.tryAcquire(A, 2)).token();
            assertThat(lease.succeed(A, second)).isEqualTo(new SucceedResult.NextHint(3));
        }

        @Test
        @DisplayName("WL-25 WL-32 a caller's transaction whose snapshot has a failure forgotten since is refused")
        void succeed_failureForgottenSinceSnapshot_isRefused() throws SQLException {
            lease.fail(A, acquire(A, 10));
            lease.succeed(A, acquire(A, 20));
            String token = acquire(A, 30);
            lease.succeed("B", acquire("B", 1));
            String other = acquire("B", 5);
            try (Connection caller = database.transaction()) {
                caller.setTransactionIsolation(TRANSACTION_REPEATABLE_READ);
                lease.succeed(caller, "B", other);
                lease.deleteFailed(Duration.ZERO);
                assertBusy(caller, token);
            }
            lease.succeed(A, token);
            for (long offset : new long[] {10, 20, 30}) {
                assertThat(lease.tryAcquire(A, offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
            }
        }

        private String acquire(String domainId, long offset) {
            return ((AcquireResult.Acquired) lease.tryAcquire(domainId, offset)).token();
        }

        private void assertOldSnapshotIsRefused(Supplier<String> change) throws SQLException {
            try (Connection caller = database.transaction()) {
                caller.setTransactionIsolation(TRANSACTION_REPEATABLE_READ);
                OnDatabase.countBacklog(caller);
                assertBusy(caller, change.get());
            }
        }

        private void assertBusy(Connection caller, String token) throws SQLException {
            assertThatThrownBy(() -> lease.succeed(caller, A, token))
                    .isInstanceOfSatisfying(
                            JdbcLeaseException.class,
                            thrown -> assertThat(thrown.reason()).isEqualTo(Reason.BUSY));
            caller.rollback();
        }
    }

    @Nested
    class MariaDb extends OnDatabase {
        MariaDb() {
            super(
                    Kind.MARIADB,
                    "call tidegate_acquire_one('orders', 'A', 2, 'somebody', 'secret', 1000, 0, 9, @code, @token,"
                            + " @fence, @owner, @number)",
                    "select variable_value from information_schema.global_status where variable_name ="
                            + " 'INNODB_ROW_LOCK_CURRENT_WAITS'");
        }

        @Test
        @DisplayName("a plain SELECT after the row was locked reads the caller's old snapshot")
        void select_oldSnapshotOfCaller_missesWhoWasEnqueued() throws Exception {
            try (Connection caller = withOldSnapshot();
                    Statement lock = caller.createStatement()) {
                lock.execute("select id from tidegate_domain for update");
                assertThat(countBacklog(caller)).isZero();
                caller.rollback();
            }
        }

        @Test
        @DisplayName(
                "WL-25 in the caller's transaction, which has an old snapshot, succeed sees offsets enqueued since")
        void succeed_oldSnapshotOfCaller_seesWhoWasEnqueued() throws Exception {
            try (Connection caller = withOldSnapshot()) {
                assertThat(lease.succeed(caller, A, token)).isEqualTo(new SucceedResult.NextHint(2));
                caller.commit();
            }
            assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        }
    }
}
