package io.tidegate.redis;

import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of shared leases, on a cluster. */
class RedisClusterContractTest extends RedisLeaseContract {
    @TempDir
    static Path folder;

    private static RealCluster cluster;
    private static StatefulRedisClusterConnection<String, String> connection;

    @BeforeAll
    static void startServers() throws IOException {
        cluster = new RealCluster(folder);
        connection = cluster.connect();
    }

    @AfterAll
    static void stopServers() throws IOException {
        cluster.close();
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
        cluster.killAndStart();
        connection = cluster.connect();
    }

    /** Short, because each step is a round trip. */
    @Override
    protected int longBacklog() {
        return 200;
    }

    @Override
    protected int scripts() {
        return 3;
    }
}
