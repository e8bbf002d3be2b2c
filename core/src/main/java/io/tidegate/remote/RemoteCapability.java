package io.tidegate.remote;

/**
 * The right to submit remote operations to the {@link RemoteBulkheadClient}s of one bulkhead. It cannot be constructed:
 * it is given out {@linkplain RemoteBulkheadClient#takeCapability() once} for each bulkhead, to the code that wires the
 * program, which passes it on.
 */
public final class RemoteCapability {
    private final LockedBulkhead bulkhead;

    RemoteCapability(LockedBulkhead bulkhead) {
        this.bulkhead = bulkhead;
    }

    boolean isFor(LockedBulkhead other) {
        return bulkhead == other;
    }
}
