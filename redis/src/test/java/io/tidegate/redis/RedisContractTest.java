package io.tidegate.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.WorkLeaseContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a real server; a restart kills the server. */
class RedisContractTest extends WorkLeaseContract {
    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    private int maxRetries;

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
    protected WorkLease open(int maxRetries) {
        stores++;
        this.maxRetries = maxRetries;
        return reopen();
    }

    @Override
    protected WorkLease restart(WorkLease lease) {
        try {
            redis.killAndStart();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        connection.close();
        connection = redis.connect();
        return reopen();
    }

    private WorkLease reopen() {
        return RedisWorkLease.builder(connection, "orders", maxRetries)
                .prefix("store" + stores)
                .owner("me")
                .build();
    }

    @Override
    protected boolean repeatsLastFinish() {
        return true;
    }

    /** Each step is a round trip. */
    @Override
    protected int longBacklog() {
        return 1_000;
    }
}
