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
 * Leases that live in a database, PostgreSQL, MariaDB, MySQL or H2, and hold across processes.
 *
 * <p>Each operation takes a connection, makes one round trip, and gives the connection back as it was. What an
 * operation has answered is durable. When the database cannot be reached, or the answer is lost, it throws {@link
 * JdbcLeaseException}.
 *
 * <p>An operation without a {@link Connection} is a transaction of its own. A data source that hands out connections
 * which do not commit by themselves, such as that of a transaction which the caller has open, is refused: {@link
 * JdbcLeaseException.Reason#IN_TRANSACTION}. An operation with a connection is a part of the caller's transaction: it
 * is done or undone with it. Others wait for the domain until the transaction ends, so let it be the last step. With an
 * isolation above READ COMMITTED it throws {@link JdbcLeaseException} if the domain has changed since the transaction
 * began: roll back and begin again. After a refusal, too, the caller should roll back.
 *
 * <p>Thread-safe. An operation waits for others of its domain, also for a transaction of a caller that has joined one
 * and has not ended, but not for longer than {@link Builder#lockTimeout}.
 */
public interface JdbcWorkLease extends SharedWorkLease {
    /** How long a lease lasts unless the builder is told otherwise. */
    long DEFAULT_LEASE_SECONDS = 60;

    /** How long an operation waits for a lock unless the builder is told otherwise. */
    long DEFAULT_LOCK_TIMEOUT_SECONDS = 5;

    /**
     * Leases in this database, with choices.
     *
     * @param name of the leases: domains of different names never meet
     * @param maxRetries how often an offset is tried again after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code name} is blank or {@code maxRetries} is negative
     */
    static Builder builder(DataSource dataSource, String name, int maxRetries) {
        return new DatabaseLeaseBuilder(dataSource, name, maxRetries);
    }

    /**
     * Creates the tables, or brings them to this version. The same scripts are in the jar, in {@code
     * io/tidegate/jdbc/<database>}, to be run by hand instead.
     *
     * @throws JdbcLeaseException when the database refuses, or when there is work from before leases had names
     */
    static void migrate(DataSource dataSource) {
        Schema.migrate(dataSource, null);
    }

    /**
     * Like {@link #migrate(DataSource)}; what is in the tables from before leases had names belongs to this one from
     * then on.
     *
     * @throws IllegalArgumentException when {@code name} is blank
     * @throws JdbcLeaseException when the database refuses
     */
    static void migrate(DataSource dataSource, String name) {
        Schema.migrate(dataSource, Names.requireLease(name));
    }

    /**
     * Like {@link #tryAcquire(String, long)}, as a part of the caller's transaction. What it grants is the caller's
     * only once that has been committed.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws BacklogOrderingException when nothing is leased and another offset is at the head
     * @throws IllegalArgumentException when the connection commits by itself
     */
    AcquireResult tryAcquire(Connection connection, String domainId, long offset);

    /**
     * Like {@link #succeed(String, String)}, as a part of the caller's transaction.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when the connection commits by itself
     */
    SucceedResult succeed(Connection connection, String domainId, String token);

    /**
     * The same for the task of a {@link io.tidegate.lease.LeaseRunner}, which then does not tell the lease again. To be
     * committed before the task returns; if the transaction fails, the task must, too.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the work was taken over
     * @throws IllegalArgumentException when the connection commits by itself
     */
    default SucceedResult succeed(Connection connection, LeasedWork work) {
        SucceedResult answer = succeed(connection, work.domainId(), work.token());
        work.succeedsWith(answer);
        return answer;
    }

    /**
     * Like {@link #fail(String, String, Failure)}, as a part of the caller's transaction.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when the connection commits by itself
     */
    FailResult fail(Connection connection, String domainId, String token, Failure failure);

    /**
     * Like {@link #succeedAll(List)}, as a part of the caller's transaction.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws IllegalArgumentException when the connection commits by itself
     */
    List<BatchAnswer<SucceedResult>> succeedAll(Connection connection, List<Finish> finishes);

    /** Choices for leases in a database. Not thread-safe. */
    interface Builder {
        /**
         * Whose leases these are; a name that no other start of any process has otherwise, which is best. Two that run
         * at once must not share a name: each would be shown the other's tokens. With a name that outlives its process,
         * and no other owner, nobody takes over what kills the process.
         */
        Builder owner(String owner);

        /**
         * How long a lease lasts unless it is prolonged; {@value JdbcWorkLease#DEFAULT_LEASE_SECONDS} seconds
         * otherwise.
         */
        Builder leaseDuration(Duration duration);

        /**
         * How long an operation waits while others have the domain's row, before it throws {@link
         * JdbcLeaseException.Reason#LOCKED}; {@value JdbcWorkLease#DEFAULT_LOCK_TIMEOUT_SECONDS} seconds otherwise.
         * MariaDB rounds it up to seconds. MySQL has no such choice for a call: there the connection's {@code
         * innodb_lock_wait_timeout} holds.
         */
        Builder lockTimeout(Duration timeout);

        /**
         * How many offsets may wait in a domain: one more is refused with {@link
         * io.tidegate.lease.BacklogFullException}. What is replayed, or given back, is not. Otherwise as many as come.
         *
         * @throws IllegalArgumentException when it is not positive
         */
        Builder maxBacklog(int offsets);

        /**
         * The leases. Looks at the database once.
         *
         * @throws JdbcLeaseException when the tables are missing or too old, or the database cannot be reached or keep
         *     its word, or the data source hands out connections that do not commit by themselves
         * @throws IllegalArgumentException when it is no database that is known here
         */
        JdbcWorkLease build();
    }
}
