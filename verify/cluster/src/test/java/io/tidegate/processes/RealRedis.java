package io.tidegate.processes;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import redis.embedded.RedisServer;

/** Redis; a store is a prefix. */
final class RealRedis implements Server {
    private static final String PROCESS_ID = "process_id:";
    private static final int MOST_TRIES = 5;

    private final Path folder;
    private final int port;
    private RedisServer server;

    RealRedis(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder.resolve("redis"));
        this.port = Server.freePort();
        this.server = launch();
    }

    /**
     * It is unpacked and run at once, which the system refuses while a process that was just forked still has the file
     * open.
     */
    private RedisServer launch() throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return launchOnce();
            } catch (IOException busy) {
                if (tries == MOST_TRIES) {
                    throw busy;
                }
            }
        }
    }

    /** The file is written before each answer. It need not reach the disk, as it is not the machine that dies here. */
    private RedisServer launchOnce() throws IOException {
        RedisServer fresh = RedisServer.newRedisServer()
                .bind("127.0.0.1")
                .port(port)
                .setting("dir \"" + folder + "\"")
                .setting("save \"\"")
                .setting("appendonly yes")
                .setting("appendfsync no")
                .build();
        fresh.start();
        return fresh;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void killAndStart() throws IOException {
        ProcessHandle process = ProcessHandle.of(processId()).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        server.stop();
        server = launch();
    }

    private long processId() {
        return ask(connection -> connection
                .sync()
                .info("server")
                .lines()
                .filter(line -> line.startsWith(PROCESS_ID))
                .mapToLong(line ->
                        Long.parseLong(line.substring(PROCESS_ID.length()).trim()))
                .findFirst()
                .orElseThrow());
    }

    @Override
    public void createStore(String store, Twin twin) {
        // the first key makes it
    }

    @Override
    public void dropStore(String store) {
        ask(connection -> connection.sync().flushall());
    }

    private interface Question<T> {
        T ask(StatefulRedisConnection<String, String> connection);
    }

    private <T> T ask(Question<T> question) {
        RedisClient client = RedisClient.create(RedisStoreClient.RESOURCES, "redis://127.0.0.1:" + port);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.ask(connection);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }
}
