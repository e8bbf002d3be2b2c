package io.tidegate.processes;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Redis; a store is a prefix. */
final class RealRedis implements Server {
    private final RedisServer server;

    RealRedis(Path folder) throws IOException {
        this.server = new RedisServer(folder.resolve("redis"), PORTS.next());
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void killAndStart() throws IOException {
        server.killAndStart();
    }

    @Override
    public void createStore(String store, Twin twin) {
        // the first key makes it
    }

    @Override
    public void dropStore(String store) {
        RedisClient client =
                RedisClient.create(RedisStoreClient.RESOURCES, "redis://" + RedisServer.HOST + ":" + port());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().flushall();
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
