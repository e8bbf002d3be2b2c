package io.tidegate.jdbc;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * Leases that live in a database, PostgreSQL or H2, and hold across processes.
 *
 * <p>A lease belongs to an owner and has a duration, which the database's clock alone judges. After it, another owner that asks for the same
 * offset takes over, with a new token and a greater fence; that counts as a retry, so work that kills its process comes to an end. The
 * old owner's token is refused then. Only {@link #renew} and a failure that is to be retried prolong a lease; asking again does not.
 *
 * <p>Each operation takes a connection, makes one round trip, and gives the connection back as it was. What an operation has answered is durable.
 * When the database cannot be reached, or the answer is lost, it throws {@link JdbcLeaseException}: ask again, as the same owner. {@link #tryAcquire}
 * then answers {@link AcquireResult.AlreadyAcquired} if it had been granted, and a finish that had been applied is answered as it was. For a
 * failure that is to be retried that holds only if it is numbered, see {@link #fail(String, String, int)}.
 *
 * <p>{@link #inspect} shows the token of a lease to its owner only; others see an empty one.
 *
 * <p>Thread-safe. An operation waits for others of its domain, also for a transaction that has called
 * {@link #succeed(Connection, String, String)} and has not ended.
 */
public interface JdbcWorkLease extends WorkLease {
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

    /** Whose leases these are. */
    String owner();

    /**
     * Prolongs the lease: it lasts for its whole duration from now. Also after its time, as long as nobody has taken over.
     *
     * @return until when, by the database's clock
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    long renew(String domainId, String token);

    /**
     * Like {@link #fail(String, String)}, but can be repeated: a failure is counted once, and told again gets the answer it got.
     *
     * @param failure which failure with this token it is, from 1
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when {@code failure} is not positive, or the one before has not been told
     */
    FailResult fail(String domainId, String token, int failure);

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

    /** Asks for many offsets in one round trip and one transaction. The answers are in the order of the offers, and what is refused does not hinder the others. */
    List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers);

    /** Ends many leases in one round trip and one transaction. The answers are in the order of the finishes, and what is refused does not hinder the others. */
    List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes);

    /**
     * Deletes the domains in which nothing is leased, queued or failed and nothing has changed for so long. What was processed there is not known any
     * more, so an old offset that is offered again runs again. Fences go on rising.
     *
     * @return how many
     */
    long deleteIdle(Duration idle);

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
