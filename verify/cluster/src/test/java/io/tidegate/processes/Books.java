package io.tidegate.processes;

import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SucceedResult;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A table with an entry for each piece of work, which is written in the transaction that ends its lease. */
interface Books {
    /** A row for each piece of work. */
    String TABLE = "create table booked (domain_id varchar(50), work_offset bigint, fence bigint);";

    /** It is not known whether the transaction was committed. */
    final class Away extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Away(SQLException cause) {
            super(cause);
        }
    }

    /** Runs between the entry and the commit. If it throws, both are undone. */
    @FunctionalInterface
    interface Step {
        SucceedResult succeed(JdbcWorkLease lease, Connection connection);
    }

    /** An entry. */
    record Entry(String domainId, long offset, long fence) {
        String line() {
            return domainId + " " + offset + " " + fence;
        }

        static Entry parse(String line) {
            String[] words = line.split(" ", 3);
            return new Entry(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
    }

    SucceedResult book(Entry entry, Step step);

    List<Entry> entries();
}
