package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.redis.RedisWorkLease;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Leases on Redis, through one connection. No command is sent twice: a call without an answer fails, and the next call
 * uses a new connection. So each call is one operation in the history.
 */
final class RedisStoreClient implements Client {
    private static final String NAME = "orders";
    private static final int SHARDS = 64;
    private static final String NO_DIGEST = "0".repeat(40);
    private static final String REMEMBER = """
            turnTo(unpack(KEYS))
            local first, last = grown(ARGV[1], get('forgotten', 'first', 'last'))
            redis.call('HSET', state, 'first', first, 'last', last)
            return 1
            """;
    private static final int MOST_AWAY = 20;

    /** Shared by all connections of the process, because they take longer to make than a connection. */
    static final ClientResources RESOURCES = DefaultClientResources.create();

    private final Order order;
    private final RedisClient client;
    private final Map<String, Long> offsets = new HashMap<>();
    private StatefulRedisConnection<String, String> connection;
    private SharedWorkLease lease;
    private SharedWorkLease sideLeases;
    private int away;

    RedisStoreClient(Order order) {
        this.order = order;
        this.client = RedisClient.create(
                RESOURCES,
                RedisURI.builder()
                        .withHost("127.0.0.1")
                        .withPort(order.port())
                        .withTimeout(Duration.ofMillis(order.waitMillis()))
                        .build());
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        try {
            connect();
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    @Override
    public synchronized SharedWorkLease lease() {
        if (!connection.isOpen()) {
            connect();
        }
        return lease;
    }

    @Override
    public synchronized SharedWorkLease sideLeases() {
        lease();
        return sideLeases;
    }

    /** A connection that was cut while it was opened may look open for ever, and reject everything. */
    @Override
    public synchronized void noteAway() {
        away++;
        if (away % MOST_AWAY == 0) {
            connection.close();
        }
    }

    private void connect() {
        connection = client.connect();
        StatefulRedisConnection<String, String> asked = order.twin() == Twin.NONE ? connection : twin();
        SharedWorkLease some = leases(asked, NAME);
        sideLeases = leases(asked, SideLeases.NAME);
        lease = order.twin() == Twin.FINISH_IN_TWO_STEPS ? new TwoStepFinish(some, this::remember, offsets) : some;
    }

    private SharedWorkLease leases(StatefulRedisConnection<String, String> asked, String name) {
        return RedisWorkLease.builder(asked, name, order.maxRetries())
                .owner(order.owner())
                .leaseDuration(order.leaseDuration())
                .prefix(order.store())
                .build();
    }

    private StatefulRedisConnection<String, String> twin() {
        return switch (order.twin()) {
            case NONE -> connection;
            case FENCE_KEPT -> changed("acquire", "local fence = ", "local fence = leased == offset and lastFence or ");
            case CLIENT_CLOCK ->
                changed(
                        "domain",
                        "return time[1] * 1000000 + time[2]",
                        "return time[1] * 1000000 + time[2] + " + order.clockAheadMillis() * 1000);
            case FINISH_IN_TWO_STEPS ->
                changed("succeed", "grown(place, forgotten, first, last)", "first or '', last or ''");
        };
    }

    /**
     * Sends this script with a fault, and always as text, because the server may know the digest of the right script.
     */
    private StatefulRedisConnection<String, String> changed(String file, String right, String wrong) {
        String part = script(file);
        if (!part.contains(right)) {
            throw new IllegalStateException(file + " (expected: contains " + right + ")");
        }
        UnaryOperator<String> change = text -> text.replace(part, part.replace(right, wrong));
        RedisAsyncCommands<String, String> commands = connection.async();
        Object changed = proxy(RedisAsyncCommands.class, commands, (method, arguments) -> {
            if (method.getName().equals("eval")) {
                arguments[0] = change.apply((String) arguments[0]);
            } else if (method.getName().equals("evalsha")) {
                arguments[0] = NO_DIGEST;
            }
            return method.invoke(commands, arguments);
        });
        return proxyConnection(changed);
    }

    @SuppressWarnings("unchecked")
    private StatefulRedisConnection<String, String> proxyConnection(Object commands) {
        return (StatefulRedisConnection<String, String>) proxy(
                StatefulRedisConnection.class,
                connection,
                (method, arguments) ->
                        method.getName().equals("async") ? commands : method.invoke(connection, arguments));
    }

    private interface Calls {
        Object answer(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static Object proxy(Class<?> type, Object target, Calls calls) {
        return Proxy.newProxyInstance(
                target.getClass().getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return calls.answer(method, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void remember(String domainId, long offset) {
        String shard = order.store() + ":{" + NAME + "/" + SlotHash.getSlot(domainId) % SHARDS + "}:";
        String[] keys = Stream.of(
                        "look_at", domainId + ":state", domainId + ":backlog", domainId + ":failed", domainId + ":done")
                .map(part -> shard + part)
                .toArray(String[]::new);
        try {
            connection
                    .sync()
                    .eval(
                            script("domain") + REMEMBER,
                            ScriptOutputType.INTEGER,
                            keys,
                            "0" + Long.toUnsignedString(offset ^ Long.MIN_VALUE));
        } catch (RedisException failed) {
            throw new TwoStepFinish.Interrupted(failed);
        }
    }

    private static String script(String file) {
        try (InputStream script = RedisWorkLease.class.getResourceAsStream(file + ".lua")) {
            return new String(script.readAllBytes(), US_ASCII);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
