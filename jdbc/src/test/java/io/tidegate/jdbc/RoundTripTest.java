package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import io.tidegate.relay.Protocol;
import io.tidegate.relay.Relay;
import io.tidegate.relay.Relay.Direction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The bytes of a connection, and what happens when some of them get lost. */
@ParameterizedClass
@EnumSource(mode = Mode.EXCLUDE, names = "REDIS")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RoundTripTest {
    private static final String A = "A";

    /** How many bytes each cut is behind the one before; 1 cuts at each byte. */
    private static final int CUT_STEP = Integer.getInteger("tidegate.cutStep", 3);

    private final TestDatabase database;
    private final Relay relay;
    private final String url;

    RoundTripTest(Protocol protocol) throws Exception {
        database = TestDatabase.create(Kind.valueOf(protocol.name()));
        relay = new Relay(protocol, database.serverPort());
        url = database.urlThrough(relay.port());
    }

    @AfterEach
    void close() throws Exception {
        relay.close();
        database.close();
    }

    @Test
    @DisplayName("WL-24 every operation takes one round trip, batches too")
    void operation_any_takesOneRoundTrip() throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            JdbcWorkLease lease = JdbcWorkLease.builder(OneConnection.of(connection), "orders", 1)
                    .build();
            String token = acquire(lease, A, 1);

            assertOneRoundTrip(() -> lease.tryAcquire(A, 1));
            assertOneRoundTrip(() -> lease.tryAcquire(A, 2));
            assertOneRoundTrip(() -> lease.renew(A, token));
            assertOneRoundTrip(() -> lease.fail(A, token));
            assertOneRoundTrip(() -> lease.fail(A, token, 1));
            assertOneRoundTrip(() -> lease.inspect(A));
            assertOneRoundTrip(() -> lease.fail(A, token, new Failure(2, true, "why")));
            assertOneRoundTrip(() -> lease.failedWork(A, 10));
            assertOneRoundTrip(() -> lease.replay(A, 1));
            assertOneRoundTrip(() -> lease.backlogBehind(A, 2, 10));
            assertOneRoundTrip(() -> lease.pending(10, ""));
            assertOneRoundTrip(() -> lease.forget(A, 0));
            assertOneRoundTrip(() -> lease.tryAcquire(A, 2));
            String second = ((AcquireResult.AlreadyAcquired) lease.tryAcquire(A, 2)).token();
            assertOneRoundTrip(() -> lease.succeed(A, second));
            String third = acquire(lease, A, 1);
            lease.tryAcquire(A, 4);
            assertOneRoundTrip(() -> lease.succeedAndTakeNext(A, third));
            String fourth = ((AcquireResult.AlreadyAcquired) lease.tryAcquire(A, 4)).token();
            assertOneRoundTrip(() -> lease.release(A, fourth));
            List<Offer> offers = IntStream.range(0, 50)
                    .mapToObj(number -> new Offer("domain " + number, 1))
                    .toList();
            assertOneRoundTrip(() -> lease.tryAcquireAll(offers));
            List<BatchAnswer<AcquireResult>> held = lease.tryAcquireAll(offers);
            List<Finish> finishes = IntStream.range(0, 50)
                    .mapToObj(i -> new Finish(offers.get(i).domainId(), tokenOf(held.get(i))))
                    .toList();
            assertOneRoundTrip(() -> lease.renewAll(finishes));
            assertOneRoundTrip(() -> lease.succeedAll(finishes));
            assertThat(lease.succeedAll(finishes))
                    .allSatisfy(answer -> assertThat(answer.refusal()).isEmpty());
            assertOneRoundTrip(() -> lease.deleteFailed(Duration.ZERO));
            assertOneRoundTrip(() -> lease.deleteIdle(Duration.ofHours(1)));
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }

    private static String tokenOf(BatchAnswer<AcquireResult> held) {
        return ((AcquireResult.AlreadyAcquired) held.orThrow()).token();
    }

    private void assertOneRoundTrip(ThrowingCallable operation) {
        int before = relay.roundTrips();
        try {
            operation.call();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
        assertThat(relay.roundTrips() - before).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-23 WL-26 a lost reply says that the database is away, and asking again shows what had happened")
    void reply_lost_isRepeated() {
        try (HikariDataSource pool = TestDatabase.newPool(url)) {
            JdbcWorkLease lease = JdbcWorkLease.builder(pool, "orders", 1).build();

            assertReplyLost(() -> lease.tryAcquire(A, 1));
            assertThat(lease.tryAcquire(A, 1)).isInstanceOf(AcquireResult.AlreadyAcquired.class);
            String token = ((AcquireResult.AlreadyAcquired) lease.tryAcquire(A, 1)).token();

            assertReplyLost(() -> lease.tryAcquire(A, 2));
            assertThat(lease.inspect(A).orElseThrow().backlog()).containsExactly(2L);

            assertReplyLost(() -> lease.fail(A, token, 1));
            assertThat(lease.fail(A, token, 1)).isEqualTo(new FailResult.RetryScheduled(1));

            assertReplyLost(() -> lease.succeed(A, token));
            assertThat(lease.succeed(A, token)).isEqualTo(new SucceedResult.NextHint(2));
            assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(1);

            String next = acquire(lease, A, 2);
            lease.tryAcquire(A, 3);
            assertReplyLost(() -> lease.succeedAndTakeNext(A, next));
            TakeNextResult again = lease.succeedAndTakeNext(A, next);
            assertThat(again.succeeded()).isEqualTo(new SucceedResult.NextHint(3));
            assertThat(again.next().orElseThrow()).isEqualTo(lease.tryAcquire(A, 3));
            assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("WL-26 a finish that is cut at any byte of the conversation and asked again has happened once")
    void succeed_cutAtAnyByte_happensOnce(Direction direction) throws Exception {
        JdbcWorkLease direct =
                JdbcWorkLease.builder(database.pool(), "orders", 0).build();
        AtomicReference<Connection> next = new AtomicReference<>(DriverManager.getConnection(url));
        JdbcWorkLease cuttable = JdbcWorkLease.builder(OneConnection.from(next::get), "orders", 0)
                .build();
        int bytes = 0;
        boolean cut = false;
        do {
            String domain = "domain " + bytes;
            String token = acquire(direct, domain, 1);
            direct.tryAcquire(domain, 2);
            if (cut) {
                next.set(DriverManager.getConnection(url));
            }
            relay.cutAfter(direction, bytes);
            cut = isCut(() -> cuttable.succeed(domain, token));
            relay.heal();

            assertThat(direct.succeed(domain, token)).isEqualTo(new SucceedResult.NextHint(2));
            assertThat(direct.inspect(domain).orElseThrow().processedCount()).isEqualTo(1);
            bytes += CUT_STEP;
        } while (cut);
        next.get().close();
        assertThat(bytes).isGreaterThan(50);
    }

    /** Cuts the conversation. Returns whether it was long enough to be cut there. */
    private static boolean isCut(Runnable operation) {
        try {
            operation.run();
            return false;
        } catch (JdbcLeaseException cut) {
            assertThat(cut.reason()).isEqualTo(Reason.AWAY);
            return true;
        }
    }

    private void assertReplyLost(ThrowingCallable operation) {
        relay.loseNextReply();
        assertThatThrownBy(operation)
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        thrown -> assertThat(thrown.reason()).isEqualTo(Reason.AWAY));
    }

    private static String acquire(JdbcWorkLease lease, String domainId, long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire(domainId, offset)).token();
    }
}
