package io.tidegate.processes;

import io.tidegate.lease.SharedWorkLease;
import java.util.Optional;

/** The leases of one owner, and what they are reached by. */
interface Client extends AutoCloseable {
    /** For one operation; may have to connect anew. */
    SharedWorkLease lease();

    /** The same for those of {@link Aside}. */
    SharedWorkLease aside();

    /** Empty for an engine without transactions. */
    default Optional<Books> books() {
        return Optional.empty();
    }

    /** The last operation got no answer. */
    default void noteAway() {}

    @Override
    void close();
}
