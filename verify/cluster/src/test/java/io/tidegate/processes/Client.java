package io.tidegate.processes;

import io.tidegate.lease.SharedWorkLease;
import java.util.Optional;

/** The leases of one owner, and their connection. */
interface Client extends AutoCloseable {
    /** Returns the leases for one operation; may have to reconnect. */
    SharedWorkLease lease();

    /** Returns the leases for {@link SideLeases}. */
    SharedWorkLease sideLeases();

    /** Returns the books; empty for an engine without transactions. */
    default Optional<Books> books() {
        return Optional.empty();
    }

    /** Notes that the last operation got no answer. */
    default void noteAway() {}

    @Override
    void close();
}
