package io.tidegate.redis;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.SharedWorkLeaseContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The contract on real servers: each store has a prefix of its own, and a restart kills the servers. */
abstract class RedisLeaseContract extends SharedWorkLeaseContract {
    private static int stores;

    /** Returns a builder of leases on the present connection. */
    abstract RedisWorkLease.Builder builder(String name, int maxRetries);

    /** Returns the commands of the present connection. */
    abstract RedisClusterCommands<String, String> commands();

    /** Kills the servers, starts them on their files, and connects again. */
    abstract void killAndReconnect() throws IOException;

    @Override
    protected final void openStore() {
        stores++;
    }

    @Override
    protected final SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
        return builder(name, maxRetries)
                .prefix(prefix())
                .owner(owner)
                .leaseDuration(leaseDuration)
                .build();
    }

    @Override
    protected final void pass(Duration time) {
        StoredTime.pass(commands(), prefix(), time);
    }

    private static String prefix() {
        return "store" + stores;
    }

    @Override
    protected final void restartStore() {
        try {
            killAndReconnect();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
