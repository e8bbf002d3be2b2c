package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.time.Duration;

/**
 * Leases that live on a Redis or Valkey server, for all processes that use it with the same prefix.
 *
 * <pre>{@code
 * RedisClient client = RedisClient.create("redis://localhost");
 * WorkLease lease = RedisWorkLease.builder(client.connect(), 3).build();
 * }</pre>
 *
 * <p>A lease belongs to an owner and lasts for a while, by the server's clock. Its owner is shown its token again; all others are told
 * {@link AcquireResult.HeldElsewhere}, and {@link #inspect} tells them an empty token. When the while is over, whoever asks for the offset
 * takes it over with a new token and a greater fence, which counts as a retry; with no retry left, the offset has failed. Asking for an
 * offset that one holds prolongs the lease, as {@link #renew} does.
 *
 * <p>The last {@link #succeed}, or the last {@link #fail} that gave up, can be repeated with its token as long as nobody has finished
 * something else in the domain: it answers as before, and nothing happens twice.
 *
 * <p>Each operation is one script on the server and one round trip. When the server cannot be asked, or refuses,
 * {@link RedisUnavailableException} is thrown, and the operation may have happened or not: ask again.
 *
 * <p>A server that is replaced by its replica can lose the last answers it gave, and a paused process does not notice that its
 * lease is over. So hand the fence to whatever is written to, and let that refuse a smaller one.
 *
 * <p>Thread-safe, as {@link WorkLease} says; the order of operations is the server's.
 */
public interface RedisWorkLease extends WorkLease {
    /** What the names of all keys begin with, unless set: {@value}. */
    String DEFAULT_PREFIX = "tidegate";

    /** How long a lease lasts, in seconds, unless set: {@value}. */
    int DEFAULT_DURATION_SECONDS = 30;

    /** How long a lease can last at the most, in days: {@value}. */
    int LONGEST_DURATION_DAYS = 365;

    /**
     * Leases on one server, or on the primary of several.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation waits for its answer. Do not
     *     use it for transactions, and do not switch its automatic flushing off
     * @param maxRetries how often an offset is tried again after its first attempt failed; the same in all processes
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(StatefulRedisConnection<String, String> connection, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(new ScriptCalls(connection.async(), connection::getTimeout), maxRetries);
    }

    /**
     * Leases on a cluster. All keys of a domain are in one slot; domains are spread over all slots.
     *
     * @param connection used from all threads at once, and never closed here. Its timeout is how long an operation waits for its answer. Do not
     *     switch its automatic flushing off
     * @param maxRetries how often an offset is tried again after its first attempt failed; the same in all processes
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(StatefulRedisClusterConnection<String, String> connection, int maxRetries) {
        requireNonNull(connection, "connection");
        return new RedisLeaseBuilder(new ScriptCalls(connection.async(), connection::getTimeout), maxRetries);
    }

    /** Whose leases these are. */
    String owner();

    /**
     * Prolongs the lease to its full duration from now; never shortens it.
     *
     * @return when the lease ends unless it is prolonged again, by the server's clock
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's: somebody else has taken over
     */
    long renew(String domainId, String token);

    /** Choices. Not thread-safe. */
    interface Builder {
        /**
         * Whose leases these are, in printable ASCII; otherwise a random name, new with each {@link #build}. A process that takes the name it
         * had before it died is given its leases back at once, and no retry is counted then: work that kills its process comes
         * back for ever.
         */
        Builder owner(String owner);

        /**
         * How long a lease lasts, from 1 ms to {@value RedisWorkLease#LONGEST_DURATION_DAYS} days. Default:
         * {@value RedisWorkLease#DEFAULT_DURATION_SECONDS} s.
         */
        Builder duration(Duration duration);

        /**
         * What the names of all keys begin with, in printable ASCII without braces: leases with another prefix are a store of their own.
         * Default: {@value RedisWorkLease#DEFAULT_PREFIX}.
         */
        Builder prefix(String prefix);

        /** The leases. Does not ask the server. */
        RedisWorkLease build();
    }
}
