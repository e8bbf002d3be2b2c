package io.tidegate.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A cluster of two servers: each has one half of the slots, and refuses scripts with keys of several slots. */
final class RealCluster implements AutoCloseable {
    static final int FIRST_OF_OTHER = SlotHash.SLOT_COUNT / 2;

    /** The servers take seconds to find each other, and need the processors for that. */
    private static final long ASK_EVERY_NANOS = 10_000_000;

    final RealRedis one;
    final RealRedis other;
    private RedisClusterClient client;

    RealCluster(Path folder) throws IOException {
        one = new RealRedis(Files.createDirectory(folder.resolve("one")), "cluster-enabled yes");
        other = new RealRedis(Files.createDirectory(folder.resolve("other")), "cluster-enabled yes");
        try (StatefulRedisConnection<String, String> first = one.connect();
                StatefulRedisConnection<String, String> second = other.connect()) {
            giveSlots(first, 0, FIRST_OF_OTHER);
            giveSlots(second, FIRST_OF_OTHER, SlotHash.SLOT_COUNT);
            first.sync().clusterMeet(other.address().getHost(), other.address().getPort());
        }
        awaitReady();
    }

    private static void giveSlots(StatefulRedisConnection<String, String> connection, int from, int to) {
        connection.sync().clusterAddSlots(IntStream.range(from, to).toArray());
    }

    private void awaitReady() {
        for (RealRedis server : List.of(one, other)) {
            try (StatefulRedisConnection<String, String> connection = server.connect()) {
                while (!connection.sync().clusterInfo().contains("cluster_state:ok")) {
                    LockSupport.parkNanos(ASK_EVERY_NANOS);
                }
            }
        }
        client = RedisClusterClient.create(one.address());
    }

    StatefulRedisClusterConnection<String, String> connect() {
        return client.connect();
    }

    void killAndStart() throws IOException {
        closeClient();
        one.killAndStart();
        other.killAndStart();
        awaitReady();
    }

    private void closeClient() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    @Override
    public void close() throws IOException {
        closeClient();
        one.close();
        other.close();
    }
}
