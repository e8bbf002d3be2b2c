package io.tidegate.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** PostgreSQL. */
public final class PostgresServer implements Closeable {
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    /** Null if the data go with the server. */
    private final @Nullable Path folder;

    private final int port;
    private final List<String> settings;
    private EmbeddedPostgres server;

    /**
     * Starts a server whose data stay.
     *
     * @param folder for its data, empty or not there, or with data from before
     * @param settings in the form {@code name=value}; unless {@code synchronous_commit} is set, it is off, and a server
     *     that is killed can lose what it answered last
     */
    public static PostgresServer start(Path folder, int port, String... settings) throws IOException {
        return new PostgresServer(folder, port, settings);
    }

    /** Starts a server whose data go when it is closed or the JVM ends: it cannot be killed and go on. */
    public static PostgresServer startTemporary(int port, String... settings) throws IOException {
        return new PostgresServer(null, port, settings);
    }

    private PostgresServer(@Nullable Path folder, int port, String... settings) throws IOException {
        this.folder = folder;
        this.port = port;
        this.settings = List.of(settings);
        this.server = launch();
    }

    private EmbeddedPostgres launch() throws IOException {
        EmbeddedPostgres.Builder builder =
                EmbeddedPostgres.builder().setPort(port).setPGStartupWait(START_LIMIT);
        if (folder != null) {
            builder.setDataDirectory(folder).setCleanDataDirectory(false);
        }
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            builder.setServerConfig(parts[0], parts[1]);
        }
        return builder.start();
    }

    public int port() {
        return port;
    }

    /** Returns the database that the server has from the start, for its superuser. */
    public DataSource database() {
        return server.getPostgresDatabase();
    }

    /** Kills the server without any shutdown. Then starts it with the data that are there, on the same port. */
    public void killAndStart() throws IOException {
        if (folder == null) {
            throw new IllegalStateException("temporary (expected: a server with a folder)");
        }
        ServerProcess.kill(folder.resolve("postmaster.pid"));
        server.close();
        server = launch();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
