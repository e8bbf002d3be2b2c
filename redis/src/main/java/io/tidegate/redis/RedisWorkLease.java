package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease;
import java.time.Duration;
import java.util.List;

/**
 * Leases that live on a Redis or Valkey server, for all processes that use it with the same prefix.
 *
 * <pre>{@code
 * RedisClient client = RedisClient.create("redis://localhost");
 * RedisWorkLease lease = RedisWorkLease.builder(client.connect(), 3).build();
 * }</pre>
 *
 * <p>Each operation is one script on the server and one round trip. So is a batch, of which each part happens by itself: in a batch that throws,
 * some may have happened. When the server cannot be asked, or refuses, {@link RedisUnavailableException} is thrown.
 *
 * <p>A server that is replaced by its replica can lose the last answers it gave, and a paused process does not notice that its
 * lease is over. So hand the fence to whatever is written to, and let that refuse a smaller one.
 *
 * <p>Thread-safe. The order of a domain's operations is the server's.
 */
public interface RedisWorkLease extends SharedWorkLease {
    /** What the names of all keys begin with, unless the builder is told otherwise: {@value}. */
    String DEFAULT_PREFIX = "tidegate";

    /** How long a lease lasts unless the builder is told otherwise. */
    long DEFAULT_LEASE_SECONDS = 60;

    /** How many failures {@link #deleteFailed} deletes at the most: {@value}. */
    int MOST_DELETED_AT_ONCE = 1_000;

    /**
     * Leases on one server, or on the primary of several.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation waits for its answer. Do not
     *     use it for transactions, and do not switch its automatic flushing off
     * @param maxRetries how often an offset is tried again after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(StatefulRedisConnection<String, String> connection, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(ScriptCalls.over(connection), maxRetries);
    }

    /**
     * Leases on a cluster. All keys of a domain are in one slot; domains are spread over all slots.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation waits for its answer. Do not
     *     switch its automatic flushing off
     * @param maxRetries how often an offset is tried again after its first attempt failed, or was lost with its owner
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(StatefulRedisClusterConnection<String, String> connection, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(ScriptCalls.over(connection), maxRetries);
    }

    /**
     * What has failed for good in a domain, and was neither replayed nor deleted; the oldest failures first.
     *
     * @param limit how many at the most, from 1
     */
    List<FailedWork> failed(String domainId, int limit);

    /**
     * Deletes the failures of a domain that are as old as this or older, up to {@value #MOST_DELETED_AT_ONCE} at a time, as the server does nothing else
     * meanwhile. Their offsets answer {@link AcquireResult.AlreadyProcessed} from now on: they cannot be replayed any more, and do not run again.
     *
     * @return how many
     */
    int deleteFailed(String domainId, Duration age);

    /**
     * Deletes a domain in which nothing is leased, queued or failed and nothing has changed for so long. What was processed there is not known any
     * more, so an old offset that is offered again runs again. Fences go on rising, unless the server's clock falls back by more than {@code idle}.
     *
     * @return false when there is no such domain, or it is not idle
     */
    boolean deleteIdle(String domainId, Duration idle);

    /**
     * Work that has failed for good.
     *
     * @param failedAtMillis when it was given up, by the server's clock
     */
    record FailedWork(long offset, long failedAtMillis) {}

    /** Choices for leases on a server. Not thread-safe. */
    interface Builder {
        /**
         * Whose leases these are, in printable ASCII; otherwise a name that is new with each {@link #build}, which is best. Two that run at once must not
         * share a name: each would be shown the other's tokens. With a name that outlives its process, and no other owner, nobody takes over what
         * kills the process.
         */
        Builder owner(String owner);

        /** How long a lease lasts unless it is prolonged; {@value RedisWorkLease#DEFAULT_LEASE_SECONDS} seconds otherwise. */
        Builder leaseDuration(Duration duration);

        /**
         * What the names of all keys begin with, in printable ASCII without braces: leases with another prefix are a store of their own.
         * {@value RedisWorkLease#DEFAULT_PREFIX} otherwise.
         */
        Builder prefix(String prefix);

        /** The leases. Does not ask the server. */
        RedisWorkLease build();
    }
}
