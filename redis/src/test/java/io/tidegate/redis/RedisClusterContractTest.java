package io.tidegate.redis;

import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.SharedWorkLeaseContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a cluster; a restart kills its servers. */
class RedisClusterContractTest extends SharedWorkLeaseContract {
    @TempDir
    static Path folder;

    private static RealCluster cluster;
    private static StatefulRedisClusterConnection<String, String> connection;
    private static int stores;

    @BeforeAll
    static void startServers() throws IOException {
        cluster = new RealCluster(folder);
        connection = cluster.connect();
    }

    @AfterAll
    static void stopServers() throws IOException {
        cluster.close();
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
            cluster.killAndStart();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        connection = cluster.connect();
    }

    /** Each step is a round trip. */
    @Override
    protected int longBacklog() {
        return 200;
    }

    /** All that decides is decided as on one server. */
    @Override
    protected int scripts() {
        return 3;
    }
}
