package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What leases on an engine do beside the contract: several owners, and time. */
@Timeout(60)
class RedisWorkLeaseTest {
    private static final String A = "A";
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    private final String prefix = "store" + stores++;
    private final RedisWorkLease mine = lease("me", LONG);
    private final RedisWorkLease mineForShort = lease("me", SHORT);
    private final RedisWorkLease yours = lease("you", LONG);
    private final RedisWorkLease yoursForShort = lease("you", SHORT);

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    private RedisWorkLease lease(String owner, Duration duration) {
        return RedisWorkLease.builder(connection, 1)
                .prefix(prefix)
                .owner(owner)
                .duration(duration)
                .build();
    }

    // Owners

    @Test
    @DisplayName("WL-20 a stranger is told who holds the offset and until when, and never its token")
    void tryAcquire_stranger_isHeldElsewhere() {
        AcquireResult.Acquired acquired = acquire(mine, 1);
        long until = mine.renew(A, acquired.token());

        AcquireResult.HeldElsewhere held = (AcquireResult.HeldElsewhere) yours.tryAcquire(A, 1);

        assertThat(held.owner()).isEqualTo("me");
        assertThat(held.untilMillis()).isEqualTo(until);
        assertThat(leased(yours).token()).isEmpty();
        assertThat(leased(yours).fence()).isEqualTo(acquired.fence());
        assertThatThrownBy(() -> yours.succeed(A, leased(yours).token())).isInstanceOf(TokenMismatchException.class);
        assertThat(yours.tryAcquire(A, 2)).isEqualTo(new AcquireResult.Enqueued());
    }

    @Test
    @DisplayName("WL-20 the owner gets the token again, also through other leases of his")
    void tryAcquire_owner_isAlreadyAcquired() {
        AcquireResult.Acquired acquired = acquire(mine, 1);
        assertThat(mineForShort.tryAcquire(A, 1))
                .isEqualTo(new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence()));
        assertThat(leased(mineForShort).token()).isEqualTo(acquired.token());
    }

    @Test
    @DisplayName("WL-20 without a name, each lease has an owner of its own")
    void build_withoutOwner_isNewEachTime() {
        RedisWorkLease.Builder builder = RedisWorkLease.builder(connection, 1).prefix(prefix);
        RedisWorkLease one = builder.build();
        RedisWorkLease other = builder.build();
        acquire(one, 1);
        assertThat(other.tryAcquire(A, 1))
                .isInstanceOfSatisfying(
                        AcquireResult.HeldElsewhere.class,
                        held -> assertThat(held.owner()).isEqualTo(one.owner()).isNotEqualTo(other.owner()));
    }

    // Time

    @Test
    @DisplayName("WL-21 WL-8 a lease that ran out is taken over: new token, greater fence, same date, one more retry")
    void tryAcquire_ranOut_isTakenOver() {
        AcquireResult.Acquired first = acquire(mineForShort, 1);
        LeaseRecord before = leased(mineForShort);

        AcquireResult.Acquired second = (AcquireResult.Acquired) askUntilOver(yours, 1);

        assertThat(second.token()).isNotEqualTo(first.token());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(leased(yours))
                .isEqualTo(new LeaseRecord(1, second.token(), second.fence(), before.acquiredAtMillis(), 1));
        assertThat(mine.tryAcquire(A, 1)).isInstanceOf(AcquireResult.HeldElsewhere.class);
    }

    @Test
    @DisplayName("WL-21 work that nobody ends reaches the end of its retries: the take-over answers ALREADY_FAILED")
    void tryAcquire_ranOutWithoutRetries_hasFailed() {
        acquire(mineForShort, 1);
        mine.tryAcquire(A, 2);
        AcquireResult.Acquired last = (AcquireResult.Acquired) askUntilOver(yoursForShort, 1);

        assertThat(askUntilOver(mine, 1)).isEqualTo(new AcquireResult.AlreadyFailed());

        assertThat(mine.inspect(A)).contains(new DomainSnapshot(A, Optional.empty(), List.of(2L), 0, 1));
        assertThatThrownBy(() -> yours.succeed(A, last.token())).isInstanceOf(LeaseNotFoundException.class);
        acquire(mine, 2);
        assertThatThrownBy(() -> yours.succeed(A, last.token())).isInstanceOf(TokenMismatchException.class);
    }

    @Test
    @DisplayName("WL-21 only the leased offset is taken over; another one waits, however long ago the lease ran out")
    void tryAcquire_ranOutAnotherOffset_isEnqueued() {
        acquire(mineForShort, 1);
        mine.tryAcquire(A, 2);
        askUntilOver(yoursForShort, 1);
        assertThat(mine.tryAcquire(A, 2)).isEqualTo(new AcquireResult.Enqueued());
        assertThat(mine.tryAcquire(A, 3)).isEqualTo(new AcquireResult.Enqueued());
    }

    @Test
    @DisplayName("WL-21 renew prolongs, as the owner's asking does, and never shortens")
    void renew_prolongs() {
        AcquireResult.Acquired acquired = acquire(mineForShort, 1);
        long until = mine.renew(A, acquired.token());
        assertThat(until).isGreaterThanOrEqualTo(leased(mine).acquiredAtMillis() + LONG.toMillis());
        assertThat(mineForShort.renew(A, acquired.token())).isEqualTo(until);
        assertThat(yours.tryAcquire(A, 1)).isEqualTo(new AcquireResult.HeldElsewhere("me", until));

        mine.succeed(A, acquired.token());
        acquire(mineForShort, 2);
        mine.tryAcquire(A, 2);
        mineForShort.tryAcquire(A, 2);
        assertThat(yours.tryAcquire(A, 2))
                .isInstanceOfSatisfying(
                        AcquireResult.HeldElsewhere.class,
                        held -> assertThat(held.untilMillis())
                                .isGreaterThanOrEqualTo(leased(mine).acquiredAtMillis() + LONG.toMillis()));
    }

    @Test
    @DisplayName("WL-21 WL-9 renew needs the lease and its token, and makes no domain")
    void renew_withoutLease_isRefused() {
        assertThatThrownBy(() -> mine.renew(A, "token")).isInstanceOf(LeaseNotFoundException.class);
        assertThat(mine.inspect(A)).isEmpty();
        acquire(mine, 1);
        for (String token : new String[] {"token", "", null}) {
            assertThatThrownBy(() -> mine.renew(A, token)).isInstanceOf(TokenMismatchException.class);
        }
    }

    @Test
    @DisplayName("WL-22 after a take-over the old token ends nothing and renews nothing")
    void finish_takenOver_isRefused() {
        String old = acquire(mineForShort, 1).token();
        askUntilOver(yours, 1);
        Optional<DomainSnapshot> before = yours.inspect(A);

        assertThatThrownBy(() -> mine.succeed(A, old)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> mine.fail(A, old)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> mine.renew(A, old)).isInstanceOf(TokenMismatchException.class);

        assertThat(yours.inspect(A)).isEqualTo(before);
    }

    @Test
    @DisplayName("WL-22 a lease that ran out and was not taken over is still ended by its token")
    void finish_ranOut_counts() {
        String token = acquire(mineForShort, 1).token();
        assertThat(mine.succeed(A, token)).isEqualTo(new SucceedResult.NoBacklog());
    }

    // Lost replies

    @Test
    @DisplayName("WL-23 a success told again is answered as before and counted once, also when the next is leased")
    void succeed_again_isTheSame() {
        String token = acquire(mine, 1).token();
        mine.tryAcquire(A, 2);
        assertThat(mine.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(yours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        String next = acquire(yours, 2).token();
        assertThat(mine.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThatThrownBy(() -> mine.fail(A, token)).isInstanceOf(TokenMismatchException.class);
        assertThat(mine.inspect(A).orElseThrow().processedCount()).isEqualTo(1);

        yours.succeed(A, next);
        assertThatThrownBy(() -> mine.succeed(A, token)).isInstanceOf(LeaseNotFoundException.class);
    }

    @Test
    @DisplayName("WL-23 so is giving up")
    void fail_again_isTheSame() {
        String token = acquire(mine, 1).token();
        mine.tryAcquire(A, 2);
        mine.fail(A, token);
        assertThat(mine.fail(A, token)).isEqualTo(new FailResult.GiveUpNextHint(2));
        assertThat(mine.fail(A, token)).isEqualTo(new FailResult.GiveUpNextHint(2));
        assertThatThrownBy(() -> mine.succeed(A, token)).isInstanceOf(LeaseNotFoundException.class);
        assertThat(mine.inspect(A)).contains(new DomainSnapshot(A, Optional.empty(), List.of(2L), 0, 1));
    }

    @Test
    @DisplayName(
            "WL-23 a call that the client sends twice happens once: an acquisition is one, a failure costs one retry")
    void call_sentTwice_happensOnce() {
        ScriptCalls calls = new ScriptCalls(connection.async(), connection::getTimeout);
        String[] keys = new DomainKeys(prefix).of(A);
        String[] ask = {"1", RedisLease.place(1), "me", "60000", "1", "secret"};
        List<String> acquired = calls.call(LeaseScript.ACQUIRE, A, keys, ask);
        assertThat(acquired).startsWith("ACQUIRED");
        assertThat(calls.call(LeaseScript.ACQUIRE, A, keys, ask)).isEqualTo(acquired);

        String[] fail = {acquired.get(1), "1", "call"};
        assertThat(calls.call(LeaseScript.FAIL, A, keys, fail)).containsExactly("RETRY_SCHEDULED", "1");
        assertThat(calls.call(LeaseScript.FAIL, A, keys, fail)).containsExactly("RETRY_SCHEDULED", "1");
        assertThat(mine.fail(A, acquired.get(1))).isEqualTo(new FailResult.GiveUpNoBacklog());
    }

    @Test
    @DisplayName("WL-26 WL-8 a server that has lost a domain, as after a failover, still gives a greater fence")
    void fence_domainLost_rises() {
        long fence = acquire(mine, 1).fence();
        connection.sync().del(new DomainKeys(prefix).of(A));
        assertThat(acquire(mine, 1).fence()).isGreaterThan(fence);
    }

    // Memory

    @Test
    @DisplayName("WL-13 processed offsets that follow each other take no entry, others one until they are forgotten")
    void processed_inOrder_takesNoEntry() {
        for (long offset = 5; offset < 25; offset++) {
            mine.succeed(A, acquire(mine, offset).token());
        }
        mine.succeed(A, acquire(mine, 4).token());
        assertThat(entries()).isZero();

        mine.succeed(A, acquire(mine, 40).token());
        mine.succeed(A, acquire(mine, -40).token());
        assertThat(entries()).isEqualTo(2);
        mine.forget(A, 39);
        assertThat(entries()).isEqualTo(1);
        mine.forget(A, 40);
        assertThat(entries()).isZero();
    }

    private long entries() {
        return connection.sync().zcard(new DomainKeys(prefix).of(A)[4]);
    }

    // Misuse

    @Test
    @DisplayName("WL-14 settings that make no sense are refused")
    void builder_misuse_isRefused() {
        RedisWorkLease.Builder builder = RedisWorkLease.builder(connection, 0);
        for (String owner : new String[] {"", "two words", "\u00fc"}) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.owner(owner));
        }
        for (String prefix : new String[] {"", "a b", "{a}", "a}", "\n"}) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.prefix(prefix));
        }
        for (Duration duration : List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(366))) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.duration(duration));
        }
        assertThatThrownBy(() -> RedisWorkLease.builder(connection, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxRetries: -1 (expected: >= 0)");
        assertThatThrownBy(() -> mine.renew("", "token")).isInstanceOf(IllegalArgumentException.class);
    }

    private static AcquireResult.Acquired acquire(WorkLease lease, long offset) {
        AcquireResult answer = lease.tryAcquire(A, offset);
        assertThat(answer).isInstanceOf(AcquireResult.Acquired.class);
        return (AcquireResult.Acquired) answer;
    }

    /** How long it takes is the server's affair. */
    private static AcquireResult askUntilOver(WorkLease lease, long offset) {
        AcquireResult answer = lease.tryAcquire(A, offset);
        while (answer instanceof AcquireResult.HeldElsewhere) {
            answer = lease.tryAcquire(A, offset);
        }
        return answer;
    }

    private static LeaseRecord leased(WorkLease lease) {
        return lease.inspect(A).orElseThrow().lease().orElseThrow();
    }
}
