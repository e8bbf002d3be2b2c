package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.lease.SharedWorkLease;
import java.time.Duration;

/**
 * Leases that live on a Redis or Valkey server, for all processes that use it with the same name.
 *
 * <pre>{@code
 * RedisClient client = RedisClient.create("redis://localhost");
 * RedisWorkLease lease = RedisWorkLease.builder(client.connect(), "orders", 3).build();
 * }</pre>
 *
 * <p>Each operation is one script on the server and one round trip. So is a batch, of which each part happens by
 * itself: in a batch that throws, some may have happened. When the server cannot be asked, or refuses, {@link
 * RedisUnavailableException} is thrown.
 *
 * <p>A server that is replaced by its replica can lose the last answers it gave, and a paused process does not notice
 * that its lease is over. So hand the fence to whatever is written to, and let that refuse a smaller one.
 *
 * <p>Thread-safe. The order of a domain's operations is the server's.
 */
public interface RedisWorkLease extends SharedWorkLease {
    /** What the names of all keys begin with, unless the builder is told otherwise: {@value}. */
    String DEFAULT_PREFIX = "tidegate";

    /** How long a lease lasts unless the builder is told otherwise. */
    long DEFAULT_LEASE_SECONDS = 60;

    /**
     * Leases on one server, or on the primary of several.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation
     *     waits for its answer. Do not use it for transactions, and do not switch its automatic flushing off
     * @param name of what the domains are, such as {@code orders}: domains of different names never meet
     * @param maxRetries how often an offset is tried again after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code name} is blank, or {@code maxRetries} negative
     */
    static Builder builder(StatefulRedisConnection<String, String> connection, String name, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(ScriptCalls.over(connection), name, maxRetries);
    }

    /**
     * Leases on a cluster. All keys of a domain are in one slot; the domains of a name are spread over 64 slots.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation
     *     waits for its answer. Do not switch its automatic flushing off
     * @param name of what the domains are, such as {@code orders}: domains of different names never meet
     * @param maxRetries how often an offset is tried again after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code name} is blank, or {@code maxRetries} negative
     */
    static Builder builder(StatefulRedisClusterConnection<String, String> connection, String name, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(ScriptCalls.over(connection), name, maxRetries);
    }

    /**
     * Gives a name to the domains of leases that had none, with all that is known of them. Processes whose leases have
     * no name must have stopped, and those whose leases have this one must not have begun to work. Can be called again
     * after it failed or was killed, and by several processes at once, such as by each before it builds its leases.
     * When it returns, no domain is left without a name.
     *
     * @param prefix what the names of all keys begin with, {@link #DEFAULT_PREFIX} unless the builder was told
     *     otherwise
     * @param name what the builder is given from now on
     * @return how many domains this call has moved
     * @throws IllegalStateException when there is a domain both with the name and without; all others are moved then
     */
    static long migrate(StatefulRedisConnection<String, String> connection, String prefix, String name) {
        requireNonNull(connection, "connection");
        return new Migration(connection.sync(), ScriptCalls.over(connection), prefix, name).run();
    }

    /** Like {@link #migrate(StatefulRedisConnection, String, String)}, on a cluster. */
    static long migrate(StatefulRedisClusterConnection<String, String> connection, String prefix, String name) {
        requireNonNull(connection, "connection");
        return new Migration(connection.sync(), ScriptCalls.over(connection), prefix, name).run();
    }

    /** Choices for leases on a server. Not thread-safe. */
    interface Builder {
        /**
         * Whose leases these are, in printable ASCII; otherwise a name that is new with each {@link #build}, which is
         * best. Two that run at once must not share a name: each would be shown the other's tokens. With a name that
         * outlives its process, and no other owner, nobody takes over what kills the process.
         */
        Builder owner(String owner);

        /**
         * How long a lease lasts unless it is prolonged; {@value RedisWorkLease#DEFAULT_LEASE_SECONDS} seconds
         * otherwise.
         */
        Builder leaseDuration(Duration duration);

        /**
         * How many offsets may wait in a domain: one more is refused with {@link
         * io.tidegate.lease.BacklogFullException}. What is replayed, or given back, is not. Otherwise as many as come.
         */
        Builder maxBacklog(int offsets);

        /**
         * What the names of all keys begin with, in printable ASCII without braces: leases with another prefix are a
         * store of their own. {@value RedisWorkLease#DEFAULT_PREFIX} otherwise.
         */
        Builder prefix(String prefix);

        /** The leases. Does not ask the server. */
        RedisWorkLease build();
    }
}
