package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogFullException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import io.tidegate.reading.Measures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises of a lease on an engine that go beyond the contract of all leases. */
@ParameterizedClass
@EnumSource(
        value = Kind.class,
        names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EngineRulesTest {
    private static final String A = "A";
    private static final String B = "B";
    private static final int MAX_RETRIES = 2;
    private static final Failure TWICE = new Failure(1, false, "failed");

    private final TestDatabase database;
    private final JdbcWorkLease ours;
    private final JdbcWorkLease theirs;

    EngineRulesTest(Kind kind) {
        database = TestDatabase.create(kind);
        ours = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES)
                .owner("we")
                .build();
        theirs = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES)
                .owner("they")
                .build();
    }

    @AfterEach
    void noConnectionIsHeld() {
        assertThat(database.connectionsInUse()).isZero();
        database.close();
    }

    @Test
    @DisplayName("WL-13 a failure that is forgotten closes the hole between the runs beside it")
    void deleteFailed_betweenRuns_makesRoom() {
        JdbcWorkLease impatient =
                JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        ours.succeed(A, acquire(ours, A, 1).token());
        impatient.fail(A, acquire(impatient, A, 2).token());
        ours.succeed(A, acquire(ours, A, 3).token());

        assertThat(ours.deleteFailed(Duration.ZERO)).isEqualTo(1);

        assertThat(database.number("select count(*) from tidegate_failed")).isZero();
        ours.succeed(A, acquire(ours, A, 5).token());
        assertThat(database.number("select count(*) from tidegate_processed")).isEqualTo(1);
        assertThat(database.number("select last_offset - tail_offset from tidegate_processed"))
                .isEqualTo(2);
    }

    @Test
    @DisplayName("WL-13 more failures than one transaction forgets are all forgotten; then the domain can be deleted")
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
        database.execute("update tidegate_domain set highest = 3000");
        assertThat(ours.deleteFailed(Duration.ofDays(1))).isEqualTo(1_500);
        assertThat(ours.tryAcquire(A, 3_000).code()).isEqualTo("ALREADY_PROCESSED");
    }

    @Test
    @DisplayName("WL-13 more idle domains than one transaction deletes are deleted all the same")
    void deleteIdle_many_areAllDeleted() {
        StringBuilder rows = new StringBuilder();
        for (int domain = 1; domain <= 10_500; domain++) {
            rows.append(domain == 1 ? "" : ", ")
                    .append("(" + database.bytes("orders") + ", '" + domain + "', " + database.time(0) + ")");
        }
        database.execute("insert into tidegate_domain (lease, name, changed_at) values " + rows);
        acquire(ours, A, 1);
        assertThat(ours.deleteIdle(Duration.ofDays(1))).isEqualTo(10_500);
        assertThat(database.number("select count(*) from tidegate_domain")).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-9 WL-31 a token that no database can keep does not match, and the caller's transaction goes on")
    void joined_impossibleToken_isRefused() throws SQLException {
        String token = acquire(ours, A, 1).token();
        LeaseRecord before = leaseOf(ours, A);
        for (String other :
                List.of("\0", "\ud800", "\u00e4", "x".repeat(10_000), token + " ", token.toUpperCase(Locale.ROOT))) {
            try (Connection connection = database.transaction()) {
                assertThatThrownBy(() -> ours.succeed(connection, A, other)).isInstanceOf(TokenMismatchException.class);
                assertThatThrownBy(() -> ours.fail(connection, A, other, TWICE))
                        .isInstanceOf(TokenMismatchException.class);
                assertThat(ours.succeed(connection, A, token)).isEqualTo(new SucceedResult.NoBacklog());
                connection.rollback();
            }
        }
        assertThat(leaseOf(ours, A)).isEqualTo(before);
    }

    @Test
    @DisplayName("WL-20 the owner of each start is another one unless it is given")
    void owner_default_isFresh() {
        JdbcWorkLease first =
                JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        JdbcWorkLease second =
                JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        assertThat(first.owner()).isNotEqualTo(second.owner());
        acquire(first, A, 1);
        assertThat(second.tryAcquire(A, 1).code()).isEqualTo("HELD_ELSEWHERE");
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

    @Test
    @DisplayName("OB-4 round trips are timed, alone and in the caller's transaction, and errors counted; none is made")
    void read_roundTrips_areReported() throws SQLException {
        assertThat(Measures.of(ours).counts).containsEntry("errors", 0L);
        ours.succeed(A, acquire(ours, A, 1).token());
        try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false);
            ours.tryAcquire(connection, A, 2);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThatThrownBy(() -> ours.succeed(A, "none")).isInstanceOf(LeaseNotFoundException.class);
        ours.inspect(A);
        database.execute("alter table tidegate_domain rename to elsewhere");
        assertThatThrownBy(() -> ours.tryAcquire(A, 2)).isInstanceOf(JdbcLeaseException.class);
        Measures measures = Measures.of(ours);
        database.execute("alter table elsewhere rename to tidegate_domain");
        assertThat(measures.counts).containsEntry("errors", 1L);
        assertThat(measures.times.get("round.trip[operation, acquire]").count()).isEqualTo(3);
        assertThat(measures.times.get("round.trip[operation, succeed]").count()).isEqualTo(2);
        assertThat(measures.times.get("round.trip[operation, other]").count()).isEqualTo(1);
        assertThat(measures.times.get("round.trip[operation, acquire]").maxNanos())
                .isPositive();
        assertThat(Measures.of(theirs).times.values()).allMatch(time -> time.count() == 0);
    }

    // WL-31

    @Test
    @DisplayName("WL-31 every operation in the caller's transaction is undone with it, and done with it")
    void joined_each_endsWithTheTransaction() throws SQLException {
        String first = acquire(ours, A, 1).token();
        acquire(ours, B, 1);
        ours.tryAcquire(A, 2);
        List<Optional<DomainSnapshot>> before = List.of(ours.inspect(A), ours.inspect(B), ours.inspect("C"));
        for (boolean commits : new boolean[] {false, true}) {
            try (Connection connection = database.transaction()) {
                assertThat(ours.fail(connection, A, first, TWICE)).isEqualTo(new FailResult.RetryScheduled(1));
                assertThat(ours.succeedAll(connection, List.of(new Finish(A, first), new Finish("C", first))))
                        .extracting(answer -> answer.refusal().isPresent())
                        .containsExactly(false, true);
                assertThat(ours.tryAcquire(connection, A, 2)).isInstanceOf(AcquireResult.Acquired.class);
                assertThat(ours.tryAcquire(connection, B, 2)).isEqualTo(new AcquireResult.Enqueued());
                assertThat(ours.tryAcquire(connection, "C", 1)).isInstanceOf(AcquireResult.Acquired.class);
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            if (!commits) {
                assertThat(List.of(ours.inspect(A), ours.inspect(B), ours.inspect("C")))
                        .isEqualTo(before);
            }
        }
        assertThat(leaseOf(ours, A).currentOffset()).isEqualTo(2);
        assertThat(ours.inspect(B).orElseThrow().backlog()).containsExactly(2L);
        assertThat(leaseOf(ours, "C").currentOffset()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "WL-31 build, operations and migrate refuse a data source with the caller's transaction; nothing commits")
    void operation_callersTransaction_isRefused() throws SQLException {
        String token = acquire(ours, A, 1).token();
        database.execute("create table account (balance bigint)");
        AtomicReference<Connection> current = new AtomicReference<>();
        try (Connection alone = database.pool().getConnection();
                Connection caller = database.transaction()) {
            current.set(alone);
            DataSource aware = OneConnection.from(current::get);
            JdbcWorkLease lease = JdbcWorkLease.builder(aware, "orders", MAX_RETRIES)
                    .owner("we")
                    .build();
            current.set(caller);
            try (Statement insert = caller.createStatement()) {
                insert.executeUpdate("insert into account values (1)");
            }
            assertInTransaction(() -> lease.tryAcquire(A, 2));
            assertInTransaction(() -> lease.succeed(A, token));
            assertInTransaction(() -> lease.fail(A, token));
            assertInTransaction(() -> lease.succeedAll(List.of(new Finish(A, token))));
            assertInTransaction(() -> lease.renew(A, token));
            assertInTransaction(() -> lease.renewAll(List.of(new Finish(A, token))));
            assertInTransaction(() -> lease.release(A, token));
            assertInTransaction(() -> lease.pending(1, ""));
            assertInTransaction(() -> lease.inspect(A));
            assertInTransaction(
                    () -> JdbcWorkLease.builder(aware, "orders", MAX_RETRIES).build());
            assertInTransaction(() -> JdbcWorkLease.migrate(aware));
            assertThat(caller.getAutoCommit()).isFalse();
            caller.rollback();
        }
        assertThat(database.number("select count(*) from account")).isZero();
        assertThat(leaseOf(ours, A).token()).isEqualTo(token);
        assertThat(ours.inspect(A).orElseThrow().backlog()).isEmpty();
    }

    private static void assertInTransaction(ThrowingCallable operation) {
        assertThatThrownBy(operation)
                .hasMessageContaining("use the operations that take its connection")
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.IN_TRANSACTION));
    }

    // WL-29, and waiting

    @Test
    @DisplayName("WL-29 a domain that a caller's transaction finishes is answered 0, and the others are prolonged")
    void renewAll_locked_isNotWaitedFor() throws SQLException {
        String a = acquire(ours, A, 1).token();
        String b = acquire(ours, B, 1).token();
        try (Connection caller = database.transaction()) {
            ours.succeed(caller, A, a);
            List<BatchAnswer<Long>> answers =
                    ours.renewAll(List.of(new Finish(A, a), new Finish(B, b), new Finish("C", b)));
            assertThat(answers.get(0).orThrow()).isZero();
            assertThat(answers.get(1).orThrow()).isGreaterThan(0);
            assertThat(answers.get(2).refusal()).containsInstanceOf(LeaseNotFoundException.class);
            caller.rollback();
        }
    }

    @Test
    @DisplayName("WL-30 pending does not wait for a domain that a caller's transaction finishes")
    void pending_locked_isNotWaitedFor() throws SQLException {
        String a = acquire(ours, A, 1).token();
        acquire(ours, B, 1);
        database.pass(Duration.ofDays(1));
        ours.renew(A, a);
        try (Connection caller = database.transaction()) {
            ours.succeed(caller, A, a);
            assertThat(theirs.pending(10, "")).containsExactly(B);
            caller.rollback();
        }
    }

    @Test
    @DisplayName(
            "WL-12 one offset too many to wait is refused, alone, in a batch, in a transaction; nothing has changed")
    void tryAcquire_backlogFull_isRefused() throws SQLException {
        JdbcWorkLease bounded = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES)
                .owner("bounded")
                .maxBacklog(2)
                .build();
        acquire(ours, A, 1);
        assertThat(bounded.tryAcquire(A, 2).code()).isEqualTo("ENQUEUED");
        assertThat(bounded.tryAcquire(A, 3).code()).isEqualTo("ENQUEUED");

        assertThatThrownBy(() -> bounded.tryAcquire(A, 4))
                .isInstanceOf(BacklogFullException.class)
                .hasMessage("backlog: full (expected: fewer than 2 offsets waiting in domain A)");
        assertThat(bounded.tryAcquireAll(List.of(new Offer(A, 3), new Offer(A, 4), new Offer("B", 4))))
                .satisfiesExactly(
                        known -> assertThat(known.orThrow().code()).isEqualTo("ENQUEUED"),
                        full -> assertThat(full.refusal()).containsInstanceOf(BacklogFullException.class),
                        other -> assertThat(other.orThrow().code()).isEqualTo("ACQUIRED"));
        try (Connection caller = database.transaction()) {
            assertThatThrownBy(() -> bounded.tryAcquire(caller, A, 4)).isInstanceOf(BacklogFullException.class);
            caller.rollback();
        }
        assertThat(ours.inspect(A).orElseThrow().backlog()).containsExactly(2L, 3L);
        assertThatThrownBy(() ->
                        JdbcWorkLease.builder(database.pool(), "orders", 0).maxBacklog(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("a domain locked for longer than lockTimeout is refused with a reason of its own; nothing has changed")
    void operation_locked_isRefused() throws SQLException {
        JdbcWorkLease impatient = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES)
                .owner("we")
                .lockTimeout(Duration.ofMillis(1))
                .build();
        String token = acquire(ours, A, 1).token();
        LeaseRecord before = leaseOf(ours, A);
        try (Connection caller = database.transaction()) {
            ours.succeed(caller, A, token);
            for (ThrowingCallable operation : List.<ThrowingCallable>of(
                    () -> impatient.tryAcquire(A, 2),
                    () -> impatient.succeed(A, token),
                    () -> impatient.fail(A, token),
                    () -> impatient.renew(A, token),
                    () -> impatient.release(A, token),
                    () -> impatient.forget(A, 0))) {
                assertThatThrownBy(operation)
                        .hasMessageContaining("nothing has changed")
                        .isInstanceOfSatisfying(
                                JdbcLeaseException.class,
                                refused -> assertThat(refused.reason()).isEqualTo(Reason.LOCKED));
            }
            caller.rollback();
        }
        assertThat(leaseOf(ours, A)).isEqualTo(before);
        assertThat(ours.inspect(A).orElseThrow().backlog()).isEmpty();
    }

    @Test
    @DisplayName("WL-21 a lease whose acquirer waited for the row lasts from the grant, not from the request")
    void tryAcquire_afterWaiting_lastsFromThen() throws Exception {
        JdbcWorkLease waiting = JdbcWorkLease.builder(database.pool(), "orders", MAX_RETRIES)
                .leaseDuration(Duration.ofMinutes(1))
                .build();
        ours.succeed(A, acquire(ours, A, 1).token());
        ExecutorService thread = Executors.newSingleThreadExecutor();
        long released;
        try (Connection caller = database.transaction();
                Statement lock = caller.createStatement()) {
            lock.execute("select * from tidegate_domain where lease_offset is null for update");
            Future<AcquireResult> acquired = thread.submit(() -> waiting.tryAcquire(A, 2));
            while (!database.somebodyWaits()) {
                Thread.onSpinWait();
            }
            long asked = database.now();
            do {
                released = database.now();
            } while (released - asked < 20);
            caller.rollback();
            assertThat(acquired.get()).isInstanceOf(AcquireResult.Acquired.class);
        } finally {
            thread.shutdown();
        }
        if (database.clockStandsStill()) {
            return; // the date is that of the transaction that waited
        }
        assertThat(leaseOf(waiting, A).acquiredAtMillis()).isGreaterThanOrEqualTo(released);
        assertThat(((AcquireResult.HeldElsewhere) theirs.tryAcquire(A, 2)).untilMillis())
                .isGreaterThanOrEqualTo(released + 60_000);
    }

    // Several rules together

    @Test
    @DisplayName("WL-11 WL-20 … WL-23 several owners whose leases end soon: the recorded history has no fault")
    void manyOwners_recorded_nothingWrong() throws Exception {
        ManyOwners owners = ManyOwners.run(database.pool(), 1);
        assertThat(owners.failures()).isEmpty();
        assertThat(owners.breach()).isEmpty();
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
