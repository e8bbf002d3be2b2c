package io.tidegate.ops;

import io.tidegate.lease.SharedWorkLease;

/**
 * Where leases are, while it is open.
 *
 * @param ending closes what was opened
 */
record Store(SharedWorkLease lease, Runnable ending) implements AutoCloseable {
    @Override
    public void close() {
        ending.run();
    }
}
