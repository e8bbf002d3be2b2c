package io.tidegate.jdbc;

import static java.util.Objects.requireNonNullElse;

import io.tidegate.jdbc.Schema.Component;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The operations in a database. Each runs within a transaction, which the caller ends. Stateless. */
interface Engine {
    /** How many domains {@link #pending} corrects in one transaction, since it locks them. */
    int MOST_CORRECTIONS = 1_000;

    /** How an operation's transaction is committed. */
    enum Commit {
        /** The operation is one statement, on a connection that commits after each statement. */
        AUTOMATICALLY,
        /**
         * The operation is one statement that begins and commits a transaction itself, whatever the connection does.
         */
        BY_ITSELF,
        /** The operation is several statements, followed by a commit. */
        AFTERWARDS
    }

    /** The name of the folder with its scripts. */
    String name();

    /**
     * The scripts that bring a component from this version, 0 if it is missing, to the newest one. Empty if the
     * database does not have such a component.
     */
    List<String> scripts(Component component, int version);

    /** Splits a script into statements, for a driver that cannot run a whole script. */
    default List<String> statements(String script) {
        return List.of(script);
    }

    /**
     * Passes to the scripts the name of the lease to which work without a name belongs, null if it is not known.
     * Prevents concurrent runs of the scripts where they would conflict.
     */
    void beginUpgrade(Connection connection, @Nullable String lease) throws SQLException;

    default void endUpgrade(Connection connection) throws SQLException {}

    Commit commit();

    /**
     * Checks whether acknowledged changes are durable.
     *
     * @throws JdbcLeaseException when they are not
     */
    void checkDurable(Connection connection) throws SQLException;

    /** The secret makes the token of a granted lease hard to guess. */
    Answer tryAcquire(Connection connection, LeaseTerms terms, Offer offer, String secret) throws SQLException;

    /** Returns the answers in the order of the offers, each of which has a secret. */
    List<Answer> tryAcquireAll(Connection connection, LeaseTerms terms, List<Offer> offers, List<String> secrets)
            throws SQLException;

    Answer succeed(Connection connection, LeaseTerms terms, Finish finish) throws SQLException;

    /** Returns the answers in the order of the finishes. */
    List<Answer> succeedAll(Connection connection, LeaseTerms terms, List<Finish> finishes) throws SQLException;

    /**
     * Returns the answer of {@link #succeed} and, if that hints at an offset, the answer of {@link #tryAcquire} for
     * this offset.
     */
    List<Answer> succeedAndTakeNext(Connection connection, LeaseTerms terms, Finish finish, String secret)
            throws SQLException;

    Answer fail(Connection connection, LeaseTerms terms, Finish finish, Failure failure) throws SQLException;

    Answer renew(Connection connection, LeaseTerms terms, Finish lease) throws SQLException;

    /** Returns the answers in the order of the leases. */
    List<Answer> renewAll(Connection connection, LeaseTerms terms, List<Finish> leases) throws SQLException;

    Answer release(Connection connection, LeaseTerms terms, Finish lease) throws SQLException;

    /**
     * Returns whether there is more to forget, since one call deletes at most so many rows. Does not create the domain.
     * When the call is for all domains, the domain also stays as idle as before.
     */
    boolean forget(
            Connection connection, LeaseTerms terms, String domainId, long upToOffset, int most, boolean oneOfAll)
            throws SQLException;

    /** Returns the number of domains. */
    long count(Connection connection, LeaseTerms terms) throws SQLException;

    /** Returns the domains that have not forgotten all offsets up to this one, by name. */
    List<String> remembering(Connection connection, LeaseTerms terms, long upToOffset, int most, String afterDomain)
            throws SQLException;

    boolean replay(Connection connection, LeaseTerms terms, String domainId, long offset) throws SQLException;

    /** Returns how many domains it has deleted, at most the given number. */
    long deleteIdle(Connection connection, LeaseTerms terms, long idleMillis, int most) throws SQLException;

    /** Returns how many failures it has forgotten, at most the given number. */
    long deleteFailed(Connection connection, LeaseTerms terms, long oldMillis, int most) throws SQLException;

    /** Returns the domains that have work and no owner, by name. */
    List<String> pending(Connection connection, LeaseTerms terms, int most, String afterDomain) throws SQLException;

    /** Returns all domains, by name. */
    List<DomainSummary> domains(Connection connection, LeaseTerms terms, int most, String afterDomain)
            throws SQLException;

    Optional<DomainSummary> summary(Connection connection, LeaseTerms terms, String domainId) throws SQLException;

    /** Returns the token of the lease with this fence, whoever owns it, if the domain has that lease. */
    Optional<String> token(Connection connection, LeaseTerms terms, String domainId, long fence) throws SQLException;

    List<FailedWork> failedWork(Connection connection, LeaseTerms terms, String domainId, int most) throws SQLException;

    List<Long> backlogBehind(Connection connection, LeaseTerms terms, String domainId, long offset, int most)
            throws SQLException;

    /** Returns the domain, with the token of its lease if the lease belongs to this owner. */
    Optional<DomainSnapshot> inspect(Connection connection, LeaseTerms terms, String domainId) throws SQLException;

    /**
     * Returns the places of the items, sorted by domain. All transactions lock their domains in this order, so no
     * deadlock arises.
     */
    static <T> List<Integer> placesByDomain(List<T> asked, Function<T, String> domainOf) {
        return IntStream.range(0, asked.size())
                .boxed()
                .sorted(Comparator.comparing((Integer place) -> domainOf.apply(asked.get(place))))
                .toList();
    }

    /**
     * Reads a domain with its lease. Only the owner of the lease gets its token. A released offset comes before the
     * waiting ones.
     */
    static DomainSnapshot readSnapshot(ResultSet row, String domainId, String owner, List<Long> waiting)
            throws SQLException {
        String token = row.getString("token");
        long offset = row.getLong("lease_offset");
        boolean released = token == null && !row.wasNull();
        List<Long> backlog = new ArrayList<>();
        if (released) {
            backlog.add(offset);
        }
        backlog.addAll(waiting);
        return new DomainSnapshot(
                domainId,
                token == null ? Optional.empty() : Optional.of(readLease(row, token, owner)),
                backlog.subList(0, Math.min(backlog.size(), DomainSnapshot.MOST_BACKLOG)),
                row.getLong("processed_count"),
                row.getLong("failed_count"));
    }

    private static LeaseRecord readLease(ResultSet row, String token, String owner) throws SQLException {
        return new LeaseRecord(
                row.getLong("lease_offset"),
                owner.equals(row.getString("owner")) ? token : "",
                row.getLong("fence"),
                row.getLong("acquired_at"),
                row.getInt("retry_count"));
    }

    /** Reads a domain without its token. A released offset counts as waiting, too. */
    static DomainSummary readSummary(ResultSet row, String domainId, @Nullable String owner) throws SQLException {
        long offset = row.getLong("lease_offset");
        boolean released = owner == null && !row.wasNull();
        Optional<DomainSummary.Lease> lease = Optional.empty();
        if (owner != null) {
            lease = Optional.of(new DomainSummary.Lease(
                    offset,
                    row.getLong("fence"),
                    row.getLong("acquired_at"),
                    row.getInt("retry_count"),
                    Optional.of(new DomainSummary.Holder(owner, row.getLong("lease_until")))));
        }
        return new DomainSummary(
                domainId,
                lease,
                row.getLong("waiting") + (released ? 1 : 0),
                row.getLong("processed_count"),
                row.getLong("failed_count"));
    }

    static List<FailedWork> readFailed(PreparedStatement query) throws SQLException {
        return readAll(
                query,
                row -> new FailedWork(
                        row.getLong("work_offset"),
                        row.getInt("retry_count"),
                        row.getLong("failed_at"),
                        requireNonNullElse(row.getString("reason"), "")));
    }

    /** Reads one row. */
    @FunctionalInterface
    interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    static <T> List<T> readAll(PreparedStatement query, Reading<T> reading) throws SQLException {
        List<T> all = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                all.add(reading.read(row));
            }
        }
        return all;
    }
}
