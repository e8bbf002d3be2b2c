package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogFullException;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.WorkLease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What leases on Redis do beyond the contract: the keys they store, and their behaviour when the server is slow, wrong
 * or asked twice.
 */
@Timeout(600)
class RedisWorkLeaseTest {
    private static final String A = "A";
    private static final String B = "B";
    private static final int MAX_RETRIES = 2;

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    private final String prefix = "store" + stores++;
    private final RedisWorkLease ours = lease("we", MAX_RETRIES);
    private final RedisWorkLease theirs = lease("they", MAX_RETRIES);
    private final RedisWorkLease impatient = lease("third", 0);

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    private RedisWorkLease lease(String owner, int maxRetries) {
        return RedisWorkLease.builder(connection, "orders", maxRetries)
                .prefix(prefix)
                .owner(owner)
                .build();
    }

    @Test
    @DisplayName("WL-12 an offset more than may wait is refused, alone and in a batch, and nothing has changed")
    void tryAcquire_backlogFull_isRefused() {
        RedisWorkLease bounded = RedisWorkLease.builder(connection, "orders", MAX_RETRIES)
                .prefix(prefix)
                .owner("bounded")
                .maxBacklog(2)
                .build();
        acquire(ours, A, 1);
        assertThat(bounded.tryAcquire(A, 2).code()).isEqualTo("ENQUEUED");
        assertThat(bounded.tryAcquire(A, 3).code()).isEqualTo("ENQUEUED");

        assertThatThrownBy(() -> bounded.tryAcquire(A, 4))
                .isInstanceOf(BacklogFullException.class)
                .hasMessage("backlog: full (expected: fewer than 2 offsets waiting in domain A)");
        assertThat(bounded.tryAcquireAll(List.of(new Offer(A, 3), new Offer(A, 4), new Offer(B, 4))))
                .satisfiesExactly(
                        known -> assertThat(known.orThrow().code()).isEqualTo("ENQUEUED"),
                        full -> assertThat(full.refusal()).containsInstanceOf(BacklogFullException.class),
                        other -> assertThat(other.orThrow().code()).isEqualTo("ACQUIRED"));
        assertThat(ours.inspect(A).orElseThrow().backlog()).containsExactly(2L, 3L);
        assertThatThrownBy(() -> RedisWorkLease.builder(connection, "orders", 0).maxBacklog(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // WL-34

    @Test
    @DisplayName("WL-34 domains that an earlier version has made, without their names, are listed all the same")
    void domains_ofAnEarlierVersion_areListed() {
        List<String> domains = IntStream.range(0, 10_000)
                .mapToObj(number -> String.format("domain-%05d", number))
                .toList();
        ours.tryAcquireAll(domains.stream().map(domain -> new Offer(domain, 1)).toList());
        List<String> indexes = new DomainKeys(prefix, "orders").indexes();
        indexes.forEach(index -> connection.sync().del(DomainKeys.namesBeside(index)));

        assertThat(ours.domains(100, "domain-04999"))
                .extracting(DomainSummary::domainId)
                .isEqualTo(domains.subList(5_000, 5_100));
        assertThat(indexes.stream()
                        .mapToLong(index -> connection.sync().zcard(DomainKeys.namesBeside(index)))
                        .sum())
                .isEqualTo(10_000);
    }

    @Test
    @DisplayName("WL-34 names of domains that an earlier version has deleted do not shorten a page, and go")
    void domains_deletedByAnEarlierVersion_areLeftOut() {
        acquire(ours, A, 1);
        acquire(ours, B, 1);
        for (String gone : List.of("A1", "A2", "A3")) {
            String index = new DomainKeys(prefix, "orders").of(gone).get(0);
            connection.sync().zadd(DomainKeys.namesBeside(index), 0, gone);
        }
        assertThat(ours.domains(2, "")).extracting(DomainSummary::domainId).containsExactly(A, B);
        assertThat(new DomainKeys(prefix, "orders")
                        .indexes().stream()
                                .mapToLong(index -> connection.sync().zcard(DomainKeys.namesBeside(index)))
                                .sum())
                .isEqualTo(2);
    }

    // WL-8, WL-13

    @Test
    @DisplayName("WL-8 WL-13 a domain is not deleted while the server's clock is behind its last fence")
    void deleteIdle_clockFellBack_isRefused() {
        ours.succeed(A, acquire(ours, A, 1).token());
        String inAnHour = Long.toString(1_000 * (System.currentTimeMillis() + 3_600_000));
        connection.sync().hset(state(A), "fence", inAnHour);
        assertThat(ours.deleteIdle(Duration.ZERO)).isZero();
        assertThat(acquire(ours, A, 2).fence()).isEqualTo(Long.parseLong(inAnHour) + 1);
    }

    @Test
    @DisplayName("WL-13 failures are deleted by age in steps; they cannot be replayed then and do not run again")
    void deleteFailed_many_doNotRunAgain() {
        String key = DomainKeysTest.keyOf(prefix, A, "failed");
        List<Long> old = LongStream.concat(LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE), LongStream.range(0, 230))
                .boxed()
                .toList();
        for (long offset : old) {
            impatient.fail(A, acquire(impatient, A, offset).token(), new Failure(0, false, "late"));
        }
        for (String entry : connection.sync().zrange(key, 0, -1)) {
            connection.sync().zrem(key, entry);
            connection.sync().zadd(key, 0, entry.substring(0, 20) + " 1 0 late");
        }
        impatient.fail(A, acquire(impatient, A, 300).token());
        impatient.fail(B, acquire(impatient, B, 1).token());
        assertThat(ours.failedWork(A, 2))
                .containsExactly(new FailedWork(Long.MIN_VALUE, 0, 1, "late"), new FailedWork(0, 0, 1, "late"));

        assertThat(ours.deleteFailed(Duration.ofHours(1))).isEqualTo(232);

        for (long offset : old) {
            assertThat(ours.replay(A, offset)).isFalse();
            assertThat(ours.tryAcquire(A, offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }
        assertThat(ours.tryAcquire(A, 300)).isEqualTo(new AcquireResult.AlreadyFailed());
        assertThat(ours.deleteFailed(Duration.ZERO)).isEqualTo(2);
        assertThat(ours.deleteIdle(Duration.ofHours(1))).isZero();
        assertThat(ours.deleteIdle(Duration.ZERO)).isEqualTo(2);
        assertThatThrownBy(() -> ours.deleteFailed(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("WL-13 processed offsets that follow each other take no entry, others are in leaves until forgotten")
    void processed_inOrder_takesNoEntry() {
        process(5, 25);
        process(4, 5);
        assertThat(leaves()).isEmpty();

        process(40, 60);
        process(25, 30);
        process(60, 70);
        process(-40, -39);
        assertThat(leaves()).containsExactly(SortableOffset.of(4) + ":" + SortableOffset.of(69) + ":ICL");

        ours.forget(A, 50);
        assertThat(leaves()).hasSize(1);
        assertThat(ours.tryAcquire(A, 69)).isEqualTo(new AcquireResult.AlreadyProcessed());
        ours.forget(A, 69);
        assertThat(leaves()).isEmpty();
        assertThat(ours.tryAcquire(A, 69)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(ours.tryAcquire(A, 70)).isInstanceOf(AcquireResult.Acquired.class);
    }

    @Test
    @DisplayName("WL-13 what is processed, failed, forgotten and replayed is the same as in memory")
    void answers_anyOrder_areThoseOfMemory() {
        for (long seed = 0; seed < 5; seed++) {
            WorkLease memory = WorkLease.inMemory(0);
            String domainId = "seed " + seed;
            Random random = new Random(seed);
            for (int step = 0; step < 300; step++) {
                long offset = random.nextLong(50) - 25;
                int die = random.nextInt(100);
                if (die < 3) {
                    memory.forget(domainId, offset - 15);
                    impatient.forget(domainId, offset - 15);
                } else if (die < 20) {
                    assertThat(impatient.replay(domainId, offset)).isEqualTo(memory.replay(domainId, offset));
                }
                assertThat(run(impatient, domainId, offset, die % 5 == 0))
                        .as("seed %d, step %d, offset %d", seed, step, offset)
                        .isEqualTo(run(memory, domainId, offset, die % 5 == 0));
            }
            assertThat(impatient.inspect(domainId)).isEqualTo(memory.inspect(domainId));
        }
    }

    /** Acquires the offset, or the one whose turn it is, and ends its lease. */
    private static List<Object> run(WorkLease lease, String domainId, long offset, boolean fails) {
        AcquireResult answer;
        try {
            answer = lease.tryAcquire(domainId, offset);
        } catch (BacklogOrderingException behind) {
            answer = lease.tryAcquire(domainId, behind.expected());
        }
        if (answer instanceof AcquireResult.Acquired acquired) {
            return List.of(fails ? lease.fail(domainId, acquired.token()) : lease.succeed(domainId, acquired.token()));
        }
        return List.of(answer);
    }

    private void process(long from, long to) {
        for (long offset = from; offset < to; offset++) {
            ours.succeed(A, acquire(ours, A, offset).token());
        }
    }

    private List<String> leaves() {
        return connection.sync().zrange(done(), 0, -1);
    }

    private String done() {
        return DomainKeysTest.keyOf(prefix, A, "done");
    }

    @Test
    @DisplayName("WL-32 processed offsets take up to 2 B each with gaps or interleaved, up to 16 B where sparse")
    void processed_anyPattern_takesLittle() {
        int count = 2_500;
        Random random = new Random(32);
        Map<String, long[]> dense = Map.of(
                "every other, backwards",
                        LongStream.range(0, count).map(i -> -2 * i).toArray(),
                "two streams that meet",
                        LongStream.range(0, count)
                                .map(i -> i < count / 2 ? 2 * i : 2 * (i - count / 2) + 1)
                                .toArray(),
                "two of three",
                        LongStream.range(0, count).map(i -> i / 2 * 3 + i % 2).toArray());
        dense.forEach((pattern, offsets) ->
                assertThat(bytesEach(pattern, offsets)).as(pattern).isLessThanOrEqualTo(2));
        int few = 600;
        Map<String, long[]> sparse = Map.of(
                "every thousandth", LongStream.range(0, few).map(i -> 1_000 * i).toArray(),
                "at random", random.longs(few, 0, 1L << 45).distinct().toArray(),
                "at random, in order",
                        random.longs(few, 0, 1L << 45).distinct().sorted().toArray());
        sparse.forEach((pattern, offsets) ->
                assertThat(bytesEach(pattern, offsets)).as(pattern).isLessThanOrEqualTo(16));
    }

    private double bytesEach(String domainId, long[] offsets) {
        for (long offset : offsets) {
            ours.succeed(domainId, acquire(ours, domainId, offset).token());
        }
        assertThat(ours.tryAcquireAll(LongStream.of(offsets)
                        .mapToObj(offset -> new Offer(domainId, offset))
                        .toList()))
                .allMatch(answer -> answer.orThrow() instanceof AcquireResult.AlreadyProcessed);
        Long bytes = connection.sync().memoryUsage(DomainKeysTest.keyOf(prefix, domainId, "done"));
        return (bytes == null ? 0.0 : bytes) / offsets.length;
    }

    @Test
    @DisplayName("WL-13 WL-32 whatever is processed, forgotten and deleted in whatever order, it alone is known")
    void processed_anyOrder_isKnown() {
        for (long seed = 0; seed < 3; seed++) {
            Random random = new Random(seed);
            String domainId = "seed " + seed;
            int range = seed == 0 ? 2_000 : 500;
            List<Long> order =
                    new ArrayList<>(LongStream.range(0, range).boxed().toList());
            Collections.shuffle(order, random);
            List<Long> processed = order.subList(0, range * 6 / 10);
            long unit = seed == 2 ? 1L << 52 : 1;
            for (long offset : processed) {
                ours.succeed(domainId, acquire(ours, domainId, offset * unit).token());
            }
            long forgotten = random.nextInt(range / 3);
            ours.forget(domainId, forgotten * unit);
            Set<Long> known = new HashSet<>(processed);
            acquire(ours, domainId, Long.MAX_VALUE);
            List<BatchAnswer<AcquireResult>> answers = ours.tryAcquireAll(LongStream.range(0, range)
                    .mapToObj(offset -> new Offer(domainId, offset * unit))
                    .toList());
            for (int offset = 0; offset < range; offset++) {
                assertThat(answers.get(offset).orThrow().code())
                        .as("seed %d, offset %d", seed, offset)
                        .isEqualTo(
                                offset <= forgotten || known.contains((long) offset)
                                        ? "ALREADY_PROCESSED"
                                        : "ENQUEUED");
            }
        }
    }

    // WL-20

    @Test
    @DisplayName("WL-20 the owner of each start is another one unless it is given")
    void owner_default_isFresh() {
        RedisWorkLease.Builder builder =
                RedisWorkLease.builder(connection, "orders", 0).prefix(prefix);
        RedisWorkLease first = builder.build();
        RedisWorkLease second = builder.build();
        assertThat(first.owner()).isNotEqualTo(second.owner());
        acquire(first, A, 1);
        assertThat(second.tryAcquire(A, 1).code()).isEqualTo("HELD_ELSEWHERE");
    }

    // WL-21

    @Test
    @DisplayName("WL-21 a lease runs out by itself, by the server's clock")
    void tryAcquire_shortLease_runsOut() {
        RedisWorkLease brief = RedisWorkLease.builder(connection, "orders", MAX_RETRIES)
                .prefix(prefix)
                .leaseDuration(Duration.ofMillis(1))
                .build();
        acquire(brief, A, 1);
        AcquireResult answer = theirs.tryAcquire(A, 1);
        while (answer instanceof AcquireResult.HeldElsewhere) {
            answer = theirs.tryAcquire(A, 1);
        }
        assertThat(answer).isInstanceOf(AcquireResult.Acquired.class);
    }

    // WL-23

    @Test
    @DisplayName("WL-23 a call sent twice happens once: one acquisition, one retry for a failure, no refused release")
    void call_sentTwice_happensOnce() {
        ScriptCalls calls = ScriptCalls.over(connection);
        List<String> keys = new DomainKeys(prefix, "orders").of(A);
        ScriptCall ask = new ScriptCall(
                LeaseScripts.ACQUIRE, A, keys, List.of("1", SortableOffset.of(1), "we", "60000", "1", "9", "secret"));
        List<String> acquired = calls.call(ask);
        assertThat(acquired).startsWith("ACQUIRED");
        assertThat(calls.call(ask)).isEqualTo(acquired);

        ScriptCall fail = new ScriptCall(
                LeaseScripts.FAIL, A, keys, List.of(acquired.get(1), "0", "false", "", "60000", "1", "call"));
        assertThat(calls.call(fail)).containsExactly("RETRY_SCHEDULED", "1");
        assertThat(calls.call(fail)).containsExactly("RETRY_SCHEDULED", "1");
        assertThat(leaseOf(ours, A).retryCount()).isEqualTo(1);

        ScriptCall release = new ScriptCall(LeaseScripts.RELEASE, A, keys, List.of(acquired.get(1), "another call"));
        assertThat(calls.call(release)).containsExactly("RELEASED");
        assertThat(calls.call(release)).containsExactly("RELEASED");
        assertThat(ours.inspect(A)).contains(new DomainSnapshot(A, Optional.empty(), List.of(1L), 0, 0));
    }

    // WL-26

    @Test
    @DisplayName("WL-26 WL-8 a server that has lost a domain, as after a failover, still gives a greater fence")
    void fence_domainLost_rises() {
        long fence = acquire(ours, A, 1).fence();
        connection.sync().del(new DomainKeys(prefix, "orders").of(A).toArray(String[]::new));
        assertThat(acquire(ours, A, 1).fence()).isGreaterThan(fence);
    }

    // Misuse

    @Test
    @DisplayName("WL-14 settings that make no sense are refused")
    void builder_misuse_isRefused() {
        RedisWorkLease.Builder builder = RedisWorkLease.builder(connection, "orders", 0);
        for (String owner : new String[] {"", "two words", "\u00fc"}) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.owner(owner));
        }
        for (String prefix : new String[] {"", "a b", "{a}", "a}", "\n"}) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.prefix(prefix));
        }
        for (Duration duration : List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(36_501))) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.leaseDuration(duration));
        }
        assertThatThrownBy(() -> RedisWorkLease.builder(connection, "orders", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxRetries: -1 (expected: >= 0)");
    }

    private String state(String domainId) {
        return DomainKeysTest.keyOf(prefix, domainId, "state");
    }

    private static AcquireResult.Acquired acquire(WorkLease lease, String domainId, long offset) {
        AcquireResult answer = lease.tryAcquire(domainId, offset);
        assertThat(answer).isInstanceOf(AcquireResult.Acquired.class);
        return (AcquireResult.Acquired) answer;
    }

    private static LeaseRecord leaseOf(WorkLease lease, String domainId) {
        return lease.inspect(domainId).orElseThrow().lease().orElseThrow();
    }
}
