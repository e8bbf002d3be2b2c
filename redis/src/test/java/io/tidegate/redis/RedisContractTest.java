package io.tidegate.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.SharedWorkLeaseContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a real server; a restart kills the server. */
class RedisContractTest extends SharedWorkLeaseContract {
    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @Override
    protected void openStore() {
        stores++;
    }

    @Override
    protected SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
        return RedisWorkLease.builder(connection, name, maxRetries)
                .prefix(prefix())
                .owner(owner)
                .leaseDuration(leaseDuration)
                .build();
    }

    @Override
    protected void pass(Duration time) {
        StoredTime.pass(connection.sync(), prefix(), time);
    }

    private static String prefix() {
        return "store" + stores;
    }

    @Override
    protected void restartStore() {
        try {
            redis.killAndStart();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        connection.close();
        connection = redis.connect();
    }

    /** Each step is a round trip. */
    @Override
    protected int longBacklog() {
        return 300;
    }

    @Override
    protected int scripts() {
        return 6;
    }
}
