package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lease on an engine promises beyond the contract of all leases. */
@ParameterizedClass
@EnumSource(
        value = Kind.class,
        names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EngineRulesTest {
    private static final String A = "A";
    private static final String B = "B";
    private static final int MAX_RETRIES = 2;

    private final TestDatabase database;
    private final JdbcWorkLease ours;
    private final JdbcWorkLease theirs;

    EngineRulesTest(Kind kind) {
        database = TestDatabase.create(kind);
        ours = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES).owner("we").build();
        theirs = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES)
                .owner("they")
                .build();
    }

    @AfterEach
    void noConnectionIsHeld() {
        assertThat(database.connectionsInUse()).isZero();
        database.close();
    }

    // WL-8, WL-13

    @Test
    @DisplayName("WL-8 WL-13 only idle domains are deleted, and the fence goes on rising after it")
    void deleteIdle_fenceRises() {
        AcquireResult.Acquired done = acquire(ours, "done", 1);
        ours.succeed("done", done.token());
        ours.succeed("done", acquire(ours, "done", 3).token());
        acquire(ours, "leased", 1);
        ours.tryAcquire("queued", 1);
        ours.tryAcquire("queued", 2);
        ours.succeed("queued", ((AcquireResult.AlreadyAcquired) ours.tryAcquire("queued", 1)).token());
        String failing = acquire(ours, "failed", 1).token();
        for (int failure = 0; failure <= MAX_RETRIES; failure++) {
            ours.fail("failed", failing);
        }

        assertThat(ours.deleteIdle(Duration.ofHours(1))).isZero();
        assertThat(ours.deleteIdle(Duration.ZERO)).isEqualTo(1);

        assertThat(ours.inspect("done")).isEmpty();
        assertThat(database.number("select count(*) from tidegate_domain")).isEqualTo(3);
        assertThat(database.number("select count(*) from tidegate_processed")).isZero();
        assertThat(acquire(ours, "done", 1).fence()).isGreaterThan(done.fence());
        assertThatThrownBy(() -> ours.deleteIdle(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("WL-13 what has failed is listed by offset, with its retries and its date, until it is replayed")
    void failed_listsWhatWaitsForSomebody() {
        assertThat(ours.failedWork(A, 10)).isEmpty();
        JdbcWorkLease impatient = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        long acquiredAt = failForGood(impatient, A, 7);
        failForGood(ours, A, -3);
        failForGood(impatient, A, 9);
        failForGood(impatient, B, 1);

        List<FailedWork> failed = ours.failedWork(A, 2);

        assertThat(failed).extracting(FailedWork::offset).containsExactly(-3L, 7L);
        assertThat(failed).extracting(FailedWork::retryCount).containsExactly(MAX_RETRIES, 0);
        assertThat(failed.get(1).failedAtMillis()).isBetween(acquiredAt, acquiredAt + 600_000);
        ours.replay(A, -3);
        assertThat(ours.failedWork(A, 10)).extracting(FailedWork::offset).containsExactly(7L, 9L);
        assertThatThrownBy(() -> ours.failedWork(A, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("WL-13 a failure that is forgotten does not run again, cannot be replayed, and makes room")
    void deleteFailed_old_staysTerminal() {
        JdbcWorkLease impatient = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        ours.succeed(A, acquire(ours, A, 1).token());
        failForGood(impatient, A, 2);
        ours.succeed(A, acquire(ours, A, 3).token());
        failForGood(impatient, A, 10);
        failForGood(impatient, A, 11);
        failForGood(impatient, B, Long.MIN_VALUE);
        failForGood(impatient, B, Long.MAX_VALUE);
        acquire(ours, A, 20);

        assertThat(ours.deleteFailed(Duration.ofHours(1))).isZero();
        assertThat(ours.failedWork(A, 10)).hasSize(3);
        assertThat(ours.deleteFailed(Duration.ZERO)).isEqualTo(5);
        assertThat(ours.deleteFailed(Duration.ZERO)).isZero();

        for (long offset : new long[] {1, 2, 3, 10, 11}) {
            assertThat(ours.tryAcquire(A, offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }
        assertThat(ours.tryAcquire(B, Long.MIN_VALUE)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(ours.tryAcquire(B, Long.MAX_VALUE)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(ours.replay(A, 2)).isFalse();
        for (long offset : new long[] {0, 4, 9, 12}) {
            assertThat(ours.tryAcquire(A, offset)).isEqualTo(new AcquireResult.Enqueued());
        }
        assertThat(ours.inspect(A).orElseThrow().failedCount()).isZero();
        assertThat(ours.inspect(A).orElseThrow().processedCount()).isEqualTo(2);
        assertThat(database.number("select count(*) from tidegate_failed")).isZero();
        // 1 to 3 are one run again, in the row; 10 and 11 another one
        assertThat(database.number(
                        "select count(*) from tidegate_processed p join tidegate_domain d on d.id = p.domain_id"
                                + " where d.lease_offset = 20"))
                .isEqualTo(1);
        assertThatThrownBy(() -> ours.deleteFailed(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("WL-13 forgotten failures join the runs beside them, wherever these are")
    void deleteFailed_anyPattern_isRemembered() {
        JdbcWorkLease impatient = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        Random random = new Random(5);
        Set<Long> ended = new HashSet<>();
        for (int i = 0; i < 120; i++) {
            long offset = random.nextInt(60);
            if (ended.add(offset)) {
                if (random.nextBoolean()) {
                    failForGood(impatient, A, offset);
                } else {
                    ours.succeed(A, acquire(ours, A, offset).token());
                }
            }
            if (i % 30 == 29) {
                ours.deleteFailed(Duration.ZERO);
            }
        }
        ours.deleteFailed(Duration.ZERO);
        acquire(ours, A, 1_000);
        for (long offset = -1; offset <= 60; offset++) {
            assertThat(ours.tryAcquire(A, offset).code())
                    .isEqualTo(ended.contains(offset) ? "ALREADY_PROCESSED" : "ENQUEUED");
        }
    }

    @Test
    @DisplayName(
            "WL-13 more failures than one transaction forgets are forgotten all the same; then the domain can be deleted")
    void deleteFailed_many_areAllForgotten() {
        acquire(ours, A, 0);
        database.execute("delete from tidegate_failed");
        StringBuilder rows = new StringBuilder();
        long id = database.number("select id from tidegate_domain");
        for (int offset = 1; offset <= 1_500; offset++) {
            rows.append(offset == 1 ? "" : ", ")
                    .append("(" + id + ", " + 2 * offset + ", 0" + ", " + database.time(0) + ")");
        }
        database.execute("insert into tidegate_failed (domain_id, work_offset, retry_count, failed_at) values " + rows);
        assertThat(ours.deleteFailed(Duration.ofDays(1))).isEqualTo(1_500);
        assertThat(ours.tryAcquire(A, 3_000).code()).isEqualTo("ALREADY_PROCESSED");
    }

    @Test
    @DisplayName("WL-13 more idle domains than one transaction deletes are deleted all the same")
    void deleteIdle_many_areAllDeleted() {
        StringBuilder rows = new StringBuilder();
        for (int domain = 1; domain <= 10_500; domain++) {
            rows.append(domain == 1 ? "" : ", ").append("(" + database.bytes("orders") + ", '" + domain + "', " + database.time(0) + ")");
        }
        database.execute("insert into tidegate_domain (lease, name, changed_at) values " + rows);
        acquire(ours, A, 1);
        assertThat(ours.deleteIdle(Duration.ofDays(1))).isEqualTo(10_500);
        assertThat(database.number("select count(*) from tidegate_domain")).isEqualTo(1);
    }

    /** Returns when it was acquired. */
    private static long failForGood(JdbcWorkLease lease, String domainId, long offset) {
        String token = acquire(lease, domainId, offset).token();
        long acquiredAt = leaseOf(lease, domainId).acquiredAtMillis();
        failUntilTheEnd(lease, domainId, token);
        return acquiredAt;
    }

    @Test
    @DisplayName("WL-13 ages that no database can count back to are just very old")
    void delete_greatestAge_deletesNothing() {
        failForGood(ours, A, 1);
        ours.succeed(B, acquire(ours, B, 1).token());
        for (Duration age : List.of(Duration.ofDays(4_000_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThat(ours.deleteFailed(age)).isZero();
            assertThat(ours.deleteIdle(age)).isZero();
        }
    }

    // WL-9

    @Test
    @DisplayName("WL-9 a token that no database could keep is another token, in the caller's transaction, too")
    void finish_impossibleToken_isRefused() throws SQLException {
        String token = acquire(ours, A, 1).token();
        LeaseRecord before = leaseOf(ours, A);
        for (String other :
                List.of("\0", "\ud800", "\u00e4", "x".repeat(10_000), token + " ", token.toUpperCase(Locale.ROOT))) {
            assertThatThrownBy(() -> ours.succeed(A, other)).isInstanceOf(TokenMismatchException.class);
            assertThatThrownBy(() -> ours.fail(A, other)).isInstanceOf(TokenMismatchException.class);
            assertThatThrownBy(() -> ours.fail(A, other, 1)).isInstanceOf(TokenMismatchException.class);
            assertThatThrownBy(() -> ours.renew(A, other)).isInstanceOf(TokenMismatchException.class);
            assertThatThrownBy(() -> ours.succeed(B, other)).isInstanceOf(LeaseNotFoundException.class);
            assertThat(ours.succeedAll(List.of(new Finish(A, other))).get(0).refusal())
                    .containsInstanceOf(TokenMismatchException.class);
            try (Connection connection = database.transaction()) {
                assertThatThrownBy(() -> ours.succeed(connection, A, other)).isInstanceOf(TokenMismatchException.class);
                assertThat(ours.succeed(connection, A, token)).isEqualTo(new SucceedResult.NoBacklog());
                connection.rollback();
            }
        }
        assertThat(leaseOf(ours, A)).isEqualTo(before);
    }

    // WL-20

    @Test
    @DisplayName("WL-20 the owner gets AlreadyAcquired, anyone else HeldElsewhere, and nothing changes")
    void tryAcquire_leased_dependsOnOwner() {
        AcquireResult.Acquired acquired = acquire(ours, A, 1);
        LeaseRecord before = leaseOf(ours, A);

        assertThat(ours.tryAcquire(A, 1))
                .isEqualTo(new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence()));
        assertThat(theirs.tryAcquire(A, 1)).isInstanceOfSatisfying(AcquireResult.HeldElsewhere.class, held -> {
            assertThat(held.owner()).isEqualTo("we");
            assertThat(held.untilMillis())
                    .isEqualTo(before.acquiredAtMillis() + JdbcWorkLease.DEFAULT_LEASE_SECONDS * 1000);
        });
        assertThat(leaseOf(ours, A)).isEqualTo(before);
    }

    @Test
    @DisplayName("WL-20 inspect does not show the token to a stranger")
    void inspect_stranger_doesNotSeeTheToken() {
        String token = acquire(ours, A, 1).token();
        assertThat(leaseOf(ours, A).token()).isEqualTo(token);
        assertThat(leaseOf(theirs, A).token()).isEmpty();
        assertThat(leaseOf(theirs, A).fence()).isEqualTo(leaseOf(ours, A).fence());
    }

    @Test
    @DisplayName("WL-20 the owner of each start is another one unless it is given")
    void owner_default_isFresh() {
        JdbcWorkLease first = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        JdbcWorkLease second = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
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
        database.expireLeases();

        AcquireResult.Acquired second = acquire(theirs, A, 1);

        assertThat(second.token()).isNotEqualTo(first.token());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(leaseOf(theirs, A))
                .isEqualTo(new LeaseRecord(1, second.token(), second.fence(), before.acquiredAtMillis(), 1));
        assertThat(ours.tryAcquire(A, 1).code()).isEqualTo("HELD_ELSEWHERE");
    }

    @Test
    @DisplayName("WL-21 after its time the owner still has it, until somebody takes over, and other offsets are queued")
    void tryAcquire_expired_staysUntilTakenOver() {
        String token = acquire(ours, A, 1).token();
        database.expireLeases();
        assertThat(theirs.tryAcquire(A, 2)).isEqualTo(new AcquireResult.Enqueued());
        assertThat(ours.tryAcquire(A, 1).code()).isEqualTo("ALREADY_ACQUIRED");
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
    }

    @Test
    @DisplayName("WL-21 work that kills every owner fails in the end: then the take-over answers AlreadyFailed")
    void tryAcquire_expiredWithoutRetries_hasFailed() {
        acquire(ours, A, 1);
        ours.tryAcquire(A, 2);
        database.expireLeases();
        acquire(theirs, A, 1);
        database.expireLeases();
        acquire(ours, A, 1);
        database.expireLeases();

        assertThat(theirs.tryAcquire(A, 1)).isEqualTo(new AcquireResult.AlreadyFailed());

        assertThat(theirs.inspect(A).orElseThrow().lease()).isEmpty();
        assertThat(theirs.inspect(A).orElseThrow().failedCount()).isEqualTo(1);
        acquire(theirs, A, 2);
    }

    @Test
    @DisplayName("WL-21 fails and take-overs count together")
    void fail_afterTakeOver_countsOn() {
        assertThat(ours.fail(A, acquire(ours, A, 1).token())).isEqualTo(new FailResult.RetryScheduled(1));
        database.expireLeases();
        String token = acquire(theirs, A, 1).token();
        assertThat(theirs.fail(A, token)).isEqualTo(new FailResult.GiveUpNoBacklog());
    }

    @Test
    @DisplayName(
            "WL-21 renew prolongs, also after the lease's time; so does a failure that is to be retried; asking does not")
    void renew_expired_prolongs() {
        String token = acquire(ours, A, 1).token();
        database.expireLeases();
        long until = ours.renew(A, token);
        assertThat(theirs.tryAcquire(A, 1)).isEqualTo(new AcquireResult.HeldElsewhere("we", until));

        database.expireLeases();
        ours.fail(A, token);
        assertThat(theirs.tryAcquire(A, 1).code()).isEqualTo("HELD_ELSEWHERE");

        database.expireLeases();
        ours.tryAcquire(A, 1);
        assertThat(theirs.tryAcquire(A, 1).code()).isEqualTo("ACQUIRED");
    }

    @Test
    @DisplayName("WL-21 renew without the lease or its token is refused")
    void renew_withoutLease_isRefused() {
        assertThatThrownBy(() -> ours.renew(A, "token")).isInstanceOf(LeaseNotFoundException.class);
        String token = acquire(ours, A, 1).token();
        database.expireLeases();
        acquire(theirs, A, 1);
        assertThatThrownBy(() -> ours.renew(A, token)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> ours.renew("", token)).isInstanceOf(IllegalArgumentException.class);
    }

    // WL-22

    @Test
    @DisplayName("WL-22 the old owner's finish after a take-over is refused and changes nothing")
    void finish_afterTakeOver_isRefused() {
        String old = acquire(ours, A, 1).token();
        database.expireLeases();
        acquire(theirs, A, 1);
        LeaseRecord before = leaseOf(theirs, A);

        assertThatThrownBy(() -> ours.succeed(A, old)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> ours.fail(A, old)).isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(() -> ours.fail(A, old, 1)).isInstanceOf(TokenMismatchException.class);

        assertThat(leaseOf(theirs, A)).isEqualTo(before);
    }

    // WL-23

    @Test
    @DisplayName("WL-23 succeed repeated gives the same answer, whatever came in between, and is applied once")
    void succeed_repeated_answersTheSame() {
        String token = acquire(ours, A, 1).token();
        ours.tryAcquire(A, 2);
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        acquire(theirs, A, 2);
        theirs.tryAcquire(A, 3);
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
        assertThat(ours.inspect(A).orElseThrow().processedCount()).isEqualTo(1);
        assertThat(leaseOf(theirs, A).currentOffset()).isEqualTo(2);
    }

    @Test
    @DisplayName("WL-23 a give-up repeated gives the same answer; the other kind of finish is refused")
    void fail_giveUpRepeated_answersTheSame() {
        JdbcWorkLease lease = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        String failed = acquire(lease, A, 1).token();
        lease.tryAcquire(A, 2);
        for (int times = 0; times < 3; times++) {
            assertThat(lease.fail(A, failed)).isEqualTo(new FailResult.GiveUpNextHint(2));
            assertThat(lease.fail(A, failed, 1)).isEqualTo(new FailResult.GiveUpNextHint(2));
        }
        assertThatThrownBy(() -> lease.succeed(A, failed)).isInstanceOf(LeaseNotFoundException.class);
        String succeeded = acquire(lease, A, 2).token();
        assertThatThrownBy(() -> lease.succeed(A, failed)).isInstanceOf(TokenMismatchException.class);
        lease.succeed(A, succeeded);
        assertThatThrownBy(() -> lease.fail(A, succeeded)).isInstanceOf(LeaseNotFoundException.class);
        assertThat(lease.inspect(A).orElseThrow().failedCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-23 a lease given up by a take-over does not make the last finish forgotten")
    void succeed_repeatedAfterGiveUpByTakeOver_answersTheSame() {
        JdbcWorkLease impatient = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        String token = acquire(ours, A, 1).token();
        ours.succeed(A, token);
        acquire(ours, A, 2);
        database.expireLeases();
        assertThat(impatient.tryAcquire(A, 2)).isEqualTo(new AcquireResult.AlreadyFailed());
        assertThat(ours.succeed(A, token)).isEqualTo(new SucceedResult.NoBacklog());
    }

    @Test
    @DisplayName("WL-23 a numbered failure counts once, however often it is told, also after a take-over")
    void fail_numbered_countsOnce() {
        acquire(ours, A, 1);
        database.expireLeases();
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
    @DisplayName("WL-24 batches in opposite orders do not stop each other")
    void batches_oppositeOrders_bothEnd() throws Exception {
        List<Offer> there = new ArrayList<>();
        List<Offer> back = new ArrayList<>();
        for (int domain = 0; domain < 30; domain++) {
            there.add(new Offer("d" + domain, 1));
            back.add(0, new Offer("d" + domain, 2));
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 10; round++) {
                Future<?> one = threads.submit(() -> ours.tryAcquireAll(there));
                Future<?> other = threads.submit(() -> theirs.tryAcquireAll(back));
                one.get();
                other.get();
                database.execute("delete from tidegate_domain");
                database.execute("delete from tidegate_backlog");
            }
        } finally {
            threads.shutdown();
        }
    }

    // WL-25

    @Test
    @DisplayName("WL-25 succeed in the caller's transaction is undone with it, and done with it")
    void succeed_inTransaction_endsWithIt() throws SQLException {
        database.execute("create table account (balance bigint, fence bigint)");
        database.execute("insert into account values (0, 0)");
        AcquireResult.Acquired acquired = acquire(ours, A, 1);
        LeaseRecord before = leaseOf(ours, A);

        try (Connection connection = database.transaction()) {
            pay(connection, acquired.fence());
            assertThat(ours.succeed(connection, A, acquired.token())).isEqualTo(new SucceedResult.NoBacklog());
            connection.rollback();
        }
        assertThat(leaseOf(ours, A)).isEqualTo(before);
        assertThat(database.number("select balance from account")).isZero();

        try (Connection connection = database.transaction()) {
            pay(connection, acquired.fence());
            ours.succeed(connection, A, acquired.token());
            connection.commit();
        }
        assertThat(ours.tryAcquire(A, 1)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(database.number("select balance from account")).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-25 after a take-over neither the fence nor the lease lets the old owner's transaction through")
    void succeed_inTransactionAfterTakeOver_isRefused() throws SQLException {
        database.execute("create table account (balance bigint, fence bigint)");
        database.execute("insert into account values (0, 0)");
        AcquireResult.Acquired old = acquire(ours, A, 1);
        database.expireLeases();
        AcquireResult.Acquired taken = acquire(theirs, A, 1);
        try (Connection connection = database.transaction()) {
            assertThat(pay(connection, taken.fence())).isEqualTo(1);
            connection.commit();
            assertThat(pay(connection, old.fence())).isZero();
            assertThatThrownBy(() -> ours.succeed(connection, A, old.token()))
                    .isInstanceOf(TokenMismatchException.class);
            connection.rollback();
        }
    }

    private static int pay(Connection connection, long fence) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update account set balance = balance + 1, fence = ? where fence <= ?")) {
            update.setLong(1, fence);
            update.setLong(2, fence);
            return update.executeUpdate();
        }
    }

    @Test
    @DisplayName("WL-25 a connection that commits by itself is misuse")
    void succeed_connectionCommitsByItself_isMisuse() throws SQLException {
        String token = acquire(ours, A, 1).token();
        try (Connection connection = database.pool().getConnection()) {
            assertThatThrownBy(() -> ours.succeed(connection, A, token)).isInstanceOf(IllegalArgumentException.class);
        }
        ours.succeed(A, token);
    }

    // All together

    @Test
    @DisplayName(
            "WL-11 WL-20 … WL-23 several owners whose leases run out at once: the recorded history has nothing wrong with it")
    void manyOwners_recorded_nothingWrong() throws Exception {
        ManyOwners owners = ManyOwners.run(database.pool(), 1);
        assertThat(owners.failures()).isEmpty();
        assertThat(owners.breach()).isEmpty();
    }

    private static void failUntilTheEnd(JdbcWorkLease lease, String domainId, String token) {
        FailResult answer = lease.fail(domainId, token);
        while (answer instanceof FailResult.RetryScheduled) {
            answer = lease.fail(domainId, token);
        }
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
