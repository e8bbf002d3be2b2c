package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.Completion;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import io.tidegate.relay.Protocol;
import io.tidegate.relay.Relay;
import io.tidegate.relay.Relay.Direction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes of a connection, and what happens when some of them get lost. */
@Timeout(600)
class RedisWireTest {
    private static final String A = "A";
    private static final int COMMANDS = 3;
    private static final int BATCH = COMMANDS * ScriptCalls.MOST_AT_ONCE;

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static int stores;

    private final String prefix = "store" + stores++;
    private Relay relay;
    private RedisClient client;
    private RedisWorkLease lease;
    private RedisWorkLease direct;

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @BeforeEach
    void open() throws IOException {
        relay = new Relay(Protocol.REDIS, redis.address().getPort());
        RedisURI address = redis.address();
        address.setPort(relay.port());
        client = RedisClient.create(address);
        lease = lease(client.connect());
        direct = lease(redis.connect());
    }

    @AfterEach
    void close() throws IOException {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        relay.close();
    }

    private RedisWorkLease lease(StatefulRedisConnection<String, String> connection) {
        return RedisWorkLease.builder(connection, "orders", 1)
                .prefix(prefix)
                .owner("we")
                .build();
    }

    @Test
    @DisplayName("WL-24 every operation takes one round trip")
    void operation_any_takesOneRoundTrip() {
        useAllScripts();
        String token = acquire(lease, A, 1);
        assertRoundTrips(1, () -> lease.tryAcquire(A, 1));
        assertRoundTrips(1, () -> lease.tryAcquire(A, 2));
        assertRoundTrips(1, () -> lease.renew(A, token));
        assertRoundTrips(1, () -> lease.fail(A, token));
        assertRoundTrips(1, () -> lease.fail(A, token, 1));
        assertRoundTrips(1, () -> lease.inspect(A));
        assertRoundTrips(1, () -> lease.fail(A, token, 2));
        assertRoundTrips(1, () -> lease.failedWork(A, 10));
        assertRoundTrips(1, () -> lease.replay(A, 1));
        assertRoundTrips(1, () -> lease.backlogBehind(A, 2, 10));
        assertRoundTrips(1, () -> lease.forget(A, 0));
        String second = acquire(lease, A, 2);
        assertRoundTrips(1, () -> lease.release(A, second));
        assertRoundTrips(1, () -> assertThat(lease.pending(10, "")).containsExactly(A));
        String third = acquire(lease, A, 2);
        assertRoundTrips(1, () -> lease.succeedAndTakeNext(A, third));
        String fourth = ((AcquireResult.AlreadyAcquired) lease.tryAcquire(A, 1)).token();
        assertRoundTrips(1, () -> lease.succeed(A, fourth));
        assertRoundTrips(10, () -> offers(10).forEach(offer -> lease.tryAcquire(offer.domainId(), 1)));
    }

    @Test
    @DisplayName("WL-24 a batch takes one round trip: no call of it waits for the answer of another")
    void batch_any_takesOneRoundTrip() {
        useAllScripts();
        List<Offer> offers = offers(BATCH);
        relay.keepRepliesUntil(COMMANDS);
        assertRoundTrips(1, () -> lease.tryAcquireAll(offers));

        List<Finish> finishes = finishes(lease.tryAcquireAll(offers));
        relay.keepRepliesUntil(COMMANDS);
        assertRoundTrips(
                1,
                () -> assertThat(lease.succeedAll(finishes))
                        .allSatisfy(answer -> assertThat(answer.refusal()).isEmpty()));

        relay.keepRepliesUntil(COMMANDS);
        assertRoundTrips(1, () -> lease.tryAcquireAll(ofOneDomain()));

        List<Finish> held = finishes(lease.tryAcquireAll(offers(BATCH, 2)));
        relay.keepRepliesUntil(COMMANDS);
        assertRoundTrips(
                1,
                () -> assertThat(lease.renewAll(held))
                        .allSatisfy(answer -> assertThat(answer.orThrow()).isPositive()));
    }

    @Test
    @DisplayName("WL-24 a batch on a server that does not know the script is sent a second time")
    void batch_scriptsForgotten_isSentAgain() {
        forgetScripts();
        int before = relay.messages();
        int some = ScriptCalls.MOST_AT_ONCE;
        List<BatchAnswer<AcquireResult>> answers = lease.tryAcquireAll(offers(some));
        assertThat(answers).hasSize(some).allMatch(answer -> answer.orThrow() instanceof AcquireResult.Acquired);
        assertThat(relay.messages() - before).isEqualTo(2);
    }

    @Test
    @DisplayName("WL-24 WL-2 of several commands the first brings the script, so that none can overtake another")
    void batchOfOneDomain_scriptsForgotten_keepsTheOrder() {
        forgetScripts();
        int before = relay.messages();
        lease.tryAcquireAll(ofOneDomain());
        assertThat(relay.messages() - before).isEqualTo(COMMANDS);
        assertThat(lease.inspect(A).orElseThrow().backlog()).hasSize(BATCH - 1).isSorted();
    }

    private static void forgetScripts() {
        try (StatefulRedisConnection<String, String> connection = redis.connect()) {
            connection.sync().scriptFlush();
        }
    }

    @Test
    @DisplayName(
            "WL-23 WL-26 a reply is lost, nothing asks again by itself: the message says so; asking again shows it")
    void reply_lost_isRepeated() {
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        assertReplyLost(fragile -> fragile.tryAcquire(A, 1));
        String token = ((AcquireResult.AlreadyAcquired) direct.tryAcquire(A, 1)).token();

        assertReplyLost(fragile -> fragile.tryAcquire(A, 2));
        assertThat(direct.inspect(A).orElseThrow().backlog()).containsExactly(2L);

        assertReplyLost(fragile -> fragile.fail(A, token, 1));
        assertThat(direct.fail(A, token, 1)).isEqualTo(new FailResult.RetryScheduled(1));

        assertReplyLost(fragile -> fragile.succeed(A, token));
        assertThat(direct.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(direct.inspect(A).orElseThrow().processedCount()).isEqualTo(1);

        String next = acquire(direct, A, 2);
        direct.tryAcquire(A, 3);
        assertReplyLost(fragile -> fragile.succeedAndTakeNext(A, next));
        assertThat(direct.succeedAndTakeNext(A, next))
                .isEqualTo(new TakeNextResult(new SucceedResult.NextHint(3), Optional.of(direct.tryAcquire(A, 3))));
    }

    @Test
    @DisplayName("WL-24 WL-26 a batch whose connection breaks in the middle throws, and can be asked again as a whole")
    void batch_cutInTheMiddle_canBeAskedAgain() {
        useAllScripts();
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        List<Offer> offers = offers(BATCH);
        RedisWorkLease fragile = lease(client.connect());
        relay.cutInTheMiddleOf(2);
        assertThatExceptionOfType(RedisUnavailableException.class).isThrownBy(() -> fragile.tryAcquireAll(offers));
        Offer lastOfFirst = offers.get(ScriptCalls.MOST_AT_ONCE - 1);
        while (direct.inspect(lastOfFirst.domainId()).isEmpty()) {
            Thread.onSpinWait(); // the server may not have read all of it
        }
        long happened = offers.stream()
                .filter(offer -> direct.inspect(offer.domainId()).isPresent())
                .count();
        assertThat(happened).isEqualTo(ScriptCalls.MOST_AT_ONCE);

        List<Finish> finishes = finishes(direct.tryAcquireAll(offers));
        RedisWorkLease another = lease(client.connect());
        relay.cutInTheMiddleOf(2);
        assertThatExceptionOfType(RedisUnavailableException.class).isThrownBy(() -> another.succeedAll(finishes));

        assertThat(direct.succeedAll(finishes))
                .allSatisfy(answer -> assertThat(answer.orThrow()).isEqualTo(new SucceedResult.NoBacklog()));
        assertThat(offers)
                .allSatisfy(offer -> assertThat(
                                direct.inspect(offer.domainId()).orElseThrow().processedCount())
                        .isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("WL-23 WL-26 what is cut anywhere, and sent again by the client itself, happens once")
    void operation_cutAnywhere_happensOnce(Direction direction) {
        useAllScripts();
        int bytes = 0;
        boolean cut;
        do {
            String domainId = "domain " + bytes;
            relay.cutAfter(direction, bytes);
            String token = acquire(lease, domainId, 1);
            cut = !relay.heal();
            direct.tryAcquire(domainId, 2);

            relay.cutAfter(direction, bytes);
            assertThat(lease.fail(domainId, token)).isEqualTo(new FailResult.RetryScheduled(1));
            cut |= !relay.heal();
            relay.cutAfter(direction, bytes);
            assertThat(lease.succeed(domainId, token)).isEqualTo(new SucceedResult.NextHint(2));
            cut |= !relay.heal();

            assertThat(direct.inspect(domainId).orElseThrow().processedCount()).isEqualTo(1);
            bytes += direction == Direction.REQUESTS ? 37 : 2;
        } while (cut);
        assertThat(bytes).isGreaterThan(20);
    }

    @Test
    @DisplayName("WR-6 while renewals hang, leases are asked for again; when answers come, nothing was lost")
    void renewals_notAnsweredForLong_nothingIsLost() throws Exception {
        useAllScripts();
        RedisWorkLease renewed = RedisWorkLease.builder(client.connect(), "orders", 1)
                .prefix(prefix)
                .leaseDuration(Duration.ofMillis(400))
                .build();
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        LeaseRunner runner = LeaseRunner.builder(
                        renewed,
                        work -> {
                            begun.countDown();
                            end.await();
                        },
                        threads,
                        scheduler)
                .sweepEvery(Duration.ofHours(1))
                .build();
        try {
            List<String> domainIds = List.of("one", "two", "waits for a thread");
            List<CompletableFuture<Completion>> ends = domainIds.stream()
                    .map(domainId -> runner.completion(domainId, 1).toCompletableFuture())
                    .toList();
            begun.await();
            // one reply for each domain, so for three calls
            relay.keepRepliesUntil(3 * domainIds.size());
            for (String domainId : domainIds) {
                for (int renewals = 0; renewals < 4; renewals++) {
                    long before = until(domainId);
                    while (until(domainId) == before) {
                        Thread.onSpinWait();
                    }
                }
            }
            end.countDown();

            assertThat(ends).allSatisfy(each -> assertThat(each.join()).isEqualTo(Completion.PROCESSED));
            assertThat(runner.stats().lost()).isZero();
        } finally {
            end.countDown();
            runner.close();
            threads.shutdown();
            scheduler.shutdown();
        }
    }

    private long until(String domainId) {
        return direct.summary(domainId)
                .orElseThrow()
                .lease()
                .orElseThrow()
                .holder()
                .orElseThrow()
                .untilMillis();
    }

    /** Makes the server know all scripts. */
    private static void useAllScripts() {
        try (StatefulRedisConnection<String, String> connection = redis.connect()) {
            LeaseScripts.ALL.forEach(script -> connection.sync().scriptLoad(script.text()));
        }
    }

    private static List<Offer> offers(int count) {
        return offers(count, 1);
    }

    private static List<Offer> offers(int count, long offset) {
        return IntStream.range(0, count)
                .mapToObj(number -> new Offer("domain " + number, offset))
                .toList();
    }

    private static List<Offer> ofOneDomain() {
        return IntStream.range(0, BATCH)
                .mapToObj(offset -> new Offer(A, offset))
                .toList();
    }

    private static List<Finish> finishes(List<BatchAnswer<AcquireResult>> held) {
        return IntStream.range(0, held.size())
                .mapToObj(number -> new Finish("domain " + number, tokenOf(held.get(number))))
                .toList();
    }

    private static String tokenOf(BatchAnswer<AcquireResult> held) {
        return held.orThrow() instanceof AcquireResult.Acquired acquired
                ? acquired.token()
                : ((AcquireResult.AlreadyAcquired) held.orThrow()).token();
    }

    private void assertRoundTrips(int count, Runnable operation) {
        int before = relay.roundTrips();
        operation.run();
        assertThat(relay.roundTrips() - before).isEqualTo(count);
    }

    private interface Operation {
        void run(RedisWorkLease lease);
    }

    private void assertReplyLost(Operation operation) {
        RedisWorkLease fragile = lease(client.connect());
        fragile.inspect(A);
        useAllScripts();
        relay.cutAfter(Direction.REPLIES, 0);
        assertThatExceptionOfType(RedisUnavailableException.class)
                .isThrownBy(() -> operation.run(fragile))
                .withMessageContaining("ask again");
    }

    private static String acquire(RedisWorkLease lease, String domainId, long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire(domainId, offset)).token();
    }
}
