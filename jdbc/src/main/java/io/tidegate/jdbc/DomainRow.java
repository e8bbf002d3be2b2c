package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The row of a domain, locked by the transaction that has read it. */
final class DomainRow {
    private static final String LOCK = """
            select id, lease_offset, token, fence, owner, acquired_at, lease_until, retry_count, retries_before, waiting,
                last_place, last_fence, forgotten, run_first, run_last, processed_count, last_token, last_code, last_number
            from tidegate_domain where name = ? for update
            """;
    private static final String SAVE = """
            update tidegate_domain set
                lease_offset = ?, token = ?, fence = ?, owner = ?, acquired_at = ?, lease_until = ?, retry_count = ?, retries_before = ?,
                waiting = ?, last_place = ?, last_fence = ?, forgotten = ?, run_first = ?, run_last = ?, processed_count = ?,
                last_token = ?, last_code = ?, last_number = ?, changed_at = current_timestamp
            where id = ?
            """;

    /** The lease, and what its count of retries was when its token was given. */
    record Lease(
            long offset,
            String token,
            long fence,
            String owner,
            long acquiredAt,
            long until,
            int retryCount,
            int retriesBefore) {
        Lease until(long until) {
            return new Lease(offset, token, fence, owner, acquiredAt, until, retryCount, retriesBefore);
        }

        Lease afterFailure(long until) {
            return new Lease(offset, token, fence, owner, acquiredAt, until, retryCount + 1, retriesBefore);
        }
    }

    /** Processed offsets, both ends included. */
    record Run(long first, long last) {
        boolean contains(long offset) {
            return first <= offset && offset <= last;
        }

        /** Whether nothing is between the two. */
        boolean isBeside(Run other) {
            return (other.last < first && other.last + 1 == first) || (last < other.first && last + 1 == other.first);
        }

        /** This one with the offset at one of its ends, or null if it does not fit there. */
        @Nullable
        Run with(long offset) {
            if (offset > last && offset - 1 == last) {
                return new Run(first, offset);
            }
            return offset < first && offset + 1 == first ? new Run(offset, last) : null;
        }
    }

    /** The last finish that ended a lease. */
    record Ended(String token, String code, long number) {}

    final long id;

    @Nullable
    Lease lease;

    long waiting;

    /** Of the last one that was enqueued. */
    long lastPlace;

    /** Null if there was no lease yet. */
    @Nullable
    Long lastFence;

    /** All offsets up to here are processed, unless they are open or failed. */
    @Nullable
    Long forgotten;

    @Nullable
    Run run;

    long processedCount;

    @Nullable
    Ended ended;

    private DomainRow(ResultSet row) throws SQLException {
        id = row.getLong("id");
        waiting = row.getLong("waiting");
        lastPlace = row.getLong("last_place");
        lastFence = row.getObject("last_fence", Long.class);
        processedCount = row.getLong("processed_count");
        forgotten = row.getObject("forgotten", Long.class);
        if (row.getString("token") != null) {
            lease = new Lease(
                    row.getLong("lease_offset"),
                    row.getString("token"),
                    row.getLong("fence"),
                    row.getString("owner"),
                    row.getLong("acquired_at"),
                    row.getLong("lease_until"),
                    row.getInt("retry_count"),
                    row.getInt("retries_before"));
        }
        if (row.getObject("run_first") != null) {
            run = new Run(row.getLong("run_first"), row.getLong("run_last"));
        }
        if (row.getString("last_token") != null) {
            ended = new Ended(row.getString("last_token"), row.getString("last_code"), row.getLong("last_number"));
        }
    }

    static @Nullable DomainRow lock(Connection connection, String domainId) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(LOCK)) {
            query.setBytes(1, bytes(domainId));
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? new DomainRow(row) : null;
            }
        }
    }

    /** Names are bytes there: a database that ignores case tells them apart all the same. */
    static byte[] bytes(String domainId) {
        return domainId.getBytes(UTF_8);
    }

    boolean isLeased(long offset) {
        return lease != null && lease.offset() == offset;
    }

    boolean isForgotten(long offset) {
        return forgotten != null && offset <= forgotten;
    }

    void save(Connection connection) throws SQLException {
        Lease held = lease;
        Run grown = run;
        Ended last = ended;
        try (PreparedStatement update = connection.prepareStatement(SAVE)) {
            update.setObject(1, held == null ? null : held.offset());
            update.setObject(2, held == null ? null : held.token());
            update.setObject(3, held == null ? null : held.fence());
            update.setObject(4, held == null ? null : held.owner());
            update.setObject(5, held == null ? null : held.acquiredAt());
            update.setObject(6, held == null ? null : held.until());
            update.setObject(7, held == null ? null : held.retryCount());
            update.setObject(8, held == null ? null : held.retriesBefore());
            update.setLong(9, waiting);
            update.setLong(10, lastPlace);
            update.setObject(11, lastFence);
            update.setObject(12, forgotten);
            update.setObject(13, grown == null ? null : grown.first());
            update.setObject(14, grown == null ? null : grown.last());
            update.setLong(15, processedCount);
            update.setObject(16, last == null ? null : last.token());
            update.setObject(17, last == null ? null : last.code());
            update.setObject(18, last == null ? null : last.number());
            update.setLong(19, id);
            update.executeUpdate();
        }
    }
}
