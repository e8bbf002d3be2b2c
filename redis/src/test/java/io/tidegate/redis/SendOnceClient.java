package io.tidegate.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * A client that sends no command twice: a call without an answer fails, and the next call uses a new connection. So
 * each call is one operation.
 */
final class SendOnceClient implements AutoCloseable {
    private final RedisClient client;
    private StatefulRedisConnection<String, String> connection;

    SendOnceClient(RedisURI address) {
        client = RedisClient.create(address);
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        connection = client.connect();
    }

    @SuppressWarnings("unchecked")
    RedisScriptingAsyncCommands<String, String> commands() {
        return (RedisScriptingAsyncCommands<String, String>) Proxy.newProxyInstance(
                SendOnceClient.class.getClassLoader(),
                new Class<?>[] {RedisScriptingAsyncCommands.class},
                (proxy, method, arguments) -> method.invoke(openConnection().async(), arguments));
    }

    private synchronized StatefulRedisConnection<String, String> openConnection() {
        while (!connection.isOpen()) {
            try {
                connection = client.connect();
            } catch (RedisConnectionException stillAway) {
                Thread.onSpinWait();
            }
        }
        return connection;
    }

    /** Returns when the server answers again. */
    void awaitServer() {
        while (true) {
            try {
                openConnection().sync().ping();
                return;
            } catch (RedisException stillAway) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
