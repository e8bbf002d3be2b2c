package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SucceedResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
 * Many sessions that want one offset of PostgreSQL wait for its row one behind the other, and the end of the lease
 * waits behind them. Sessions that come too late must not make each other wait for the disk, too.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HotDomainTest {
    private static final String A = "A";

    private final TestDatabase database = TestDatabase.create(Kind.POSTGRES);
    private final JdbcWorkLease lease =
            JdbcWorkLease.builder(database.pool(), "orders", 0).build();

    @BeforeEach
    void putTwoInLine() {
        AcquireResult.Acquired first = (AcquireResult.Acquired) lease.tryAcquire(A, 1);
        lease.tryAcquire(A, 2);
        assertThat(lease.succeed(A, first.token())).isEqualTo(new SucceedResult.NextHint(2));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    @DisplayName(
            "WL-26 an owner that waited for the row and changes nothing does not wait for the disk with the row locked")
    void tryAcquire_tooLate_isNotFlushed() throws Exception {
        assertThat(afterSomebodyElse("'60000'")).isEqualTo("HELD_ELSEWHERE, synchronous_commit off");
    }

    @Test
    @DisplayName("WL-31 in the caller's transaction, which may change more, the setting of durability stays")
    void tryAcquire_tooLateJoined_isFlushed() throws Exception {
        assertThat(afterSomebodyElse("null")).isEqualTo("HELD_ELSEWHERE, synchronous_commit on");
    }

    @Test
    @DisplayName("WL-26 the owner that gets the offset waits for the disk, whatever the session's default is")
    void tryAcquire_inTime_isFlushed() throws SQLException {
        try (Connection connection = database.transaction();
                Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = off");
            assertThat(tryAcquire(connection, "'60000'")).isEqualTo("ACQUIRED, synchronous_commit on");
            connection.rollback();
        }
    }

    /** Returns the answer to an owner that asked while another owner was being granted the offset. */
    private String afterSomebodyElse(String wait) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection given = database.transaction();
                Connection late = database.transaction()) {
            assertThat(lease.tryAcquire(given, A, 2).code()).isEqualTo("ACQUIRED");
            Future<String> answer = thread.submit(() -> tryAcquire(late, wait));
            while (!database.somebodyWaits()) {
                Thread.onSpinWait();
            }
            given.commit();
            String answered = answer.get();
            late.commit();
            return answered;
        } finally {
            thread.shutdown();
        }
    }

    private static String tryAcquire(Connection connection, String wait) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return first(
                            statement,
                            "select code from tidegate_try_acquire('orders', 'A', 2, 'they', 'secret', 60000, 0, 9, "
                                    + wait + ")")
                    + ", synchronous_commit "
                    + first(statement, "show synchronous_commit");
        }
    }

    private static String first(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }
}
