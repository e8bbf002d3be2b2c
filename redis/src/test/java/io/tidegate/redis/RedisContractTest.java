package io.tidegate.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of shared leases, on a real server. */
class RedisContractTest extends RedisLeaseContract {
    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @Override
    RedisWorkLease.Builder builder(String name, int maxRetries) {
        return RedisWorkLease.builder(connection, name, maxRetries);
    }

    @Override
    RedisClusterCommands<String, String> commands() {
        return connection.sync();
    }

    @Override
    void killAndReconnect() throws IOException {
        redis.killAndStart();
        connection.close();
        connection = redis.connect();
    }

    /** Short, because each step is a round trip. */
    @Override
    protected int longBacklog() {
        return 300;
    }

    @Override
    protected int scripts() {
        return 6;
    }
}
