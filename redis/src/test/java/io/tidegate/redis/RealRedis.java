package io.tidegate.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.servers.RedisServer;
import io.tidegate.servers.ServerPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A server of its own, on a free port, and who connects to it. */
final class RealRedis implements AutoCloseable {
    /** In a cluster a server also listens 10,000 above its port. */
    private static final ServerPorts PORTS = new ServerPorts(10_000, 2_000, 10_000);

    private final RedisServer server;
    private final RedisClient client;

    RealRedis(Path folder, String... settings) throws IOException {
        this.server = new RedisServer(folder, PORTS.next(), settings);
        this.client = RedisClient.create(address());
    }

    RedisURI address() {
        return RedisURI.builder()
                .withHost(RedisServer.HOST)
                .withPort(server.port())
                .withTimeout(Duration.ofMinutes(2))
                .build();
    }

    StatefulRedisConnection<String, String> connect() {
        return client.connect();
    }

    void stop() throws IOException {
        server.stop();
    }

    void start() throws IOException {
        server.start();
    }

    void killAndStart() throws IOException {
        server.killAndStart();
    }

    @Override
    public void close() throws IOException {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        server.close();
    }
}
