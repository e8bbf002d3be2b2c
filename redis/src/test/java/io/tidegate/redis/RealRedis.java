package io.tidegate.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** A server of its own, on a free port, that has its data again after it was killed. */
final class RealRedis implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String PROCESS_ID = "process_id:";

    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 4_000;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private final Path folder;
    private final List<String> settings;
    private final int port;
    private final RedisClient client;
    private RedisServer server;

    RealRedis(Path folder, String... settings) throws IOException {
        this.folder = folder;
        this.settings = List.of(settings);
        this.port = freePort();
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

    /**
     * One that neither the system gives out by itself nor another module, and each once: nobody else gets it before the
     * server has it, or while that is down. In a cluster a server listens 10,000 above its port, too.
     */
    private static int freePort() throws IOException {
        int port;
        do {
            port = FIRST_PORT + NEXT_PORT.getAndIncrement() % PORTS;
        } while (!isFree(port) || !isFree(port + 10_000));
        return port;
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        }
    }
}
