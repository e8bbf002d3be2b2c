package io.tidegate.processes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.tidegate.cluster.CapStore;
import io.tidegate.jdbc.JdbcCapStore;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.redis.RedisCapStore;
import java.time.Duration;

/** A store of shared caps on a real server, and its connection. */
record CapClient(CapStore store, Runnable closing) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Connects. Throws what the engine's library throws if the server cannot be reached, or takes longer to answer. */
    static CapClient connect(Engine engine, int port, String name, Duration wait) {
        return engine == Engine.REDIS ? redis(port, wait) : postgres(port, name, wait);
    }

    /** Connects for a caller that can wait. */
    static CapClient connect(Engine engine, int port, String name) {
        return connect(engine, port, name, PATIENCE);
    }

    private static CapClient postgres(int port, String schema, Duration wait) {
        HikariDataSource pool = pool(port, schema, wait);
        try {
            return new CapClient(JdbcCapStore.of(pool), pool::close);
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    /** Creates the tables in a schema that has those of leases. */
    static void createTables(int port, String schema) {
        try (HikariDataSource pool = pool(port, schema, PATIENCE)) {
            JdbcWorkLease.migrate(pool);
        }
    }

    private static HikariDataSource pool(int port, String schema, Duration wait) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresClient.url(port) + "&socketTimeout=" + Math.ceilDiv(wait.toMillis(), 1_000)
                + "&currentSchema=" + schema);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(wait.toMillis());
        config.setValidationTimeout(wait.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Reconnects by itself, and sends again what was not answered. So claims come late and twice. */
    private static CapClient redis(int port, Duration wait) {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(wait)
                .build());
        Runnable closing = () -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        try {
            return new CapClient(RedisCapStore.of(client.connect()), closing);
        } catch (RuntimeException failed) {
            closing.run();
            throw failed;
        }
    }

    @Override
    public void close() {
        closing.run();
    }
}
