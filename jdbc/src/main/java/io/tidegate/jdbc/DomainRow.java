package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row of a domain, locked by the transaction that has read it. */
final class DomainRow {
    private static final String READ = """
            select id, lease_offset, token, fence, owner, acquired_at, lease_until, retry_count,
                retries_before, waiting, last_place, last_fence, forgotten, run_first, run_last, processed_count,
                highest, last_token, last_code, last_number, look_at,
                cast(floor(extract(epoch from current_timestamp) * 1000) as bigint) as now
            from tidegate_domain where lease = ? and name = ?
            """;
    private static final String SAVE = """
            update tidegate_domain set
                lease_offset = ?, token = ?, fence = ?, owner = ?, acquired_at = ?, lease_until = ?, retry_count = ?,
                retries_before = ?, waiting = ?, last_place = ?, last_fence = ?, forgotten = ?, run_first = ?,
                run_last = ?, processed_count = ?, highest = ?, last_token = ?, last_code = ?, last_number = ?,
                look_at = ?, changed_at = current_timestamp
            where id = ?
            """;

    /** The lease, with its number of retries at the time when its token was given. */
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

        Lease afterFailure() {
            return new Lease(offset, token, fence, owner, acquiredAt, until, retryCount + 1, retriesBefore);
        }
    }

    /** An offset that was given back. It is the head of the backlog. */
    record Released(long offset, long acquiredAt, int retryCount) {}

    /** Processed offsets, both ends included. */
    record Run(long first, long last) {
        boolean contains(long offset) {
            return first <= offset && offset <= last;
        }

        /** This run with the offset added at one of its ends, or null if it does not fit there. */
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

    /** The engine's clock, which stands still within a transaction. */
    final long now;

    @Nullable
    Lease lease;

    /** Null while there is a lease. */
    @Nullable
    Released released;

    long waiting;

    /** The place of the offset that was enqueued last. */
    long lastPlace;

    /** Null if the domain never had a lease. */
    @Nullable
    Long lastFence;

    /** All offsets up to this one are processed, unless they are open or failed. */
    @Nullable
    Long forgotten;

    @Nullable
    Run run;

    long processedCount;

    /** The greatest offset that ever ended. */
    @Nullable
    Long highest;

    @Nullable
    Ended ended;

    /** The time from which the domain may need an owner; null if there is no work. */
    @Nullable
    Long lookAt;

    private DomainRow(ResultSet row) throws SQLException {
        id = row.getLong("id");
        now = row.getLong("now");
        waiting = row.getLong("waiting");
        lastPlace = row.getLong("last_place");
        lastFence = row.getObject("last_fence", Long.class);
        processedCount = row.getLong("processed_count");
        forgotten = row.getObject("forgotten", Long.class);
        highest = row.getObject("highest", Long.class);
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
        } else if (row.getObject("lease_offset") != null) {
            released = new Released(row.getLong("lease_offset"), row.getLong("acquired_at"), row.getInt("retry_count"));
        }
        if (row.getObject("run_first") != null) {
            run = new Run(row.getLong("run_first"), row.getLong("run_last"));
        }
        if (row.getString("last_token") != null) {
            ended = new Ended(row.getString("last_token"), row.getString("last_code"), row.getLong("last_number"));
        }
        lookAt = row.getObject("look_at", Long.class);
    }

    /**
     * Reads the row; null if there is none.
     *
     * @param locking the clause that locks it, or empty
     */
    static @Nullable DomainRow read(Connection connection, String lease, String domainId, String locking)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(READ + locking)) {
            query.setBytes(1, bytes(lease));
            query.setBytes(2, bytes(domainId));
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? new DomainRow(row) : null;
            }
        }
    }

    /** Names are stored as bytes, so that a database that ignores case distinguishes them. */
    static byte[] bytes(String domainId) {
        return domainId.getBytes(UTF_8);
    }

    boolean isLeased(long offset) {
        return lease != null && lease.offset() == offset;
    }

    /** Notes that the domain may need an owner from this time on, if no earlier time is noted. */
    void lookAfter(long millis) {
        lookAt = lookAt == null ? millis : Math.min(lookAt, millis);
    }

    boolean isForgotten(long offset) {
        return forgotten != null && offset <= forgotten;
    }

    /**
     * Whether no offset as great as this one has ended or was forgotten. Such an offset is neither processed nor
     * failed.
     */
    boolean isBeyond(long offset) {
        return (highest == null || offset > highest) && !isForgotten(offset);
    }

    void save(Connection connection) throws SQLException {
        Lease held = lease;
        Released head = released;
        Run grown = run;
        Ended last = ended;
        List<@Nullable Object> values = new ArrayList<>();
        if (held != null) {
            values.addAll(List.of(held.offset(), held.token(), held.fence(), held.owner()));
            values.addAll(List.of(held.acquiredAt(), held.until(), held.retryCount(), held.retriesBefore()));
        } else if (head != null) {
            values.addAll(Arrays.asList(head.offset(), null, null, null));
            values.addAll(Arrays.asList(head.acquiredAt(), null, head.retryCount(), null));
        } else {
            values.addAll(Collections.nCopies(8, null));
        }
        values.addAll(Arrays.asList(waiting, lastPlace, lastFence, forgotten));
        values.add(grown == null ? null : grown.first());
        values.add(grown == null ? null : grown.last());
        values.add(processedCount);
        values.add(highest);
        values.add(last == null ? null : last.token());
        values.add(last == null ? null : last.code());
        values.add(last == null ? null : last.number());
        values.add(lookAt);
        values.add(id);
        try (PreparedStatement update = connection.prepareStatement(SAVE)) {
            for (int i = 0; i < values.size(); i++) {
                update.setObject(i + 1, values.get(i));
            }
            update.executeUpdate();
        }
    }
}
