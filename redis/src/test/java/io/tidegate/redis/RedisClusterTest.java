package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SucceedResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of one server, which refuses scripts with keys of several slots as a larger one does. */
@Timeout(60)
class RedisClusterTest {
    @Test
    @DisplayName("WL-11 WL-24 all operations of a domain stay in its slot, whatever its name")
    void cluster_anyName_works(@TempDir Path folder) throws IOException {
        try (RealRedis redis = new RealRedis(folder, "cluster-enabled yes")) {
            giveAllSlots(redis);
            RedisClusterClient client = RedisClusterClient.create(redis.address());
            try {
                RedisWorkLease lease =
                        RedisWorkLease.builder(client.connect(), 0).build();
                for (String name : List.of("plain", "{", "}", "{}", "a}b{c", "\u00fc")) {
                    assertWorks(lease, name);
                }
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
    }

    private static void assertWorks(RedisWorkLease lease, String domainId) {
        String token = ((AcquireResult.Acquired) lease.tryAcquire(domainId, 1)).token();
        lease.tryAcquire(domainId, 5);
        lease.renew(domainId, token);
        assertThat(lease.succeed(domainId, token)).isEqualTo(new SucceedResult.NextHint(5));
        lease.fail(domainId, ((AcquireResult.Acquired) lease.tryAcquire(domainId, 5)).token());
        assertThat(lease.replay(domainId, 5)).isTrue();
        lease.succeed(domainId, ((AcquireResult.Acquired) lease.tryAcquire(domainId, 5)).token());
        lease.forget(domainId, 5);
        assertThat(lease.inspect(domainId).orElseThrow().processedCount()).isEqualTo(2);
    }

    private static void giveAllSlots(RealRedis redis) {
        try (StatefulRedisConnection<String, String> connection = redis.connect()) {
            connection
                    .sync()
                    .clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
            while (!connection.sync().clusterInfo().contains("cluster_state:ok")) {
                Thread.onSpinWait();
            }
        }
    }
}
