package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Migrates domains of leases without a name, made by the scripts of that earlier version. */
@Timeout(600)
class MigrationTest {
    private static final long AN_HOUR = 3_600_000;
    private static final int LONG = 1_200;
    private static final List<String> ODD_NAMES =
            List.of("{", "}", "a b", "%", "%0020", "\u00fc", "\ud83d\ude00", "a}:state", "x:y");

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    private final String prefix = "store[" + stores++ + "]";
    private final Map<String, String> tokens = new LinkedHashMap<>();

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(Files.createDirectory(folder.resolve("single")));
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @Test
    @DisplayName(
            "WL-27 state of leases without a name, of every kind, is found under the name, and the old keys are gone")
    void migrate_everyState_isKept() {
        Map<String, List<String>> before = fill(connection.sync());
        assertThat(RedisWorkLease.migrate(connection, prefix, "orders")).isEqualTo(before.size());
        assertMoved(RedisWorkLease.builder(connection, "orders", 1), connection.sync(), before);
        assertThat(RedisWorkLease.migrate(connection, prefix, "orders")).isZero();
    }

    @Test
    @DisplayName("WL-27 the same on a cluster, where the keys go from one slot to another")
    void migrate_cluster_isKept() throws IOException {
        try (RealCluster cluster = new RealCluster(Files.createDirectory(folder.resolve("cluster")))) {
            StatefulRedisClusterConnection<String, String> clustered = cluster.connect();
            Map<String, List<String>> before = fill(clustered.sync());
            assertThat(RedisWorkLease.migrate(clustered, prefix, "orders")).isEqualTo(before.size());
            assertMoved(RedisWorkLease.builder(clustered, "orders", 1), clustered.sync(), before);
        }
    }

    @Test
    @DisplayName("WL-27 a migration that was killed anywhere is made good by the next one")
    void migrate_killedAnywhere_isMadeGood() {
        Map<String, List<String>> before = fill(connection.sync());
        int commands = 0;
        while (!migratesWithin(prefix, commands)) {
            commands++;
        }
        assertMoved(RedisWorkLease.builder(connection, "orders", 1), connection.sync(), before);
    }

    @Test
    @DisplayName("WL-27 a migration of a domain that was killed after each of its steps is made good by the next one")
    void migrate_killedAfterEachStep_isMadeGood() {
        int commands = 0;
        boolean whole;
        do {
            String store = prefix + "-" + commands;
            LandedLease landed = new LandedLease(connection.sync(), store, "we", 0);
            landed.fail("A", landed.acquire("A", 1, AN_HOUR));
            landed.succeed("A", landed.acquire("A", 3, AN_HOUR));
            landed.succeed("A", landed.acquire("A", 5, AN_HOUR));
            landed.acquire("A", 7, AN_HOUR);
            landed.acquire("A", 6, AN_HOUR);
            List<String> inspected = landed.inspect("A");
            whole = migratesWithin(store, commands);
            assertThat(RedisWorkLease.migrate(connection, store, "orders")).isBetween(0L, 1L);
            RedisWorkLease lease = RedisWorkLease.builder(connection, "orders", 0)
                    .prefix(store)
                    .owner("we")
                    .build();
            assertThat(lease.inspect("A")).as("after %d commands", commands).contains(snapshot("A", inspected));
            assertThat(lease.tryAcquire("A", 1)).isEqualTo(new AcquireResult.AlreadyFailed());
            assertThat(lease.tryAcquire("A", 3)).isEqualTo(new AcquireResult.AlreadyProcessed());
            assertThat(lease.tryAcquire("A", 5)).isEqualTo(new AcquireResult.AlreadyProcessed());
            assertThat(connection.sync().keys(store.replace("[", "\\[") + ":{A}*"))
                    .isEmpty();
            assertThat(connection.sync().keys("*.aside")).isEmpty();
            assertThat(connection
                            .sync()
                            .hkeys(new DomainKeys(store, "orders").of("A").get(1)))
                    .as("after %d commands", commands)
                    .doesNotContain("adopted", "moved");
            commands++;
        } while (!whole);
        assertThat(commands).isGreaterThan(10);
    }

    /** Whether a migration completes when its connection breaks after so many commands. */
    private static boolean migratesWithin(String prefix, int commands) {
        AtomicInteger left = new AtomicInteger(commands);
        ScriptCalls calls = new ScriptCalls(
                breaking(RedisScriptingAsyncCommands.class, connection.async(), left),
                () -> Duration.ofMinutes(1),
                false);
        try {
            new Migration(breaking(RedisClusterCommands.class, connection.sync(), left), calls, prefix, "orders").run();
            return true;
        } catch (RedisUnavailableException killed) {
            return false;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T breaking(Class<?> type, Object commands, AtomicInteger left) {
        return (T) Proxy.newProxyInstance(
                MigrationTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (left.getAndDecrement() <= 0) {
                        throw new RedisException("broken");
                    }
                    try {
                        return method.invoke(commands, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Test
    @DisplayName("WL-27 several migrations at once move each domain, and none of them twice")
    void migrate_severalAtOnce_moveAll() throws Exception {
        Map<String, List<String>> before = fill(connection.sync());
        int processes = 3;
        CyclicBarrier start = new CyclicBarrier(processes);
        CompletableFuture<?>[] ends = IntStream.range(0, processes)
                .mapToObj(process -> CompletableFuture.runAsync(
                        () -> {
                            await(start);
                            RedisWorkLease.migrate(redis.connect(), prefix, "orders");
                        },
                        task -> new Thread(task).start()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends).get();
        assertMoved(RedisWorkLease.builder(connection, "orders", 1), connection.sync(), before);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    @DisplayName("WL-27 what a killed migration has put aside does not count if the old keys have changed since")
    void migrate_changedSince_copiesAgain() {
        LandedLease landed = new LandedLease(connection.sync(), prefix, "we", 1);
        String token = landed.acquire("A", 1, AN_HOUR);
        for (long offset = 2; offset < 8; offset++) {
            landed.acquire("A", offset, AN_HOUR);
        }
        assertThat(migratesWithin(prefix, 6)).isFalse();
        assertThat(connection.sync().keys("*.aside")).isNotEmpty();
        landed.succeed("A", token);
        landed.succeed("A", landed.acquire("A", 2, AN_HOUR));

        RedisWorkLease.migrate(connection, prefix, "orders");

        RedisWorkLease lease =
                RedisWorkLease.builder(connection, "orders", 1).prefix(prefix).build();
        assertThat(lease.inspect("A"))
                .contains(new DomainSnapshot("A", Optional.empty(), List.of(3L, 4L, 5L, 6L, 7L), 2, 0));
        assertThat(connection.sync().keys("*.aside")).isEmpty();
    }

    @Test
    @DisplayName("WL-27 a domain that is already in use under the name stays and is reported, and the others are moved")
    void migrate_inUse_isReported() {
        LandedLease landed = new LandedLease(connection.sync(), prefix, "we", 1);
        landed.acquire("A", 1, AN_HOUR);
        landed.acquire("B", 1, AN_HOUR);
        RedisWorkLease lease = RedisWorkLease.builder(connection, "orders", 1)
                .prefix(prefix)
                .owner("we")
                .build();
        lease.tryAcquire("A", 7);
        assertThatIllegalStateException()
                .isThrownBy(() -> RedisWorkLease.migrate(connection, prefix, "orders"))
                .withMessage("domains: [A] (expected: not yet in use with the name)");
        assertThat(lease.inspect("A").orElseThrow().lease().orElseThrow().currentOffset())
                .isEqualTo(7);
        assertThat(lease.inspect("B").orElseThrow().lease().orElseThrow().currentOffset())
                .isEqualTo(1);
        assertThat(landed.inspect("A").get(3)).isEqualTo("1");
    }

    @Test
    @DisplayName("WL-27 keys of others are left alone: of other prefixes, other names, and caps")
    void migrate_others_areLeftAlone() {
        connection.sync().set(prefix + ":{cap}:cap", "1");
        new LandedLease(connection.sync(), prefix + "2", "we", 1).acquire("A", 1, AN_HOUR);
        RedisWorkLease named =
                RedisWorkLease.builder(connection, "payments", 1).prefix(prefix).build();
        named.tryAcquire("A", 1);
        List<String> keys = connection.sync().keys("*");
        assertThat(RedisWorkLease.migrate(connection, prefix, "orders")).isZero();
        assertThat(connection.sync().keys("*")).containsExactlyInAnyOrderElementsOf(keys);
        assertThatThrownBy(() -> RedisWorkLease.migrate(connection, "{", "orders"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RedisWorkLease.migrate(connection, prefix, " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: \" \" (expected: not blank)");
    }

    /** Makes domains in every state. Returns what inspect answers for each. */
    private Map<String, List<String>> fill(RedisClusterCommands<String, String> commands) {
        LandedLease landed = new LandedLease(commands, prefix, "we", 1);
        tokens.put("leased", landed.acquire("leased", 5, AN_HOUR));

        tokens.put("retried", landed.acquire("retried", 1, AN_HOUR));
        landed.acquire("retried", 2, AN_HOUR);
        landed.fail("retried", tokens.get("retried"));

        landed.acquire("ended", Long.MIN_VALUE, 1);
        landed.acquire("ended", 9, AN_HOUR);

        tokens.put("queued", landed.acquire("queued", 1, AN_HOUR));
        for (long offset = LONG; offset > 1; offset--) {
            landed.acquire("queued", offset, AN_HOUR);
        }
        landed.succeed("queued", tokens.get("queued"));

        for (long offset = 0; offset < LONG; offset += 2) {
            landed.succeed("gaps", landed.acquire("gaps", offset, AN_HOUR));
        }
        landed.forget("gaps", 10);

        for (long offset = -2; offset < 2; offset++) {
            String token = landed.acquire("failed", offset, AN_HOUR);
            landed.fail("failed", token);
            landed.fail("failed", token);
        }
        landed.replay("failed", 1);

        landed.forget("forgotten", 100);
        tokens.put("done", landed.acquire("done", Long.MAX_VALUE, AN_HOUR));
        landed.succeed("done", tokens.get("done"));
        ODD_NAMES.forEach(name -> landed.acquire(name, name.length(), AN_HOUR));

        Map<String, List<String>> inspected = new LinkedHashMap<>();
        Stream.concat(
                        Stream.of("leased", "retried", "ended", "queued", "gaps", "failed", "forgotten", "done"),
                        ODD_NAMES.stream())
                .forEach(domain -> inspected.put(domain, landed.inspect(domain)));
        return inspected;
    }

    private void assertMoved(
            RedisWorkLease.Builder builder,
            RedisClusterCommands<String, String> commands,
            Map<String, List<String>> before) {
        RedisWorkLease lease = builder.prefix(prefix).owner("we").build();
        RedisWorkLease other = builder.owner("they").build();
        LandedLease landed = new LandedLease(commands, prefix, "we", 1);
        before.forEach((domain, inspected) -> {
            assertThat(snapshot(domain, inspected))
                    .isEqualTo(lease.inspect(domain).orElseThrow());
            assertThat(commands.exists(landed.keys(domain)[0])).as(domain).isZero();
            for (String key : landed.keys(domain)) {
                assertThat(commands.exists(key)).as(key).isZero();
            }
        });
        assertThat(commands.keys("*.aside")).isEmpty();
        assertThat(commands.hget(new DomainKeys(prefix, "orders").of("leased").get(1), "adopted"))
                .isNull();
        assertThat(lease.pending(100, "")).containsExactly("ended", "failed", "queued");

        assertThat(lease.tryAcquire("leased", 5).code()).isEqualTo("ALREADY_ACQUIRED");
        assertThat(other.tryAcquire("leased", 5).code()).isEqualTo("HELD_ELSEWHERE");
        assertThat(lease.succeed("leased", tokens.get("leased"))).isEqualTo(new SucceedResult.NoBacklog());
        assertThat(lease.fail("retried", tokens.get("retried"))).isEqualTo(new FailResult.GiveUpNextHint(2));
        AcquireResult takenOver = other.tryAcquire("ended", Long.MIN_VALUE);
        assertThat(takenOver).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(((AcquireResult.Acquired) takenOver).retryCount()).isEqualTo(1);

        assertThat(lease.succeed("queued", tokens.get("queued"))).isEqualTo(new SucceedResult.NextHint(LONG));
        assertThat(lease.backlogBehind("queued", 11, 100)).isEqualTo(List.of(10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L));
        String head = ((AcquireResult.Acquired) lease.tryAcquire("queued", LONG)).token();
        assertThat(lease.tryAcquire("queued", LONG + 1)).isEqualTo(new AcquireResult.Enqueued());
        assertThat(lease.backlogBehind("queued", 2, 100)).containsExactly(LONG + 1L);
        lease.succeed("queued", head);

        for (long offset = 0; offset < LONG; offset += 2) {
            assertThat(lease.tryAcquire("gaps", offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }
        assertThat(lease.tryAcquire("gaps", 9)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.tryAcquire("gaps", 11)).isInstanceOf(AcquireResult.Acquired.class);

        assertThat(lease.failedWork("failed", 10))
                .extracting(FailedWork::offset, FailedWork::reason)
                .containsExactly(tuple(-2L, ""), tuple(-1L, ""), tuple(0L, ""));
        assertThat(lease.failedWork("failed", 1).get(0).failedAtMillis()).isGreaterThan(1_000_000_000_000L);
        assertThat(lease.replay("failed", -1)).isTrue();
        assertThat(lease.inspect("failed").orElseThrow().backlog()).containsExactly(1L, -1L);

        assertThat(lease.tryAcquire("forgotten", 50)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.succeed("done", tokens.get("done"))).isEqualTo(new SucceedResult.NoBacklog());
        assertThat(lease.tryAcquire("done", Long.MAX_VALUE)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(3);
    }

    private static DomainSnapshot snapshot(String domain, List<String> inspected) {
        Optional<LeaseRecord> lease = inspected.get(3).isEmpty()
                ? Optional.empty()
                : Optional.of(new LeaseRecord(
                        Long.parseLong(inspected.get(3)),
                        inspected.get(4),
                        Long.parseLong(inspected.get(5)),
                        Long.parseLong(inspected.get(6)),
                        Integer.parseInt(inspected.get(7))));
        List<Long> backlog = inspected.stream()
                .skip(8)
                .limit(DomainSnapshot.MOST_BACKLOG)
                .map(Long::valueOf)
                .toList();
        return new DomainSnapshot(
                domain, lease, backlog, Long.parseLong(inspected.get(1)), Long.parseLong(inspected.get(2)));
    }
}
