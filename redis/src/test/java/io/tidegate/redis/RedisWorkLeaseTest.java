package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What leases on an engine do beside the contract: several owners, time, batches, and what is deleted. */
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

    // WL-8, WL-13

    @Test
    @DisplayName("WL-8 WL-13 only an idle domain is deleted, and the fence goes on rising after it")
    void deleteIdle_fenceRises() {
        AcquireResult.Acquired done = acquire(ours, "done", 1);
        ours.succeed("done", done.token());
        ours.succeed("done", acquire(ours, "done", 3).token());
        acquire(ours, "leased", 1);
        String first = acquire(ours, "queued", 1).token();
        ours.tryAcquire("queued", 2);
        ours.succeed("queued", first);
        impatient.fail("failed", acquire(impatient, "failed", 1).token());

        assertThat(ours.deleteIdle(Duration.ofHours(1))).isZero();
        assertThat(ours.deleteIdle(Duration.ZERO)).isEqualTo(1);

        assertThat(ours.inspect("done")).isEmpty();
        assertThat(connection.sync().keys(prefix + ":*:done:*")).isEmpty();
        assertThat(ours.inspect("leased")).isPresent();
        assertThat(ours.inspect("queued")).isPresent();
        assertThat(ours.inspect("failed").orElseThrow().failedCount()).isEqualTo(1);
        assertThat(acquire(ours, "done", 1).fence()).isGreaterThan(done.fence());
        assertThatThrownBy(() -> ours.deleteIdle(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

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
    @DisplayName(
            "WL-13 processed offsets that follow each other take no entry, others one for each run until forgotten")
    void processed_inOrder_takesNoEntry() {
        process(5, 25);
        process(4, 5);
        assertThat(runs()).isZero();

        process(40, 60);
        process(25, 30);
        process(60, 70);
        process(-40, -39);
        assertThat(runs()).isEqualTo(2);

        ours.forget(A, 50);
        assertThat(runs()).isEqualTo(1);
        assertThat(ours.tryAcquire(A, 69)).isEqualTo(new AcquireResult.AlreadyProcessed());
        ours.forget(A, 69);
        assertThat(runs()).isZero();
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

    /** Asks for the offset, or for the one whose turn it is, and ends it. */
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

    @Test
    @DisplayName("WL-9 WL-13 neighbours that are one number in a script's arithmetic are two offsets")
    void offsets_beyondDoubles_areExact() {
        for (long first : new long[] {1L << 53, -(1L << 53) - 2, 999_999_999_999_999_999L, Long.MIN_VALUE}) {
            String domainId = "from " + first;
            String token = acquire(ours, domainId, first).token();
            ours.tryAcquire(domainId, first + 2);
            assertThat(ours.inspect(domainId).orElseThrow().backlog()).containsExactly(first + 2);
            assertThat(ours.succeed(domainId, token)).isEqualTo(new SucceedResult.NextHint(first + 2));
            ours.succeed(domainId, acquire(ours, domainId, first + 2).token());
            assertThat(ours.tryAcquire(domainId, first)).isEqualTo(new AcquireResult.AlreadyProcessed());
            assertThat(ours.tryAcquire(domainId, first + 2)).isEqualTo(new AcquireResult.AlreadyProcessed());
            ours.succeed(domainId, acquire(ours, domainId, first + 1).token());
            ours.forget(domainId, first + 2);
            acquire(ours, domainId, first + 3);
        }
    }

    private void process(long from, long to) {
        for (long offset = from; offset < to; offset++) {
            ours.succeed(A, acquire(ours, A, offset).token());
        }
    }

    private long runs() {
        return connection.sync().zcard(DomainKeysTest.keyOf(prefix, A, "done"));
    }

    // WL-20

    @Test
    @DisplayName("WL-20 the owner gets AlreadyAcquired, anyone else HeldElsewhere, and nothing changes")
    void tryAcquire_leased_dependsOnOwner() {
        AcquireResult.Acquired acquired = acquire(ours, A, 1);
        LeaseRecord before = leaseOf(ours, A);

        assertThat(ours.tryAcquire(A, 1))
                .isEqualTo(new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence()));
        assertThat(theirs.tryAcquire(A, 1))
                .isEqualTo(new AcquireResult.HeldElsewhere(
                        "we", before.acquiredAtMillis() + ours.leaseDuration().toMillis()));
        assertThat(lease("we", 0).tryAcquire(A, 1).code()).isEqualTo("ALREADY_ACQUIRED");
        assertThat(leaseOf(ours, A)).isEqualTo(before);
        assertThat(ours.leaseDuration()).isEqualTo(Duration.ofSeconds(RedisWorkLease.DEFAULT_LEASE_SECONDS));
    }

    @Test
    @DisplayName("WL-20 inspect does not show the token to a stranger, and what it shows ends nothing")
    void inspect_stranger_doesNotSeeTheToken() {
        String token = acquire(ours, A, 1).token();
        assertThat(leaseOf(ours, A).token()).isEqualTo(token);
        assertThat(leaseOf(theirs, A).token()).isEmpty();
        assertThat(leaseOf(theirs, A).fence()).isEqualTo(leaseOf(ours, A).fence());
        assertThatThrownBy(() -> theirs.succeed(A, "")).isInstanceOf(TokenMismatchException.class);
    }

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
    @DisplayName(
            "WL-21 after its time another owner takes over: new token, greater fence, the date kept, one retry more")
    void tryAcquire_expired_isTakenOver() {
        AcquireResult.Acquired first = acquire(ours, A, 1);
        LeaseRecord before = leaseOf(ours, A);
        expire(A);

        AcquireResult.Acquired second = acquire(theirs, A, 1);

        assertThat(second.token()).isNotEqualTo(first.token());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(leaseOf(theirs, A))
                .isEqualTo(new LeaseRecord(1, second.token(), second.fence(), before.acquiredAtMillis(), 1));
        assertThat(ours.tryAcquire(A, 1).code()).isEqualTo("HELD_ELSEWHERE");
    }

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

    @Test
    @DisplayName("WL-21 after its time the owner still has it, until somebody takes over, and other offsets are queued")
    void tryAcquire_expired_staysUntilTakenOver() {
        String token = acquire(ours, A, 1).token();
        expire(A);
        assertThat(theirs.tryAcquire(A, 2)).isEqualTo(new AcquireResult.Enqueued());
        assertThat(ours.tryAcquire(A, 1).code()).isEqualTo("ALREADY_ACQUIRED");
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
    }

    @Test
    @DisplayName("WL-21 work that kills every owner fails in the end: then the take-over answers AlreadyFailed")
    void tryAcquire_expiredWithoutRetries_hasFailed() {
        acquire(ours, A, 1);
        ours.tryAcquire(A, 2);
        expire(A);
        acquire(theirs, A, 1);
        expire(A);
        String last = acquire(ours, A, 1).token();
        expire(A);

        assertThat(theirs.tryAcquire(A, 1)).isEqualTo(new AcquireResult.AlreadyFailed());

        assertThat(theirs.inspect(A)).contains(new DomainSnapshot(A, Optional.empty(), List.of(2L), 0, 1));
        assertThatThrownBy(() -> ours.succeed(A, last)).isInstanceOf(LeaseNotFoundException.class);
        acquire(theirs, A, 2);
        assertThatThrownBy(() -> ours.succeed(A, last)).isInstanceOf(TokenMismatchException.class);
    }

    @Test
    @DisplayName("WL-21 fails and take-overs count together")
    void fail_afterTakeOver_countsOn() {
        assertThat(ours.fail(A, acquire(ours, A, 1).token())).isEqualTo(new FailResult.RetryScheduled(1));
        expire(A);
        String token = acquire(theirs, A, 1).token();
        assertThat(theirs.fail(A, token)).isEqualTo(new FailResult.GiveUpNoBacklog());
    }

    @Test
    @DisplayName(
            "WL-21 renew prolongs, also after the lease's time; so does a failure that is to be retried; asking does not")
    void renew_expired_prolongs() {
        String token = acquire(ours, A, 1).token();
        expire(A);
        long until = ours.renew(A, token);
        assertThat(theirs.tryAcquire(A, 1)).isEqualTo(new AcquireResult.HeldElsewhere("we", until));

        expire(A);
        ours.fail(A, token, 1);
        assertThat(theirs.tryAcquire(A, 1).code()).isEqualTo("HELD_ELSEWHERE");

        expire(A);
        ours.tryAcquire(A, 1);
        ours.tryAcquireAll(List.of(new Offer(A, 1)));
        ours.fail(A, token, 1);
        assertThat(theirs.tryAcquire(A, 1).code()).isEqualTo("ACQUIRED");
    }

    @Test
    @DisplayName("WL-21 WL-9 renew needs the lease and its token, and makes no domain")
    void renew_withoutLease_isRefused() {
        assertThatThrownBy(() -> ours.renew(A, "token")).isInstanceOf(LeaseNotFoundException.class);
        assertThat(ours.inspect(A)).isEmpty();
        String token = acquire(ours, A, 1).token();
        expire(A);
        acquire(theirs, A, 1);
        for (String wrong : new String[] {token, "", null}) {
            assertThatThrownBy(() -> ours.renew(A, wrong)).isInstanceOf(TokenMismatchException.class);
        }
        assertThatThrownBy(() -> ours.renew("", token)).isInstanceOf(IllegalArgumentException.class);
    }

    // WL-22

    @Test
    @DisplayName("WL-22 the old owner's finish after a take-over is refused and changes nothing")
    void finish_afterTakeOver_isRefused() {
        String old = acquire(ours, A, 1).token();
        expire(A);
        acquire(theirs, A, 1);
        Optional<DomainSnapshot> before = theirs.inspect(A);

        assertThatThrownBy(() -> ours.succeed(A, old)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> ours.fail(A, old)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> ours.fail(A, old, 1)).isInstanceOf(TokenMismatchException.class);
        assertThat(ours.succeedAll(List.of(new Finish(A, old))).get(0).refusal())
                .containsInstanceOf(TokenMismatchException.class);

        assertThat(theirs.inspect(A)).isEqualTo(before);
    }

    // WL-23

    @Test
    @DisplayName("WL-23 succeed repeated gives the same answer, whatever came in between, and is applied once")
    void succeed_repeated_answersTheSame() {
        String token = acquire(ours, A, 1).token();
        ours.tryAcquire(A, 2);
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        String next = acquire(theirs, A, 2).token();
        theirs.tryAcquire(A, 3);
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThatThrownBy(() -> ours.fail(A, token)).isInstanceOf(TokenMismatchException.class);
        assertThat(ours.inspect(A).orElseThrow().processedCount()).isEqualTo(1);
        assertThat(leaseOf(theirs, A).currentOffset()).isEqualTo(2);

        theirs.succeed(A, next);
        assertThatThrownBy(() -> ours.succeed(A, token)).isInstanceOf(LeaseNotFoundException.class);
        assertThat(ours.tryAcquire(A, 1)).isEqualTo(new AcquireResult.AlreadyProcessed());
    }

    @Test
    @DisplayName("WL-23 a give-up repeated gives the same answer; the other kind of finish is refused")
    void fail_giveUpRepeated_answersTheSame() {
        String failed = acquire(impatient, A, 1).token();
        impatient.tryAcquire(A, 2);
        for (int times = 0; times < 3; times++) {
            assertThat(impatient.fail(A, failed)).isEqualTo(new FailResult.GiveUpNextHint(2));
            assertThat(impatient.fail(A, failed, 1)).isEqualTo(new FailResult.GiveUpNextHint(2));
        }
        assertThatThrownBy(() -> impatient.succeed(A, failed)).isInstanceOf(LeaseNotFoundException.class);
        String succeeded = acquire(impatient, A, 2).token();
        assertThatThrownBy(() -> impatient.succeed(A, failed)).isInstanceOf(TokenMismatchException.class);
        impatient.succeed(A, succeeded);
        assertThatThrownBy(() -> impatient.fail(A, succeeded)).isInstanceOf(LeaseNotFoundException.class);
        assertThat(impatient.inspect(A).orElseThrow().failedCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-23 a lease given up by a take-over does not make the last finish forgotten")
    void succeed_repeatedAfterGiveUpByTakeOver_answersTheSame() {
        String token = acquire(ours, A, 1).token();
        ours.succeed(A, token);
        acquire(ours, A, 2);
        expire(A);
        assertThat(impatient.tryAcquire(A, 2)).isEqualTo(new AcquireResult.AlreadyFailed());
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NoBacklog());
    }

    @Test
    @DisplayName("WL-23 a numbered failure counts once, however often it is told, also after a take-over")
    void fail_numbered_countsOnce() {
        acquire(ours, A, 1);
        expire(A);
        String token = acquire(theirs, A, 1).token();
        assertThat(theirs.fail(A, token, 1)).isEqualTo(new FailResult.RetryScheduled(2));
        assertThat(theirs.fail(A, token, 1)).isEqualTo(new FailResult.RetryScheduled(2));
        assertThat(leaseOf(theirs, A).retryCount()).isEqualTo(2);
        assertThatThrownBy(() -> theirs.fail(A, token, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<= 2");
        assertThatThrownBy(() -> theirs.fail(A, token, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(theirs.fail(A, token, 2)).isEqualTo(new FailResult.GiveUpNoBacklog());
        assertThat(theirs.fail(A, token, 2)).isEqualTo(new FailResult.GiveUpNoBacklog());
    }

    @Test
    @DisplayName("WL-23 numbered failures and others count together, and a replayed offset begins anew")
    void fail_numberedAndNot_countTogether() {
        String token = acquire(ours, A, 1).token();
        ours.fail(A, token);
        assertThat(ours.fail(A, token, 1)).isEqualTo(new FailResult.RetryScheduled(1));
        assertThat(ours.fail(A, token, 2)).isEqualTo(new FailResult.RetryScheduled(2));
        assertThat(ours.fail(A, token)).isEqualTo(new FailResult.GiveUpNoBacklog());
        ours.replay(A, 1);
        String again = acquire(ours, A, 1).token();
        assertThat(ours.fail(A, again, 1)).isEqualTo(new FailResult.RetryScheduled(1));
    }

    @Test
    @DisplayName(
            "WL-23 a call that the client sends twice happens once: an acquisition is one, a failure costs one retry")
    void call_sentTwice_happensOnce() {
        ScriptCalls calls = ScriptCalls.over(connection);
        List<String> keys = new DomainKeys(prefix, "orders").of(A);
        ScriptCall ask =
                new ScriptCall(LeaseScripts.ACQUIRE, A, keys, List.of("1", Place.of(1), "we", "60000", "1", "secret"));
        List<String> acquired = calls.call(ask);
        assertThat(acquired).startsWith("ACQUIRED");
        assertThat(calls.call(ask)).isEqualTo(acquired);

        ScriptCall fail = new ScriptCall(
                LeaseScripts.FAIL, A, keys, List.of(acquired.get(1), "0", "false", "", "60000", "1", "call"));
        assertThat(calls.call(fail)).containsExactly("RETRY_SCHEDULED", "1");
        assertThat(calls.call(fail)).containsExactly("RETRY_SCHEDULED", "1");
        assertThat(leaseOf(ours, A).retryCount()).isEqualTo(1);
    }

    // WL-24

    @Test
    @DisplayName("WL-24 a batch answers each as if it had been asked alone, in the order in which they were asked")
    void tryAcquireAll_mixed_answersEach() {
        String token = acquire(ours, B, 1).token();
        ours.tryAcquire(B, 2);
        ours.succeed(B, token);
        acquire(theirs, "C", 1);

        List<BatchAnswer<AcquireResult>> answers = ours.tryAcquireAll(List.of(
                new Offer("C", 1),
                new Offer(B, 9),
                new Offer(A, 1),
                new Offer(A, 2),
                new Offer(B, 1),
                new Offer(B, 2)));

        assertThat(answers.get(0).orThrow().code()).isEqualTo("HELD_ELSEWHERE");
        assertThatThrownBy(answers.get(1)::orThrow).isInstanceOf(BacklogOrderingException.class);
        assertThat(answers.get(2).orThrow().code()).isEqualTo("ACQUIRED");
        assertThat(answers.get(3).orThrow().code()).isEqualTo("ENQUEUED");
        assertThat(answers.get(4).orThrow().code()).isEqualTo("ALREADY_PROCESSED");
        assertThat(answers.get(5).orThrow().code()).isEqualTo("ACQUIRED");
        assertThat(answers).hasSize(6);
        assertThat(ours.tryAcquireAll(List.of())).isEmpty();
        assertThat(ours.succeedAll(List.of())).isEmpty();
    }

    @Test
    @DisplayName("WL-24 a batch of finishes applies what is right and refuses what is not")
    void succeedAll_mixed_answersEach() {
        String a = acquire(ours, A, 1).token();
        String b = acquire(ours, B, 1).token();
        ours.tryAcquire(A, 2);

        List<BatchAnswer<SucceedResult>> answers = ours.succeedAll(
                List.of(new Finish(B, b), new Finish("C", a), new Finish(A, b), new Finish(A, a), new Finish(A, a)));

        assertThat(answers.get(0).orThrow()).isEqualTo(new SucceedResult.NoBacklog());
        assertThat(answers.get(1).refusal()).containsInstanceOf(LeaseNotFoundException.class);
        assertThat(answers.get(2).refusal()).containsInstanceOf(TokenMismatchException.class);
        assertThat(answers.get(3).orThrow()).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(answers.get(4).orThrow()).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(answers).hasSize(5);
    }

    @Test
    @DisplayName("WL-24 WL-2 the offsets of a domain in a batch come in the order of the batch")
    void tryAcquireAll_oneDomain_keepsTheOrder() {
        List<Offer> offers =
                Stream.of(5L, 3L, 9L, 1L).map(offset -> new Offer(A, offset)).toList();
        assertThat(ours.tryAcquireAll(offers))
                .extracting(answer -> answer.orThrow().code())
                .containsExactly("ACQUIRED", "ENQUEUED", "ENQUEUED", "ENQUEUED");
        assertThat(ours.inspect(A).orElseThrow().backlog()).containsExactly(3L, 9L, 1L);
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
        assertThatThrownBy(() -> RedisWorkLease.builder(connection, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxRetries: -1 (expected: >= 0)");
    }

    private void expire(String domainId) {
        connection.sync().hset(state(domainId), "until", "0");
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
