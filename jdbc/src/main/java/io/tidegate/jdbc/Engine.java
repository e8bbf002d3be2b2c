package io.tidegate.jdbc;

import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a database does the operations: each within a transaction, which the caller ends. Stateless. */
interface Engine {
    /** The folder of its scripts. */
    String name();

    /** Whether every operation is one statement, which is a transaction by itself. */
    boolean isOneStatement();

    /**
     * Sees whether what is acknowledged is durable.
     *
     * @throws JdbcLeaseException when it is not
     */
    void checkDurable(Connection connection) throws SQLException;

    /** The secret makes the token, if there is to be one, hard to guess. */
    Answer tryAcquire(Connection connection, Offer offer, String secret, Terms terms) throws SQLException;

    /** The answers in the order of the offers, each of which has a secret. */
    List<Answer> tryAcquireAll(Connection connection, List<Offer> offers, List<String> secrets, Terms terms)
            throws SQLException;

    Answer succeed(Connection connection, String domainId, @Nullable String token) throws SQLException;

    /** The answers in the order of the finishes. */
    List<Answer> succeedAll(Connection connection, List<Finish> finishes) throws SQLException;

    /** The failure's number is which one with this token it is, from 1, or null for the next one. */
    Answer fail(Connection connection, String domainId, @Nullable String token, @Nullable Integer failure, Terms terms)
            throws SQLException;

    Answer renew(Connection connection, String domainId, @Nullable String token, Terms terms) throws SQLException;

    void forget(Connection connection, String domainId, long upToOffset) throws SQLException;

    boolean replay(Connection connection, String domainId, long offset) throws SQLException;

    /** How many domains it has deleted. */
    long deleteIdle(Connection connection, long idleMillis) throws SQLException;

    /** With the token of its lease if this is the owner. */
    Optional<DomainSnapshot> inspect(Connection connection, String domainId, String owner) throws SQLException;
}
