package io.tidegate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tests of a {@link WorkLease} with a custom clock and token source, well-behaved or not. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class WorkLeaseSourcesContract {
    private static final String A = "A";

    private final ManualClock time = new ManualClock();
    private LongSupplier clockSource = time::millis;
    private @Nullable TokenSource tokenSource;
    private int made;
    private WorkLease lease;

    /** For subclasses. */
    @SuppressWarnings("NullAway.Init") // the store is opened before each test
    protected WorkLeaseSourcesContract() {}

    /** Opens a fresh and empty store with this clock and these tokens. */
    protected abstract WorkLease open(int maxRetries, Clock clock, TokenSource tokens);

    @BeforeEach
    final void openStore() {
        lease = open(1, new SourceClock(), this::nextToken);
    }

    @Test
    @DisplayName("WL-5 WL-8 the token source gets domain, offset and the fence of the acquisition")
    void tokenSource_getsArguments() {
        tokenSource = (domainId, offset, fence) -> domainId + "/" + offset + "/" + fence;
        for (long offset : new long[] {7, Long.MIN_VALUE, Long.MAX_VALUE}) {
            AcquireResult.Acquired acquired = acquire(offset);
            assertEquals("A/" + offset + "/" + acquired.fence(), acquired.token());
            lease.succeed(A, acquired.token());
        }
    }

    @Test
    @DisplayName(
            "WL-7 the date is the clock's at the first acquisition, whatever time does later; a replay is dated anew")
    void acquiredAt_isSetOnce() {
        time.set(Instant.ofEpochMilli(5_000));
        AcquireResult.Acquired acquired = acquire(1);
        time.advance(Duration.ofHours(1));
        lease.fail(A, acquired.token());
        lease.tryAcquire(A, 1);
        assertEquals(5_000, leased().acquiredAtMillis());
        time.set(Instant.ofEpochMilli(-1));
        assertEquals(5_000, leased().acquiredAtMillis());
        lease.fail(A, acquired.token());

        lease.replay(A, 1);
        acquire(1);
        assertEquals(-1, leased().acquiredAtMillis());
        assertEquals(0, leased().retryCount());
    }

    @Test
    @DisplayName("WL-7 an offset that waited is dated when it is acquired, not when it came")
    void acquiredAt_ofTheHead_isTheAcquisitions() {
        AcquireResult.Acquired first = acquire(1);
        lease.tryAcquire(A, 2);
        time.advance(Duration.ofMillis(30));
        lease.succeed(A, first.token());
        acquire(2);
        assertEquals(30, leased().acquiredAtMillis());
    }

    @Test
    @DisplayName("WL-5 a clock that throws: a domain that is new stays unknown, one with a backlog keeps its head")
    void clock_throws_nothingChanged() {
        RuntimeException failure = new UnsupportedOperationException("no time");
        assertNothingChanges(
                () -> clockSource = () -> {
                    throw failure;
                },
                failure);
    }

    @Test
    @DisplayName("WL-5 the same with an error")
    void clock_throwsError_nothingChanged() {
        Error failure = new AssertionError("no time at all");
        assertNothingChanges(
                () -> clockSource = () -> {
                    throw failure;
                },
                failure);
    }

    @Test
    @DisplayName("WL-5 a token source that throws")
    void tokens_throw_nothingChanged() {
        RuntimeException failure = new UnsupportedOperationException("no token");
        assertNothingChanges(
                () -> tokenSource = (domainId, offset, fence) -> {
                    throw failure;
                },
                failure);
    }

    @Test
    @DisplayName("WL-5 a token source that gives null")
    @SuppressWarnings("NullAway") // null is what is tested
    void tokens_null_nothingChanged() {
        assertNothingChanges(() -> tokenSource = (domainId, offset, fence) -> null, null);
    }

    @Test
    @DisplayName("WL-5 a token source that gives the empty token, which finishes nothing")
    void tokens_empty_nothingChanged() {
        assertNothingChanges(() -> tokenSource = (domainId, offset, fence) -> "", null);
    }

    @Test
    @DisplayName("WL-5 a token source that gives the domain's previous token, which another domain may have")
    void tokens_previous_nothingChanged() {
        tokenSource = (domainId, offset, fence) -> "same";
        lease.succeed(A, acquire(1).token());
        assertRefused(2, null);
        assertEquals(
                "same",
                assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire("B", 1))
                        .token());
        tokenSource = (domainId, offset, fence) -> new String(new char[] {'s', 'a', 'm', 'e'});
        assertRefused(2, null);
        lease.forget(A, 1);
        assertRefused(2, null);
        tokenSource = null;
        acquire(2);
    }

    /**
     * Checks a new domain, an idle one, and one with a head; afterwards everything goes on as if nothing had happened.
     */
    private void assertNothingChanges(Runnable breakSource, @Nullable Throwable failure) {
        breakSource.run();
        assertRefused(1, failure);
        assertEquals(Optional.empty(), lease.inspect(A));

        repair();
        lease.succeed(A, acquire(0).token());
        breakSource.run();
        assertRefused(1, failure);

        repair();
        AcquireResult.Acquired first = acquire(1);
        lease.tryAcquire(A, 2);
        lease.tryAcquire(A, 3);
        breakSource.run();
        assertEquals("ALREADY_ACQUIRED", lease.tryAcquire(A, 1).code());
        assertEquals("ENQUEUED", lease.tryAcquire(A, 3).code());
        assertEquals(new SucceedResult.NextHint(2), lease.succeed(A, first.token()));
        assertRefused(2, failure);
        assertRefused(2, failure);
        assertThrows(BacklogOrderingException.class, () -> lease.tryAcquire(A, 3));
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 1).code());

        repair();
        AcquireResult.Acquired second = acquire(2);
        assertTrue(second.fence() > first.fence());
        assertEquals(List.of(3L), snapshot().backlog());
        assertEquals(new FailResult.RetryScheduled(1), lease.fail(A, second.token()));
        assertEquals(new FailResult.GiveUpNextHint(3), lease.fail(A, second.token()));
    }

    private void assertRefused(long offset, @Nullable Throwable failure) {
        Optional<DomainSnapshot> before = lease.inspect(A);
        Throwable thrown = assertThrows(Throwable.class, () -> lease.tryAcquire(A, offset));
        if (failure != null) {
            assertSame(failure, thrown);
        } else {
            assertInstanceOf(RuntimeException.class, thrown);
        }
        assertEquals(before, lease.inspect(A));
    }

    private void repair() {
        clockSource = time::millis;
        tokenSource = null;
    }

    @Test
    @DisplayName(
            "WL-5 nothing is locked meanwhile: another thread uses the domain while the clock or token source is busy")
    void sources_busy_domainIsFree() throws Exception {
        for (boolean inClock : new boolean[] {true, false}) {
            String other = inClock ? "clock" : "tokens";
            assertEquals(
                    "ACQUIRED",
                    during(
                                    inClock,
                                    () -> {
                                        lease.inspect(other);
                                        lease.forget(other, -1);
                                        lease.replay(other, 5);
                                        return lease.tryAcquire("not " + other, 1)
                                                .code();
                                    },
                                    () -> lease.tryAcquire(other, 1))
                            .code());
        }
    }

    @Test
    @DisplayName("WL-5 the state is looked at again: the offset was acquired meanwhile")
    void sources_busy_offsetAcquiredMeanwhile() throws Exception {
        AcquireResult late = during(false, () -> acquire(1).token(), () -> lease.tryAcquire(A, 1));
        assertEquals(new AcquireResult.AlreadyAcquired(leased().token(), leased().fence()), late);
    }

    @Test
    @DisplayName("WL-5 the state is looked at again: another offset was acquired meanwhile")
    void sources_busy_anotherAcquiredMeanwhile() throws Exception {
        for (boolean inClock : new boolean[] {true, false}) {
            long offset = inClock ? 1 : 10;
            String[] token = new String[1];
            AcquireResult late = during(
                    inClock,
                    () -> {
                        token[0] = acquire(offset + 1).token();
                        return "";
                    },
                    () -> lease.tryAcquire(A, offset));
            assertEquals(new AcquireResult.Enqueued(), late);
            assertEquals(new SucceedResult.NextHint(offset), lease.succeed(A, token[0]));
            lease.succeed(A, acquire(offset).token());
        }
    }

    @Test
    @DisplayName("WL-5 the state is looked at again: the offset was processed, or failed, or forgotten meanwhile")
    void sources_busy_offsetEndedMeanwhile() throws Exception {
        assertEquals(
                new AcquireResult.AlreadyProcessed(),
                during(false, () -> lease.succeed(A, acquire(1).token()).code(), () -> lease.tryAcquire(A, 1)));
        assertEquals(
                new AcquireResult.AlreadyFailed(),
                during(
                        false,
                        () -> {
                            String token = acquire(2).token();
                            lease.fail(A, token);
                            return lease.fail(A, token).code();
                        },
                        () -> lease.tryAcquire(A, 2)));
        assertEquals(
                new AcquireResult.AlreadyProcessed(),
                during(
                        true,
                        () -> {
                            lease.forget(A, 50);
                            return "";
                        },
                        () -> lease.tryAcquire(A, 3)));
        assertEquals(1, snapshot().processedCount());
    }

    @Test
    @DisplayName("WL-5 WL-8 others came and went meanwhile: acquired, with a fence above theirs and a token of its own")
    void sources_busy_othersCameAndWent() throws Exception {
        long[] fence = new long[1];
        AcquireResult late = during(
                false,
                () -> {
                    AcquireResult.Acquired other = acquire(2);
                    fence[0] = other.fence();
                    return lease.succeed(A, other.token()).code();
                },
                () -> lease.tryAcquire(A, 1));
        AcquireResult.Acquired acquired = assertInstanceOf(AcquireResult.Acquired.class, late);
        assertTrue(acquired.fence() > fence[0], "fence: " + acquired.fence() + " (expected: > " + fence[0] + ")");
        assertEquals(acquired.token(), leased().token());
        assertEquals(acquired.fence(), leased().fence());
    }

    @Test
    @DisplayName("WL-4 WL-5 a head appeared meanwhile: out of order, nothing changed")
    void sources_busy_headAppearedMeanwhile() throws Exception {
        String token = acquire(1).token();
        lease.fail(A, token);
        lease.fail(A, token);
        BacklogOrderingException refused = assertThrows(
                BacklogOrderingException.class,
                () -> during(false, () -> "" + lease.replay(A, 1), () -> lease.tryAcquire(A, 2)));
        assertEquals(1, refused.expected());
        assertEquals(List.of(1L), snapshot().backlog());
        assertEquals(Optional.empty(), snapshot().lease());
    }

    @Test
    @DisplayName("WL-5 a source may use the leases itself")
    void sources_reenter() {
        tokenSource = (domainId, offset, fence) -> {
            tokenSource = null;
            return "outer " + lease.tryAcquire(A, 1).code();
        };
        AcquireResult.AlreadyAcquired answer =
                assertInstanceOf(AcquireResult.AlreadyAcquired.class, lease.tryAcquire(A, 1));
        assertEquals(leased().token(), answer.token());
        assertEquals(leased().fence(), answer.fence());
    }

    /** Runs a call on another thread, once, while an operation calls the clock or the token source. */
    private AcquireResult during(boolean inClock, Supplier<String> meanwhile, Supplier<AcquireResult> operation)
            throws Exception {
        Runnable once = () -> {
            repair();
            assertTrue(CompletableFuture.supplyAsync(meanwhile)
                            .orTimeout(5, TimeUnit.MINUTES)
                            .join()
                    != null);
        };
        if (inClock) {
            clockSource = () -> {
                once.run();
                return time.millis();
            };
        } else {
            tokenSource = (domainId, offset, fence) -> {
                String token = "slow " + made++;
                once.run();
                return token;
            };
        }
        return operation.get();
    }

    private AcquireResult.Acquired acquire(long offset) {
        return assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire(A, offset));
    }

    private DomainSnapshot snapshot() {
        return lease.inspect(A).orElseThrow(() -> new AssertionError("the domain is not known"));
    }

    private LeaseRecord leased() {
        return snapshot().lease().orElseThrow(() -> new AssertionError("nothing is leased"));
    }

    private String nextToken(String domainId, long offset, long fence) {
        TokenSource source = tokenSource;
        return source == null ? "token " + made++ : source.next(domainId, offset, fence);
    }

    private final class SourceClock extends Clock {
        @Override
        public long millis() {
            return clockSource.getAsLong();
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
