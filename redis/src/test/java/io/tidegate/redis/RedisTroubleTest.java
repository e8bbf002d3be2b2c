package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.reading.Measures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is away, refuses, or has forgotten the scripts. */
@Timeout(600)
class RedisTroubleTest {
    private static final String A = "A";
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private RealRedis redis;
    private StatefulRedisConnection<String, String> connection;
    private RedisWorkLease lease;

    @BeforeEach
    void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
        lease = RedisWorkLease.builder(connection, "orders", 0).build();
    }

    @AfterEach
    void stopServer() throws IOException {
        redis.close();
    }

    @Test
    @DisplayName("WL-26 the server is away: said clearly, and what was given up is not sent when it is back")
    void call_serverAway_isUnavailable() throws IOException {
        String token = acquire(1);
        redis.stop();
        connection.setTimeout(SHORT);
        assertUnavailable(() -> lease.succeed(A, token), "no answer", "ask again", "succeed in domain A");
        assertUnavailable(() -> lease.tryAcquire(A, 2), "no answer", "ask again", "acquire in domain A");

        connection.setTimeout(LONG);
        redis.start();

        DomainSnapshot found = lease.inspect(A).orElseThrow();
        assertThat(found.processedCount()).isZero();
        assertThat(found.backlog()).isEmpty();
        assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NoBacklog());
    }

    @Test
    @DisplayName(
            "OB-4 round trips are timed, batches as one, and errors counted; with the server away reading is as ever")
    void read_roundTrips_areReported() throws IOException {
        assertThat(Measures.of(lease).counts).containsEntry("errors", 0L);
        lease.succeed(A, acquire(1));
        lease.tryAcquireAll(List.of(new Offer("B", 1), new Offer("C", 1)));
        lease.tryAcquireAll(List.of());
        lease.inspect(A);
        redis.stop();
        connection.setTimeout(SHORT);
        assertUnavailable(() -> lease.tryAcquire(A, 2), "no answer");
        Measures measures = Measures.of(lease);
        assertThat(measures.counts).containsEntry("errors", 1L);
        assertThat(measures.times.get("round.trip[operation, acquire]").count()).isEqualTo(3);
        assertThat(measures.times.get("round.trip[operation, succeed]").count()).isEqualTo(1);
        assertThat(measures.times.get("round.trip[operation, other]").count()).isEqualTo(1);
        connection.setTimeout(LONG);
        redis.start();
    }

    @Test
    void call_connectionClosed_isUnavailable() {
        connection.close();
        assertUnavailable(() -> lease.tryAcquire(A, 1), "no answer");
    }

    @Test
    @DisplayName("WL-5 a server that has become a replica refuses, and nothing changes")
    void call_replica_isRefused() {
        assertNothingChanges(
                () -> connection.sync().replicaof("127.0.0.1", 1),
                () -> connection.sync().replicaofNoOne(),
                "READONLY",
                "the primary, not a replica");
    }

    @Test
    @DisplayName("WL-5 a full server refuses, and nothing changes")
    void call_full_isRefused() {
        assertNothingChanges(
                () -> connection.sync().configSet("maxmemory", "1"),
                () -> connection.sync().configSet("maxmemory", "0"),
                "OOM",
                "raise maxmemory");
    }

    @Test
    @DisplayName("WL-13 what makes room works on a full server")
    void delete_full_isDone() {
        lease.fail(A, acquire(1));
        lease.succeed("B", ((AcquireResult.Acquired) lease.tryAcquire("B", 1)).token());
        connection.sync().configSet("maxmemory", "1");
        lease.forget(A, 0);
        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(1);
        assertThat(lease.deleteFailed(Duration.ZERO)).isEqualTo(1);
        connection.sync().configSet("maxmemory", "0");
        assertThat(lease.tryAcquire(A, 0)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.tryAcquire(A, 1)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.inspect("B")).isEmpty();
    }

    @Test
    @DisplayName("the user that the operations page proposes may do everything")
    void call_restrictedUser_works() {
        connection
                .sync()
                .dispatch(
                        CommandType.ACL,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)
                                .add("SETUSER")
                                .addValues(List.of(
                                        "leases", "on", ">secret", "~tidegate:*", "+@all", "-@admin", "-@dangerous")));
        RedisURI address = redis.address();
        address.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just("leases", "secret")));
        RedisClient client = RedisClient.create(address);
        try {
            RedisWorkLease restricted =
                    RedisWorkLease.builder(client.connect(), "orders", 0).build();
            RedisClusterTest.assertWorks(restricted, A);
            RedisWorkLease elsewhere = RedisWorkLease.builder(client.connect(), "orders", 0)
                    .prefix("other")
                    .build();
            assertUnavailable(() -> elsewhere.tryAcquire(A, 1), "NOPERM", "a user who may call");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Test
    @DisplayName("WL-5 a server without the replicas it wants refuses, and nothing changes")
    void call_withoutReplicas_isRefused() {
        assertNothingChanges(
                () -> connection.sync().configSet("min-replicas-to-write", "1"),
                () -> connection.sync().configSet("min-replicas-to-write", "0"),
                "NOREPLICAS",
                "ask again when they are back");
    }

    /** Uses a domain that has a lease, a backlog, and failed work. */
    private void assertNothingChanges(Runnable trouble, Runnable repair, String... messages) {
        lease.fail(A, acquire(0));
        String token = acquire(1);
        lease.tryAcquire(A, 2);
        Optional<DomainSnapshot> before = lease.inspect(A);
        trouble.run();
        List<ThrowingCallable> operations = List.of(
                () -> lease.tryAcquire(A, 3),
                () -> lease.tryAcquire("B", 1),
                () -> lease.succeed(A, token),
                () -> lease.fail(A, token));
        try {
            operations.forEach(operation -> assertUnavailable(operation, messages));
        } finally {
            repair.run();
        }
        assertThat(lease.inspect(A)).isEqualTo(before);
        assertThat(lease.inspect("B")).isEmpty();
        assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
    }

    @Test
    @DisplayName("keys of other programs are left alone")
    void call_foreignKey_isRefused() {
        connection.sync().set(DomainKeysTest.keyOf(RedisWorkLease.DEFAULT_PREFIX, A, "state"), "mine");
        assertUnavailable(() -> lease.tryAcquire(A, 1), "WRONGTYPE", "set another prefix");
    }

    @Test
    @DisplayName("WL-24 keys of other programs do not hinder the rest of a batch")
    void batch_foreignKey_othersAreDone() {
        connection.sync().set(DomainKeysTest.keyOf(RedisWorkLease.DEFAULT_PREFIX, "B", "state"), "mine");
        List<Offer> offers = List.of(new Offer(A, 1), new Offer("B", 1), new Offer("C", 1));
        assertUnavailable(() -> lease.tryAcquireAll(offers), "WRONGTYPE", "acquire in domain B");
        for (String other : List.of(A, "C")) {
            assertThat(lease.tryAcquire(other, 1)).isInstanceOf(AcquireResult.AlreadyAcquired.class);
        }
    }

    @Test
    @DisplayName("WL-5 a server that cannot write to its disk refuses, and nothing changes")
    void call_diskBroken_isRefused() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        connection.sync().configSet("dir", gone.toString());
        Files.delete(gone);
        connection.sync().configSet("save", "3600 1");
        assertNothingChanges(
                () -> {
                    connection.sync().bgsave();
                    while (!connection.sync().info("persistence").contains("rdb_last_bgsave_status:err")) {
                        Thread.onSpinWait();
                    }
                },
                () -> connection.sync().configSet("save", ""), // else the server would save before it stops
                "MISCONF",
                "write to its disk");
    }

    @Test
    @DisplayName("WL-5 a server that is busy with an endless script refuses, and nothing changes")
    void call_busy_isRefused() {
        connection.sync().configSet("lua-time-limit", "1");
        RedisAsyncCommands<String, String> other = redis.connect().async();
        AtomicReference<RedisFuture<String>> endless = new AtomicReference<>();
        assertNothingChanges(
                () -> {
                    endless.set(other.eval("while true do end", ScriptOutputType.STATUS));
                    awaitBusy();
                },
                () -> {
                    connection.sync().scriptKill();
                    endless.get()
                            .toCompletableFuture()
                            .exceptionally(killed -> "")
                            .join();
                },
                "BUSY",
                "ask again later");
    }

    private void awaitBusy() {
        try {
            while (true) {
                connection.sync().ping();
            }
        } catch (RedisBusyException busy) {
            assertThat(busy).hasMessageContaining("BUSY");
        }
    }

    @Test
    @DisplayName("WL-24 a server that has forgotten the scripts is sent them again")
    void call_scriptsForgotten_areSentAgain() {
        String token = acquire(1);
        connection.sync().scriptFlush();
        assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NoBacklog());
    }

    @Test
    @DisplayName("operations are not interruptible, and leave the thread interrupted")
    void call_interrupted_isDone() {
        Thread.currentThread().interrupt();
        AcquireResult answer = lease.tryAcquire(A, 1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer).isInstanceOf(AcquireResult.Acquired.class);
    }

    private String acquire(long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire(A, offset)).token();
    }

    private static void assertUnavailable(ThrowingCallable operation, String... messages) {
        assertThatExceptionOfType(RedisUnavailableException.class)
                .isThrownBy(operation)
                .withMessageStartingWith("redis: ")
                .withMessageContainingAll(messages);
    }
}
