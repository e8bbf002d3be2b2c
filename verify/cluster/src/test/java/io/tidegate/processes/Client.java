package io.tidegate.processes;

import io.tidegate.lease.SharedWorkLease;

/** The leases of one owner, and what they are reached by. */
interface Client extends AutoCloseable {
    /** For one operation; may have to connect anew. */
    SharedWorkLease lease();

    /** The last operation got no answer. */
    default void noteAway() {}

    @Override
    void close();
}
