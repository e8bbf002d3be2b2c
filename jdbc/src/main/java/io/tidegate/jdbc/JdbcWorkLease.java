package io.tidegate.jdbc;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * Leases in a database (PostgreSQL, MariaDB, MySQL or H2), which hold across processes.
 *
 * <p>Each operation takes a connection, makes one round trip, and gives the connection back unchanged. What an
 * operation has answered is durable. When the database cannot be reached, or the answer is lost, it throws {@link
 * JdbcLeaseException}.
 *
 * <p>An operation without a {@link Connection} is a separate transaction. A data source that hands out connections
 * without auto-commit, such as that of the caller's open transaction, is refused: {@link
 * JdbcLeaseException.Reason#IN_TRANSACTION}. An operation with a connection is part of the caller's transaction: it
 * commits or rolls back with it. Others wait for the domain until the transaction ends, so make it the last step. With
 * an isolation above READ COMMITTED it throws {@link JdbcLeaseException} if the domain has changed since the
 * transaction began: roll back and begin again. After a refusal, too, the caller should roll back.
 *
 * <p>Thread-safe. An operation waits for others of its domain, also for a caller's transaction that has not ended, but
 * not for longer than {@link Builder#lockTimeout}.
 */
public interface JdbcWorkLease extends SharedWorkLease {
    /** How long a lease lasts unless set, in seconds: {@value}. */
    long DEFAULT_LEASE_SECONDS = 60;

    /** How long an operation waits for a lock unless set, in seconds: {@value}. */
    long DEFAULT_LOCK_TIMEOUT_SECONDS = 5;

    /**
     * Begins to configure leases in this database.
     *
     * @param name the name of the leases: domains under different names are independent
     * @param maxRetries how often an offset is retried after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code name} is blank or {@code maxRetries} is negative
     */
    static Builder builder(DataSource dataSource, String name, int maxRetries) {
        return new DatabaseLeaseBuilder(dataSource, name, maxRetries);
    }

    /**
     * Creates the tables, or brings them to this version. The same scripts are in the jar, in {@code
     * io/tidegate/jdbc/<database>}, and can be run by hand instead.
     *
     * @throws JdbcLeaseException when the database refuses, or when there is work from before leases had names
     */
    static void migrate(DataSource dataSource) {
        Schema.migrate(dataSource, null);
    }

    /**
     * Like {@link #migrate(DataSource)}; work from before leases had names gets this name.
     *
     * @throws IllegalArgumentException when {@code name} is blank
     * @throws JdbcLeaseException when the database refuses
     */
    static void migrate(DataSource dataSource, String name) {
        Schema.migrate(dataSource, Names.requireLease(name));
    }

    /**
     * Like {@link #tryAcquire(String, long)}, as part of the caller's transaction. What it grants is valid only after
     * the commit.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws BacklogOrderingException when nothing is leased and another offset is at the head
     * @throws IllegalArgumentException when the connection has auto-commit on
     */
    AcquireResult tryAcquire(Connection connection, String domainId, long offset);

    /**
     * Like {@link #succeed(String, String)}, as part of the caller's transaction.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when the connection has auto-commit on
     */
    SucceedResult succeed(Connection connection, String domainId, String token);

    /**
     * The same for the task of a {@link io.tidegate.lease.LeaseRunner}, which then does not report the success again.
     * Commit before the task returns; if the transaction fails, the task must fail, too.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the work was taken over
     * @throws IllegalArgumentException when the connection has auto-commit on
     */
    default SucceedResult succeed(Connection connection, LeasedWork work) {
        SucceedResult answer = succeed(connection, work.domainId(), work.token());
        work.succeedsWith(answer);
        return answer;
    }

    /**
     * Like {@link #fail(String, String, Failure)}, as part of the caller's transaction.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when the connection has auto-commit on
     */
    FailResult fail(Connection connection, String domainId, String token, Failure failure);

    /**
     * Like {@link #succeedAll(List)}, as part of the caller's transaction.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws IllegalArgumentException when the connection has auto-commit on
     */
    List<BatchAnswer<SucceedResult>> succeedAll(Connection connection, List<Finish> finishes);

    /** Settings of leases in a database. Not thread-safe. */
    interface Builder {
        /**
         * The owner of these leases. Default, and best: a name that is new with each start of a process. Two processes
         * that run at once must not share a name: each would get the other's tokens. If a name outlives its process and
         * there is no other owner, work that kills the process is never taken over.
         */
        Builder owner(String owner);

        /**
         * How long a lease lasts unless it is prolonged; {@value JdbcWorkLease#DEFAULT_LEASE_SECONDS} seconds by
         * default.
         */
        Builder leaseDuration(Duration duration);

        /**
         * How long an operation waits while others have the domain's row, before it throws {@link
         * JdbcLeaseException.Reason#LOCKED}; {@value JdbcWorkLease#DEFAULT_LOCK_TIMEOUT_SECONDS} seconds by default.
         * MariaDB rounds it up to seconds. MySQL has no such setting for a call: there the connection's {@code
         * innodb_lock_wait_timeout} holds.
         */
        Builder lockTimeout(Duration timeout);

        /**
         * How many offsets may wait in a domain: one more is refused with {@link
         * io.tidegate.lease.BacklogFullException}. Offsets that are replayed or given back are not refused. Default: no
         * limit.
         *
         * @throws IllegalArgumentException when it is not positive
         */
        Builder maxBacklog(int offsets);

        /**
         * Builds the leases. Checks the database once.
         *
         * @throws JdbcLeaseException when the tables are missing or too old, the database cannot be reached or is not
         *     durable, or the data source hands out connections without auto-commit
         * @throws IllegalArgumentException when the database is not supported
         */
        JdbcWorkLease build();
    }
}
