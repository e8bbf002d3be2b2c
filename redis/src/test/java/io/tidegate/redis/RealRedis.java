package io.tidegate.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.relay.ServerPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** A server of its own, on a free port, that has its data again after it was killed. */
final class RealRedis implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String PROCESS_ID = "process_id:";

    /** In a cluster a server also listens 10,000 above its port. */
    private static final ServerPorts PORTS = new ServerPorts(10_000, 4_000, 10_000);

    private final Path folder;
    private final List<String> settings;
    private final int port;
    private final RedisClient client;
    private RedisServer server;

    RealRedis(Path folder, String... settings) throws IOException {
        this.folder = folder;
        this.settings = List.of(settings);
        this.port = PORTS.next();
        this.server = launch();
        this.client = RedisClient.create(address());
    }

    RedisURI address() {
        return RedisURI.builder()
                .withHost(HOST)
                .withPort(port)
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
        server = launch();
    }

    /** As if its machine had dropped it: nothing is told and nothing tidied up. */
    void killAndStart() throws IOException {
        ProcessHandle process;
        try (StatefulRedisConnection<String, String> connection = connect()) {
            String line = connection
                    .sync()
                    .info("server")
                    .lines()
                    .filter(text -> text.startsWith(PROCESS_ID))
                    .findFirst()
                    .orElseThrow();
            process = ProcessHandle.of(
                            Long.parseLong(line.substring(PROCESS_ID.length()).trim()))
                    .orElseThrow();
        }
        process.destroyForcibly();
        process.onExit().join();
        stop();
        start();
    }

    @Override
    public void close() throws IOException {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        stop();
    }

    /** The file is written before each answer. It need not reach the disk, as it is not the machine that dies here. */
    private RedisServer launch() throws IOException {
        RedisServerBuilder builder = RedisServer.newRedisServer()
                .bind(HOST)
                .port(port)
                .setting("dir \"" + folder + "\"")
                .setting("save \"\"")
                .setting("appendonly yes")
                .setting("appendfsync no");
        settings.forEach(builder::setting);
        RedisServer fresh = builder.build();
        fresh.start();
        return fresh;
    }
}
