package io.tidegate.ops;

import io.tidegate.lease.SharedWorkLease;

/**
 * An open store of leases.
 *
 * @param ending closes what was opened
 */
record Store(SharedWorkLease lease, Runnable ending) implements AutoCloseable {
    @Override
    public void close() {
        ending.run();
    }
}
