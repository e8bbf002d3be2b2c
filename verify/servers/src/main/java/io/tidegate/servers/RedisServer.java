package io.tidegate.servers;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import redis.embedded.core.RedisServerBuilder;

/** Redis, with a file to which it appends before each answer, so that it has its data again after it was killed. */
public final class RedisServer implements Closeable {
    public static final String HOST = "127.0.0.1";

    private static final int MOST_TRIES = 5;

    private final Path folder;
    private final int port;
    private final List<String> settings;
    private redis.embedded.RedisServer server;

    /**
     * @param folder for its data; the server reads what is there already
     * @param settings as in its configuration file; each wins over what is set here
     */
    public RedisServer(Path folder, int port, String... settings) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath(); // the server changes its directory
        this.port = port;
        this.settings = List.of(settings);
        this.server = launch();
    }

    /**
     * The program is unpacked and run at once, which the system refuses while a process that was just forked still has
     * the file open.
     */
    private redis.embedded.RedisServer launch() throws IOException {
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

    private redis.embedded.RedisServer launchOnce() throws IOException {
        RedisServerBuilder builder = redis.embedded.RedisServer.newRedisServer()
                .bind(HOST)
                .port(port)
                .setting("dir \"" + folder + "\"")
                .setting("pidfile \"" + processId() + "\"")
                .setting("save \"\"")
                .setting("appendonly yes")
                .setting("appendfsync no");
        settings.forEach(builder::setting);
        redis.embedded.RedisServer fresh = builder.build();
        fresh.start();
        return fresh;
    }

    private Path processId() {
        return folder.resolve("pid");
    }

    public int port() {
        return port;
    }

    /** Starts the server with the data that are there, on the same port. */
    public void start() throws IOException {
        server = launch();
    }

    /** Kills the server without any shutdown. Then starts it with the data that are there, on the same port. */
    public void killAndStart() throws IOException {
        ServerProcess.kill(processId());
        stop();
        start();
    }

    public void stop() throws IOException {
        server.stop();
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}
