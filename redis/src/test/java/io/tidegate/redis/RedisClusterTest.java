package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of two servers, which refuse scripts with keys of several slots. */
@Timeout(600)
class RedisClusterTest {
    private static final int DOMAINS = 50;

    @TempDir
    static Path folder;

    private static RealCluster cluster;

    @BeforeAll
    static void startServers() throws IOException {
        cluster = new RealCluster(folder);
    }

    @AfterAll
    static void stopServers() throws IOException {
        cluster.close();
    }

    @Test
    @DisplayName("WL-11 WL-24 all operations of a domain stay in its slot, whatever its name")
    void cluster_anyName_works() {
        RedisWorkLease lease =
                RedisWorkLease.builder(cluster.connect(), "orders", 0).build();
        for (String name : List.of("plain", "{", "}", "{}", "a}b{c", "\u00fc")) {
            assertWorks(lease, name);
        }
    }

    /** Calls every operation of a lease without retries. */
    static void assertWorks(RedisWorkLease lease, String domainId) {
        String token = acquire(lease, domainId, 1);
        lease.tryAcquire(domainId, 5);
        lease.renew(domainId, token);
        assertThat(lease.succeed(domainId, token)).isEqualTo(new SucceedResult.NextHint(5));
        lease.fail(domainId, acquire(lease, domainId, 5));
        assertThat(lease.replay(domainId, 5)).isTrue();
        lease.succeed(domainId, acquire(lease, domainId, 5));
        lease.forget(domainId, 5);
        assertThat(lease.inspect(domainId).orElseThrow().processedCount()).isEqualTo(2);
        lease.fail(domainId, acquire(lease, domainId, 6));
        assertThat(lease.failedWork(domainId, 1)).hasSize(1);
        lease.release(domainId, acquire(lease, domainId, 7));
        assertThat(lease.pending(1, "")).containsExactly(domainId);
        String again = acquire(lease, domainId, 7);
        lease.tryAcquire(domainId, 8);
        lease.tryAcquire(domainId, 9);
        assertThat(lease.backlogBehind(domainId, 8, 1)).containsExactly(9L);
        assertThat(lease.renewAll(List.of(new Finish(domainId, again)))).hasSize(1);
        lease.succeed(domainId, again);
        lease.succeed(domainId, acquire(lease, domainId, 8));
        lease.succeed(domainId, acquire(lease, domainId, 9));
        assertThat(lease.deleteFailed(Duration.ZERO)).isEqualTo(1);
        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(1);
    }

    private static String acquire(RedisWorkLease lease, String domainId, long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire(domainId, offset)).token();
    }

    @Test
    @DisplayName(
            "WL-24 a batch goes to all servers that it concerns, and those that do not know the script are sent it")
    void cluster_batch_isAnswered() {
        RedisWorkLease lease = RedisWorkLease.builder(cluster.connect(), "orders", 0)
                .prefix("batch")
                .build();
        List<Offer> offers = IntStream.range(0, 2 * DOMAINS)
                .mapToObj(number -> new Offer("domain " + number % DOMAINS, number / DOMAINS))
                .toList();
        List<BatchAnswer<AcquireResult>> answers = lease.tryAcquireAll(offers);
        assertThat(answers.subList(0, DOMAINS)).allMatch(answer -> answer.orThrow() instanceof AcquireResult.Acquired);
        assertThat(answers.subList(DOMAINS, 2 * DOMAINS))
                .allMatch(answer -> answer.orThrow() instanceof AcquireResult.Enqueued);

        List<Finish> finishes = IntStream.range(0, DOMAINS)
                .mapToObj(number -> new Finish(
                        "domain " + number,
                        ((AcquireResult.Acquired) answers.get(number).orThrow()).token()))
                .toList();
        assertThat(lease.succeedAll(finishes))
                .hasSize(DOMAINS)
                .allMatch(answer -> answer.orThrow().equals(new SucceedResult.NextHint(1)));
        for (RealRedis server : List.of(cluster.one, cluster.other)) {
            try (StatefulRedisConnection<String, String> connection = server.connect()) {
                assertThat(connection.sync().keys("batch:*")).isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("WL-24 a batch for what seems to be one server but is of a cluster is done slot by slot")
    void oneOfCluster_batch_isAnswered() {
        RedisWorkLease lease = RedisWorkLease.builder(cluster.one.connect(), "orders", 0)
                .prefix("face")
                .build();
        List<Offer> offers = IntStream.range(0, 4 * DOMAINS)
                .mapToObj(number -> new Offer("domain" + number, 1))
                .filter(offer -> SlotHash.getSlot(DomainKeysTest.keyOf("face", offer.domainId(), "state"))
                        < RealCluster.FIRST_OF_OTHER)
                .limit(DOMAINS)
                .toList();
        assertThat(lease.tryAcquireAll(offers))
                .hasSize(DOMAINS)
                .allMatch(answer -> answer.orThrow() instanceof AcquireResult.Acquired);
    }

    @Test
    @DisplayName(
            "WL-24 WL-2 the offsets of a domain in a batch come in the order of the batch, also over a new connection")
    void cluster_batchOfOneDomain_keepsTheOrder() {
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            try (StatefulRedisClusterConnection<String, String> fresh = cluster.connect()) {
                RedisWorkLease lease = RedisWorkLease.builder(fresh, "orders", 0)
                        .prefix("order")
                        .build();
                lease.tryAcquireAll(IntStream.range(0, DOMAINS)
                        .mapToObj(offset -> new Offer(name, offset))
                        .toList());
                assertThat(lease.inspect(name).orElseThrow().backlog())
                        .hasSize(DOMAINS - 1)
                        .isSorted();
            }
        }
    }

    @Test
    @DisplayName("WL-30 while a cluster moves a slot, lists refuse or are right, and nothing gets out of reach")
    void pending_slotMoves_losesNothing() {
        try (StatefulRedisClusterConnection<String, String> connection = cluster.connect()) {
            RedisWorkLease lease =
                    RedisWorkLease.builder(connection, "moved", 0).build();
            // The name is used by this test alone, so that nothing else is in the slot.
            DomainKeys named = new DomainKeys(RedisWorkLease.DEFAULT_PREFIX, "moved");
            String domain = IntStream.range(0, DOMAINS)
                    .mapToObj(number -> "domain" + number)
                    .filter(name -> SlotHash.getSlot(named.of(name).get(0)) < RealCluster.FIRST_OF_OTHER)
                    .findFirst()
                    .orElseThrow();
            String token = acquire(lease, domain, 1);
            lease.tryAcquire(domain, 2);
            lease.succeed(domain, token);
            List<String> keys = new ArrayList<>(named.of(domain).subList(0, 3)); // the index, the state and the backlog
            int slot = SlotHash.getSlot(keys.get(0));
            keys.add(DomainKeys.namesBeside(keys.get(0)));
            try (StatefulRedisConnection<String, String> from = cluster.one.connect();
                    StatefulRedisConnection<String, String> to = cluster.other.connect()) {
                String fromId = from.sync().clusterMyId();
                String toId = to.sync().clusterMyId();
                to.sync().clusterSetSlotImporting(slot, fromId);
                from.sync().clusterSetSlotMigrating(slot, toId);
                for (String key : keys) {
                    assertFoundOrRefused(lease, domain);
                    from.sync()
                            .migrate(
                                    cluster.other.address().getHost(),
                                    cluster.other.address().getPort(),
                                    key,
                                    0,
                                    60_000);
                }
                assertFoundOrRefused(lease, domain);
                assertThat(from.sync().clusterCountKeysInSlot(slot)).isZero();
                to.sync().clusterSetSlotNode(slot, toId);
                from.sync().clusterSetSlotNode(slot, toId);
            }
            assertThat(lease.pending(1, "")).containsExactly(domain);
            assertThat(lease.domains(1, "")).extracting(DomainSummary::domainId).containsExactly(domain);
        }
    }

    private static void assertFoundOrRefused(RedisWorkLease lease, String domain) {
        assertFoundOrRefused(domain, () -> lease.pending(1, ""));
        assertFoundOrRefused(
                domain,
                () -> lease.domains(1, "").stream().map(DomainSummary::domainId).toList());
    }

    private static void assertFoundOrRefused(String domain, Supplier<List<String>> list) {
        try {
            assertThat(list.get()).containsExactly(domain);
        } catch (RedisUnavailableException refused) {
            assertThat(refused).hasMessageContaining("refused");
        }
    }
}
