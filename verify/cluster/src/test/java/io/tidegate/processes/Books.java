package io.tidegate.processes;

import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SucceedResult;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Where work is written down in the transaction that ends its lease. */
interface Books {
    /** A row for each piece of work. */
    String TABLE = "create table booked (domain_id varchar(50), work_offset bigint, fence bigint);";

    /** Nothing is known of the transaction but that it has begun. */
    final class Away extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Away(SQLException cause) {
            super(cause);
        }
    }

    /** What is done between the row and the commit; what it throws undoes both. */
    @FunctionalInterface
    interface Step {
        SucceedResult succeed(JdbcWorkLease lease, Connection connection);
    }

    /** A row. */
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
