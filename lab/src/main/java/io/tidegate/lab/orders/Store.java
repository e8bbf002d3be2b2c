package io.tidegate.lab.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.redis.RedisWorkLease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The place where leases are kept.
 *
 * @param kind its kind
 * @param address its address, for a driver of its kind
 * @param login the user and password for it
 */
public record Store(Kind kind, String address, Login login) {
    /** The store in the memory of one process. */
    public static final Store MEMORY = new Store(Kind.MEMORY, "memory", Login.NOBODY);

    /** Short, so that another worker soon takes up what a dead one held. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final String EXPECTED =
            "memory, file:PATH or PATH.mv.db (H2), jdbc:postgresql://HOST/DATABASE, redis://HOST";
    private static final String H2_ENDING = ".mv.db";
    private static final String FILE = "file:";
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final String H2 = "jdbc:h2:";
    private static final String FILE_SETTINGS = ";AUTO_SERVER=TRUE;WRITE_DELAY=0;TRACE_LEVEL_FILE=0";
    private static final int CONNECTIONS = 6;

    /** The kinds of stores. */
    public enum Kind {
        MEMORY,
        DATABASE,
        REDIS
    }

    /**
     * Reads the address on the command line.
     *
     * @param environment has {@code TIDEGATE_USER} and {@code TIDEGATE_PASSWORD}, if they are needed
     * @param from the folder that a file's path starts from
     * @throws IllegalArgumentException if it is no such address
     */
    public static Store parse(String text, Path from, Map<String, String> environment) {
        if (text.equals(MEMORY.address)) {
            return MEMORY;
        }
        if (Login.isIn(text)) {
            throw new IllegalArgumentException("--store: has a password, which others on this machine can see"
                    + " (expected: none; set " + Login.USER + " and " + Login.PASSWORD + ")");
        }
        Login login = Login.of(environment);
        if (text.startsWith(POSTGRESQL) || text.startsWith(H2)) {
            return new Store(Kind.DATABASE, text, login);
        }
        if (text.startsWith("redis://") || text.startsWith("rediss://")) {
            return new Store(Kind.REDIS, text, login);
        }
        String path = text.startsWith(FILE) ? text.substring(FILE.length()) : text;
        boolean isFile = !path.isBlank() && (text.startsWith(FILE) || text.endsWith(H2_ENDING));
        if (!isFile) {
            throw new IllegalArgumentException("--store: " + text + " (expected: " + EXPECTED + ")");
        }
        String name = path.endsWith(H2_ENDING) ? path.substring(0, path.length() - H2_ENDING.length()) : path;
        // The first process that opens the file serves it to the others. Each change is written at once, and there is
        // no other file beside it.
        return new Store(Kind.DATABASE, H2 + "file:" + from.resolve(name).toAbsolutePath() + FILE_SETTINGS, login);
    }

    /** Whether the leases end with this process. */
    public boolean isMemory() {
        return kind == Kind.MEMORY;
    }

    /**
     * Checks that the store can be used.
     *
     * @throws IOException if not
     */
    public void check() throws IOException {
        if (!isMemory()) {
            open("lab", "lab", 0).close();
        }
    }

    /** An open store: its leases, and what must be closed with them. */
    record Opened(SharedWorkLease lease, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }

    /**
     * Opens the store.
     *
     * @param name the name of the leases
     * @param owner the owner of the leases
     * @throws IOException if the store cannot be reached or used
     */
    Opened open(String name, String owner, int maxRetries) throws IOException {
        try {
            return switch (kind) {
                case DATABASE -> openDatabase(name, owner, maxRetries);
                case REDIS -> openRedis(name, owner, maxRetries);
                case MEMORY -> throw new IllegalStateException("memory is not shared");
            };
        } catch (RuntimeException failed) {
            Throwable cause = failed;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IOException("--store: " + address + " cannot be used: " + cause.getMessage(), failed);
        }
    }

    private Opened openDatabase(String name, String owner, int maxRetries) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(address);
        settings.setUsername(login.user());
        settings.setPassword(login.password());
        settings.setMaximumPoolSize(CONNECTIONS);
        if (address.startsWith(POSTGRESQL)) {
            // Without the time-out the driver waits forever for a server that accepts the connection and does not
            // answer.
            settings.addDataSourceProperty("loginTimeout", "10");
        }
        HikariDataSource pool = new HikariDataSource(settings);
        try {
            JdbcWorkLease.migrate(pool);
            return new Opened(
                    JdbcWorkLease.builder(pool, name, maxRetries)
                            .owner(owner)
                            .leaseDuration(LEASE)
                            .build(),
                    pool::close);
        } catch (RuntimeException | Error failed) {
            pool.close();
            throw failed;
        }
    }

    private RedisURI server() {
        RedisURI.Builder server = RedisURI.builder(RedisURI.create(address));
        String password = login.password();
        if (login.user() != null) {
            server.withAuthentication(login.user(), password == null ? "" : password);
        } else if (password != null) {
            server.withPassword(password.toCharArray());
        }
        return server.build();
    }

    private Opened openRedis(String name, String owner, int maxRetries) {
        RedisClient client = RedisClient.create(server());
        try {
            StatefulRedisConnection<String, String> connection = client.connect();
            return new Opened(
                    RedisWorkLease.builder(connection, name, maxRetries)
                            .owner(owner)
                            .leaseDuration(LEASE)
                            .build(),
                    client::shutdown);
        } catch (RuntimeException | Error failed) {
            client.shutdown();
            throw failed;
        }
    }
}
