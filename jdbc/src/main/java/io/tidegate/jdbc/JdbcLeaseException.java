package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** An operation on the database failed. */
public final class JdbcLeaseException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why an operation failed. */
    public enum Reason {
        /** The tables are missing. Nothing has changed. */
        SCHEMA_MISSING,
        /** The tables are of an earlier version, or have work without a name. Nothing has changed. */
        SCHEMA_TOO_OLD,
        /**
         * The data source returned a connection without auto-commit, for example that of the caller's open transaction.
         * Nothing has changed, neither in that transaction nor in the lease. Give the lease a data source whose
         * connections have auto-commit on; in a transaction, use the operations that take its connection.
         */
        IN_TRANSACTION,
        /** The database does not make commits durable at once. */
        NOT_DURABLE,
        /** The database's user lacks a privilege, for example to create tables. Nothing has changed. */
        NOT_ALLOWED,
        /** The database, or the connection, is read-only. Nothing has changed. */
        READ_ONLY,
        /** The database has no room left. Nothing has changed. */
        FULL,
        /** Another transaction has held the domain for longer than the lease waits for it. Nothing has changed. */
        LOCKED,
        /** Conflicts with other transactions did not end, or the database gave up. Nothing has changed. */
        BUSY,
        /**
         * The data source has no connection: its pool is empty, or the database cannot be reached. Nothing has changed.
         */
        NO_CONNECTION,
        /** The connection was lost. The operation may have been applied: repeat it. */
        AWAY,
        /** Something else; see the cause. The operation may have been applied. */
        OTHER
    }

    /** A row has changed since the transaction's snapshot; MariaDB reports this with innodb_snapshot_isolation. */
    private static final int CHANGED = 1020;

    private final Reason reason;

    JdbcLeaseException(Reason reason, String message, @Nullable SQLException cause) {
        super(message, cause);
        this.reason = requireNonNull(reason, "reason");
    }

    /** Why the operation failed. */
    public Reason reason() {
        return reason;
    }

    static JdbcLeaseException inTransaction() {
        return new JdbcLeaseException(Reason.IN_TRANSACTION, describe(Reason.IN_TRANSACTION), null);
    }

    /** The data source had no connection. */
    static JdbcLeaseException noConnection(SQLException cause) {
        return new JdbcLeaseException(Reason.NO_CONNECTION, describe(Reason.NO_CONNECTION), cause);
    }

    static JdbcLeaseException of(SQLException cause) {
        Reason reason = reasonOf(cause);
        return new JdbcLeaseException(reason, describe(reason), cause);
    }

    private static String describe(Reason reason) {
        return switch (reason) {
            case SCHEMA_MISSING ->
                "Schema: the tables of Tidegate are not there, run JdbcWorkLease.migrate(dataSource)";
            case NOT_ALLOWED ->
                "Not allowed: the database's user lacks a right (expected: to"
                        + " migrate, one who may create tables and what"
                        + " works on them; else, one who may use these), see the cause";
            case READ_ONLY ->
                "Read-only: the database takes no changes (expected: its primary, a connection that may write)";
            case FULL -> "Full: the database has no room left";
            case IN_TRANSACTION ->
                "In a transaction: the data source hands out a connection that does not commit by itself (expected:"
                        + " auto-commit on, as a pool's own connections; in a transaction use the operations that take"
                        + " its connection)";
            case LOCKED ->
                "Locked: another transaction holds the domain for longer than"
                        + " lockTimeout, nothing has changed, ask again";
            case BUSY -> "Busy: others were in the way, nothing has changed, ask again";
            case NO_CONNECTION ->
                "No connection: the pool is empty or the database cannot be reached, nothing has changed, ask again";
            case AWAY -> "Away: the database went away, the operation may have happened, ask again";
            default -> "The database failed, see the cause";
        };
    }

    /** Whether the database certainly undid the transaction because of another transaction. */
    static boolean isOvertaken(SQLException cause) {
        String state = stateOf(cause);
        return state.equals("40001")
                || state.equals("40P01")
                || state.equals("90131")
                || cause.getErrorCode() == CHANGED;
    }

    // The states that begin with 90 are H2's.
    private static Reason reasonOf(SQLException cause) {
        String state = stateOf(cause);
        if (isOvertaken(cause)) {
            return Reason.BUSY;
        }
        return switch (state) {
            case "42P01", "42883", "42704", "3F000", "42S02", "42S03", "42S04", "90036" -> Reason.SCHEMA_MISSING;
            case "42501", "90040", "90096" -> Reason.NOT_ALLOWED;
            case "25006", "90097" -> Reason.READ_ONLY;
            case "53100", "53200", "90100" -> Reason.FULL;
            case "55P03", "HYT00" -> Reason.LOCKED;
            case "57014" -> Reason.BUSY;
            default -> isAway(cause, state) ? Reason.AWAY : reasonOfCode(cause.getErrorCode());
        };
    }

    // MariaDB and MySQL report SQL states for few errors, but a number for each error. The numbers of the other
    // databases differ from these.
    private static Reason reasonOfCode(int code) {
        return switch (code) {
            case 1049, 1305 -> Reason.SCHEMA_MISSING; // missing database, missing procedure
            case 1044, 1142, 1143, 1227, 1370 -> Reason.NOT_ALLOWED; // on a database, table, column, routine
            case 1290, 1792, 1836 -> Reason.READ_ONLY; // the server is read-only, the transaction is read-only
            case 1021, 1114 -> Reason.FULL; // the disk is full, the table is full
            case 1205 -> Reason.LOCKED;
            case 1467 -> Reason.BUSY; // no fence: another transaction or a start is in the way
            case 1040, 1053, 1203, 1927 -> Reason.AWAY; // too many connections, shutdown, killed
            default -> Reason.OTHER;
        };
    }

    private static boolean isAway(SQLException cause, String state) {
        return cause instanceof SQLTransientConnectionException
                || cause instanceof SQLNonTransientConnectionException
                || cause instanceof SQLRecoverableException
                || state.startsWith("08")
                || state.startsWith("57P")
                || state.equals("53300")
                || state.equals("90067")
                || state.equals("90098")
                || state.equals("90121");
    }

    private static String stateOf(SQLException cause) {
        String state = cause.getSQLState();
        return state == null ? "" : state;
    }
}
