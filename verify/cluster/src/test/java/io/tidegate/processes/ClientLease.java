package io.tidegate.processes;

import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.TakeNextResult;
import java.time.Duration;
import java.util.function.Function;

/** The leases of a client, for a runner, which keeps its leases. Each operation may have to reconnect. */
class ClientLease extends ForwardingLease {
    private final Order order;
    private final Client client;

    ClientLease(Order order, Client client) {
        this.order = order;
        this.client = client;
    }

    @Override
    <T> T ask(Function<SharedWorkLease, T> operation) {
        try {
            return operation.apply(client.lease());
        } catch (RuntimeException thrown) {
            if (order.engine().isAway(thrown)) {
                client.noteAway();
            }
            throw thrown;
        }
    }

    @Override
    public String owner() {
        return order.owner();
    }

    @Override
    public Duration leaseDuration() {
        return order.leaseDuration();
    }

    @Override
    public TakeNextResult succeedAndTakeNext(String domainId, String token) {
        return ask(lease -> lease.succeedAndTakeNext(domainId, token));
    }
}
