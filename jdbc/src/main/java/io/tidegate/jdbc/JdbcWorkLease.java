package io.tidegate.jdbc;

import io.tidegate.lease.LeaseNotFoundException;
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
 * <p>Each operation takes a connection, makes one round trip, and gives the connection back as it was. What an operation has answered is durable.
 * When the database cannot be reached, or the answer is lost, it throws {@link JdbcLeaseException}.
 *
 * <p>Thread-safe. An operation waits for others of its domain, also for a transaction that has called
 * {@link #succeed(Connection, String, String)} and has not ended.
 */
public interface JdbcWorkLease extends SharedWorkLease {
    /** How long a lease lasts unless the builder is told otherwise. */
    long DEFAULT_LEASE_SECONDS = 60;

    /**
     * Leases in this database, with choices.
     *
     * @param maxRetries how often an offset is tried again after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(DataSource dataSource, int maxRetries) {
        return new DatabaseLeaseBuilder(dataSource, maxRetries);
    }

    /**
     * Creates the tables, or brings them to this version. The same scripts are in the jar, as {@code io/tidegate/jdbc/<database>/V<version>__….sql}, to be run
     * by hand instead.
     *
     * @throws JdbcLeaseException when the database refuses
     */
    static void migrate(DataSource dataSource) {
        Schema.migrate(dataSource);
    }

    /**
     * Like {@link #succeed(String, String)}, as a part of the caller's transaction: when that is rolled back, nothing has happened. Others wait
     * for the domain until the transaction ends, so let this be its last step. With an isolation above READ COMMITTED it throws
     * {@link JdbcLeaseException} if the domain has changed since the transaction began: roll back and begin again.
     *
     * @param connection to the same database; is neither committed nor closed
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's; the caller should roll back
     * @throws IllegalArgumentException when the connection commits by itself
     */
    SucceedResult succeed(Connection connection, String domainId, String token);

    /**
     * Deletes the domains in which nothing is leased, queued or failed and nothing has changed for so long. What was processed there is not known any
     * more, so an old offset that is offered again runs again. Fences go on rising.
     *
     * @return how many
     */
    long deleteIdle(Duration idle);

    /**
     * What has failed in a domain and was not replayed, by offset.
     *
     * @param limit at most so many
     * @throws IllegalArgumentException when {@code limit} is not positive
     */
    List<FailedWork> failed(String domainId, int limit);

    /**
     * Forgets what has failed longer ago than this. It does not run again: a forgotten offset is answered
     * {@link io.tidegate.lease.AcquireResult.AlreadyProcessed} from then on, and cannot be replayed. Domains that are in use at this moment may be left out.
     *
     * @return how many
     */
    long deleteFailed(Duration olderThan);

    /**
     * Work that has failed for good.
     *
     * @param retryCount how often it was tried again
     * @param failedAtMillis when it failed, by the engine's clock
     */
    record FailedWork(long offset, int retryCount, long failedAtMillis) {}

    /** Choices for leases in a database. Not thread-safe. */
    interface Builder {
        /**
         * Whose leases these are; a name that no other start of any process has otherwise, which is best. Two that run at once must not share a name: each would
         * be shown the other's tokens. With a name that outlives its process, and no other owner, nobody takes over what kills the process.
         */
        Builder owner(String owner);

        /** How long a lease lasts unless it is prolonged; {@value JdbcWorkLease#DEFAULT_LEASE_SECONDS} seconds otherwise. */
        Builder leaseDuration(Duration duration);

        /**
         * The leases. Looks at the database once.
         *
         * @throws JdbcLeaseException when the tables are missing or too old, or the database cannot be reached or keep its word
         * @throws IllegalArgumentException when it is no database that is known here
         */
        JdbcWorkLease build();
    }
}
