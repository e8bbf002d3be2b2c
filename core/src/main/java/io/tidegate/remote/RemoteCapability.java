package io.tidegate.remote;

/**
 * The right to submit remote operations to one {@link RemoteBulkheadClient}. Nobody can make one: the client gives it out
 * {@linkplain RemoteBulkheadClient#takeCapability() once}, to whoever puts the program together, and it goes from hand to
 * hand from there.
 */
public final class RemoteCapability {
    private final QueueingClient client;

    RemoteCapability(QueueingClient client) {
        this.client = client;
    }

    boolean isFor(QueueingClient other) {
        return client == other;
    }
}
