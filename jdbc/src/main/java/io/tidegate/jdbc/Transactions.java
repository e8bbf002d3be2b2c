package io.tidegate.jdbc;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;

import io.tidegate.Backoff;
import io.tidegate.jdbc.Engine.Commit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Takes a connection, runs a transaction, and gives the connection back as it was. */
final class Transactions {
    /*
     * A transaction that the database undid because of another one is run again, after a pause, since none of its
     * changes remain. Any other failure is thrown without a retry: after a lost answer only the caller knows whether to
     * repeat the operation.
     *
     * A connection without auto-commit may already be in a transaction of the caller, for example one from Spring's
     * TransactionAwareDataSourceProxy. A commit would then end the caller's transaction. JDBC cannot report whether a
     * transaction is open, so such a connection is always refused.
     *
     * Once the database has answered, errors in giving the connection back are dropped: the answer holds, and the next
     * user of the connection sees that it is broken.
     */
    private static final int MOST_TRIES = 100;

    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(2), Duration.ofMillis(100));

    private final DataSource dataSource;

    private final Commit commit;

    private final Backoff pause;

    Transactions(DataSource dataSource, Commit commit) {
        this(dataSource, commit, PAUSE);
    }

    Transactions(DataSource dataSource, Commit commit, Backoff pause) {
        this.dataSource = dataSource;
        this.commit = commit;
        this.pause = pause;
    }

    /** The body of a transaction. */
    @FunctionalInterface
    interface Body<T> {
        T run(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    OptionalInt connections() {
        return PoolSize.of(dataSource);
    }

    <T> T run(Body<T> body) {
        for (int tries = 1; ; tries++) {
            try {
                return runOnce(body);
            } catch (SQLException failed) {
                if (tries == MOST_TRIES || !JdbcLeaseException.isOvertaken(failed)) {
                    throw JdbcLeaseException.of(failed);
                }
            }
            LockSupport.parkNanos(pause.delay(tries).toNanos());
        }
    }

    private <T> T runOnce(Body<T> body) throws SQLException {
        Connection connection = connect();
        try {
            if (!connection.getAutoCommit()) {
                throw JdbcLeaseException.inTransaction();
            }
            return switch (commit) {
                case AUTOMATICALLY -> body.run(connection);
                case BY_ITSELF -> runProcedure(connection, body);
                case AFTERWARDS -> runStatements(connection, body);
            };
        } finally {
            afterwards(connection::close);
        }
    }

    private Connection connect() {
        try {
            return dataSource.getConnection();
        } catch (SQLException failed) {
            throw JdbcLeaseException.noConnection(failed);
        }
    }

    private static <T> T runProcedure(Connection connection, Body<T> body) throws SQLException {
        boolean committed = false;
        try {
            T result = body.run(connection);
            committed = true;
            return result;
        } finally {
            if (!committed) {
                afterwards(() -> rollBackProcedure(connection));
            }
        }
    }

    /* The connection does not know of the procedure's transaction, and might refuse to roll it back. */
    private static void rollBackProcedure(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback");
        }
    }

    private static <T> T runStatements(Connection connection, Body<T> body) throws SQLException {
        int isolation = connection.getTransactionIsolation();
        if (isolation != TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(TRANSACTION_READ_COMMITTED);
        }
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            T result = body.run(connection);
            connection.commit();
            committed = true;
            return result;
        } finally {
            if (!committed) {
                afterwards(connection::rollback);
            }
            afterwards(() -> connection.setAutoCommit(true));
            if (isolation != TRANSACTION_READ_COMMITTED) {
                afterwards(() -> connection.setTransactionIsolation(isolation));
            }
        }
    }

    @SuppressWarnings("EmptyCatch") // see the comment on giving the connection back
    private static void afterwards(Step step) {
        try {
            step.run();
        } catch (SQLException broken) {
            // the connection is no longer usable
        }
    }
}
