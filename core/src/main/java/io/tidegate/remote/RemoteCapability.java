package io.tidegate.remote;

/**
 * The right to submit remote operations to the {@link RemoteBulkheadClient}s of one bulkhead. Nobody can make one: it
 * is given out {@linkplain RemoteBulkheadClient#takeCapability() once} for each bulkhead, to whoever puts the program
 * together, and goes from hand to hand from there.
 */
public final class RemoteCapability {
    private final GuardedBulkhead bulkhead;

    RemoteCapability(GuardedBulkhead bulkhead) {
        this.bulkhead = bulkhead;
    }

    boolean isFor(GuardedBulkhead other) {
        return bulkhead == other;
    }
}
