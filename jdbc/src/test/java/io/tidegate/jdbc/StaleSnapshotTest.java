package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SucceedResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A finish that waits for the domain's row while somebody enqueues. What it then says about the backlog must be so: otherwise the one who
 * enqueued waits, and nobody is told of it.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class StaleSnapshotTest {
    private static final String A = "A";

    /** Ends the lease and looks for the head in one statement, which seems enough: the row is locked while it runs. */
    private static final String ALL_IN_ONE_STATEMENT = """
            update tidegate_domain d set token = null, lease_offset = null, processed_count = processed_count + 1
            where name = ? and token = ?
            returning (select work_offset from tidegate_backlog b where b.domain_id = d.id order by place limit 1)
            """;

    private TestDatabase database;
    private JdbcWorkLease lease;
    private String token;

    @BeforeEach
    void acquire() {
        database = TestDatabase.create(Kind.POSTGRES);
        lease = JdbcWorkLease.builder(database.pool(), 0).build();
        token = ((AcquireResult.Acquired) lease.tryAcquire(A, 1)).token();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    @DisplayName("one UPDATE with a subquery on the backlog reads a stale snapshot after it has waited for the row")
    void finish_inOneStatement_missesWhoWasEnqueued() throws Exception {
        String hint = whileSomebodyEnqueues(this::finishInOneStatement);
        assertThat(hint).isNull();
        assertThat(lease.inspect(A).orElseThrow().backlog()).containsExactly(2L);
    }

    @Test
    @DisplayName("WL-11 succeed locks the row first, and sees who was enqueued meanwhile")
    void succeed_afterWaiting_seesWhoWasEnqueued() throws Exception {
        assertThat(whileSomebodyEnqueues(() -> lease.succeed(A, token))).isEqualTo(new SucceedResult.NextHint(2));
    }

    @Test
    @DisplayName("WL-11 fail locks the row first, and sees who was enqueued meanwhile")
    void fail_afterWaiting_seesWhoWasEnqueued() throws Exception {
        assertThat(whileSomebodyEnqueues(() -> lease.fail(A, token)).code()).isEqualTo("GIVE_UP_NEXT_HINT");
    }

    @Test
    @DisplayName(
            "WL-11 where transactions see one snapshot for all, a stale one is refused by the database, and the operation runs again")
    void succeed_repeatableRead_seesWhoWasEnqueued() throws Exception {
        database.execute("alter role postgres set default_transaction_isolation = 'repeatable read'");
        try {
            database.restart();
            lease = JdbcWorkLease.builder(database.pool(), 0).build();
            assertThat(whileSomebodyEnqueues(() -> lease.succeed(A, token))).isEqualTo(new SucceedResult.NextHint(2));
        } finally {
            database.execute("alter role postgres reset default_transaction_isolation");
        }
    }

    private String finishInOneStatement() throws SQLException {
        try (Connection connection = database.pool().getConnection();
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

    /** Runs the finish so that it waits for the row, which is locked by a transaction that enqueues 2 and then commits. */
    private <T> T whileSomebodyEnqueues(Callable<T> finish) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection enqueuing = database.pool().getConnection();
                PreparedStatement enqueue = enqueuing.prepareStatement(
                        "select code from tidegate_try_acquire(?, 2, 'somebody', 'secret', 1000, 0)")) {
            enqueue.setString(1, A);
            enqueue.executeQuery().close();
            Future<T> finished = thread.submit(finish);
            awaitSomebodyWaiting();
            enqueuing.commit();
            return finished.get();
        } finally {
            thread.shutdown();
        }
    }

    private void awaitSomebodyWaiting() {
        while (database.number("select count(*) from pg_stat_activity where wait_event_type = 'Lock'") == 0) {
            Thread.onSpinWait();
        }
    }
}
