package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.lease.SharedWorkLease;
import java.time.Duration;

/**
 * Leases on a Redis or Valkey server, for all processes that use it with the same name.
 *
 * <pre>{@code
 * RedisClient client = RedisClient.create("redis://localhost");
 * RedisWorkLease lease = RedisWorkLease.builder(client.connect(), "orders", 3).build();
 * }</pre>
 *
 * <p>Each operation is one script on the server and one round trip. So is a batch, but each part is applied separately:
 * if a batch throws, some parts may have been applied. When the server cannot be reached, or refuses, {@link
 * RedisUnavailableException} is thrown.
 *
 * <p>In a failover to a replica the last answers can be lost, and a paused process does not notice that its lease has
 * ended. So pass the fence with every write, and let the resource refuse a smaller one.
 *
 * <p>Thread-safe. The order of a domain's operations is the server's.
 */
public interface RedisWorkLease extends SharedWorkLease {
    /** The prefix of all keys unless set: {@value}. */
    String DEFAULT_PREFIX = "tidegate";

    /** How long a lease lasts unless set, in seconds: {@value}. */
    long DEFAULT_LEASE_SECONDS = 60;

    /**
     * Begins to configure leases on one server, or on the primary of several.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation
     *     waits for its answer. Do not use it for transactions, and do not switch its automatic flushing off
     * @param name the kind of work, such as {@code orders}: domains under different names are independent
     * @param maxRetries how often an offset is retried after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code name} is blank, or {@code maxRetries} negative
     */
    static Builder builder(StatefulRedisConnection<String, String> connection, String name, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(ScriptCalls.over(connection), name, maxRetries);
    }

    /**
     * Begins to configure leases on a cluster. All keys of a domain are in one slot; the domains of a name are spread
     * over 64 slots.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation
     *     waits for its answer. Do not switch its automatic flushing off
     * @param name the kind of work, such as {@code orders}: domains under different names are independent
     * @param maxRetries how often an offset is retried after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code name} is blank, or {@code maxRetries} negative
     */
    static Builder builder(StatefulRedisClusterConnection<String, String> connection, String name, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(ScriptCalls.over(connection), name, maxRetries);
    }

    /**
     * Gives a name to the domains of leases that had none, with all that is known of them. Processes whose leases have
     * no name must have stopped, and processes whose leases have the new name must not have begun to work. The method
     * can be called again after it failed or was killed, and by several processes at once, for example by each process
     * before it builds its leases. When it returns, no domain is left without a name.
     *
     * @param prefix the prefix of all keys, {@link #DEFAULT_PREFIX} unless the builder got another one
     * @param name the name that the builder gets from now on
     * @return how many domains this call has moved
     * @throws IllegalStateException when a domain exists both with the name and without; all others have been moved
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

    /** Settings of leases on a server. Not thread-safe. */
    interface Builder {
        /**
         * The owner of these leases, in printable ASCII. Default, and best: a name that is new with each {@link
         * #build}. Two processes that run at once must not share a name: each would get the other's tokens. If a name
         * outlives its process and there is no other owner, work that kills the process is never taken over.
         */
        Builder owner(String owner);

        /**
         * How long a lease lasts unless it is prolonged; {@value RedisWorkLease#DEFAULT_LEASE_SECONDS} seconds by
         * default.
         */
        Builder leaseDuration(Duration duration);

        /**
         * How many offsets may wait in a domain: one more is refused with {@link
         * io.tidegate.lease.BacklogFullException}. Offsets that are replayed or given back are not refused. Default: no
         * limit.
         */
        Builder maxBacklog(int offsets);

        /**
         * The prefix of all keys, in printable ASCII without braces: leases with another prefix are a separate store.
         * {@value RedisWorkLease#DEFAULT_PREFIX} by default.
         */
        Builder prefix(String prefix);

        /** Builds the leases. Does not call the server yet. */
        RedisWorkLease build();
    }
}
