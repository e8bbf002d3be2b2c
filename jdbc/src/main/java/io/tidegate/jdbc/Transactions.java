package io.tidegate.jdbc;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Takes a connection, runs a transaction, and gives the connection back as it was. */
final class Transactions {
    /*
     * A transaction that the database undid because of another one is run again; nothing of it has happened. Whatever else fails is told at once: after
     * a lost answer only the caller knows whether to ask again.
     *
     * Once the database has answered, what goes wrong in giving the connection back is not told: the answer holds, and whoever takes the
     * connection next sees that it is broken.
     */
    private static final int MOST_TRIES = 10;

    private final DataSource dataSource;

    /** Whether each transaction is a single statement, which needs no commit of its own. */
    private final boolean oneStatement;

    Transactions(DataSource dataSource, boolean oneStatement) {
        this.dataSource = dataSource;
        this.oneStatement = oneStatement;
    }

    /** What happens in a transaction. */
    @FunctionalInterface
    interface Body<T> {
        T run(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
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
        }
    }

    private <T> T runOnce(Body<T> body) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            return oneStatement ? runStatement(connection, body) : runStatements(connection, body);
        } finally {
            afterwards(connection::close);
        }
    }

    private static <T> T runStatement(Connection connection, Body<T> body) throws SQLException {
        if (connection.getAutoCommit()) {
            return body.run(connection);
        }
        connection.setAutoCommit(true);
        try {
            return body.run(connection);
        } finally {
            afterwards(() -> connection.setAutoCommit(false));
        }
    }

    private static <T> T runStatements(Connection connection, Body<T> body) throws SQLException {
        int isolation = connection.getTransactionIsolation();
        boolean autoCommit = connection.getAutoCommit();
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
            afterwards(() -> connection.setAutoCommit(autoCommit));
            if (isolation != TRANSACTION_READ_COMMITTED) {
                afterwards(() -> connection.setTransactionIsolation(isolation));
            }
        }
    }

    @SuppressWarnings("EmptyCatch") // see above
    private static void afterwards(Step step) {
        try {
            step.run();
        } catch (SQLException broken) {
            // the connection is of no use any more
        }
    }
}
