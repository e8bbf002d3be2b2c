package io.tidegate.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * The tests that every {@link WorkLease} must pass, in memory or on an engine, with one owner and leases that do not
 * run out meanwhile. Subclass it with your own store, or {@link SharedWorkLeaseContract} if that is an engine; where
 * the clock and the tokens can be chosen, subclass {@link WorkLeaseSourcesContract} too.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class WorkLeaseContract {
    private static final String A = "A";
    private static final String B = "B";
    private static final int MAX_RETRIES = 2;

    /** For subclasses. */
    protected WorkLeaseContract() {}

    /** Opens a fresh and empty store. */
    protected abstract WorkLease open(int maxRetries);

    /**
     * Reopens the store behind these leases, as a restarted process does. Returns its argument by default, which is
     * right for a store that stores nothing.
     */
    protected WorkLease restart(WorkLease lease) {
        return lease;
    }

    /**
     * Whether the last finish of a domain, repeated with its token, gives the same answer again (WL-23), as it does on
     * engines.
     */
    protected boolean repeatsLastFinish() {
        return false;
    }

    /** The length of the backlog in the test for de-duplication. */
    protected int longBacklog() {
        return 100_000;
    }

    // The seed's sanity scenarios

    @Test
    @DisplayName("seed scenario 1: happy path")
    void scenario_happyPath() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        assertEquals(new SucceedResult.NoBacklog(), lease.succeed(A, token));
        assertDomain(lease, A, List.of(), 1, 0);
    }

    @Test
    @DisplayName("seed scenario 2: queue, then orchestrated hand-off")
    void scenario_queueThenHandOff() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        assertEquals(new AcquireResult.Enqueued(), lease.tryAcquire(A, 2));
        assertEquals(new SucceedResult.NextHint(2), lease.succeed(A, token));
        assertDomain(lease, A, List.of(2L), 1, 0);
        acquire(lease, A, 2);
        assertLeased(lease, A, 2, List.of());
    }

    @Test
    @DisplayName("seed scenario 3, WL-4: out of order on an idle domain is refused, and not enqueued")
    void scenario_outOfOrder() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        lease.tryAcquire(A, 2);
        lease.succeed(A, token);

        BacklogOrderingException refused =
                assertUnchanged(lease, A, BacklogOrderingException.class, () -> lease.tryAcquire(A, 3));

        assertEquals(A, refused.domainId());
        assertEquals(2, refused.expected());
        assertEquals(3, refused.got());
        acquire(lease, A, 2);
    }

    @Test
    @DisplayName("seed scenario 4, WL-7: a retry keeps lease, token and date")
    void scenario_retry() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        LeaseRecord first = leaseOf(lease, A);
        assertEquals(new FailResult.RetryScheduled(1), lease.fail(A, token));
        assertEquals(withRetries(first, 1), leaseOf(lease, A));
        assertEquals(new AcquireResult.AlreadyAcquired(token, first.fence(), 1), lease.tryAcquire(A, 1));
    }

    @Test
    @DisplayName("seed scenario 5: final give-up, with and without a backlog")
    void scenario_finalGiveUp() {
        WorkLease lease = open(0);
        assertEquals(new FailResult.GiveUpNoBacklog(), lease.fail(A, acquire(lease, A, 1)));
        assertDomain(lease, A, List.of(), 0, 1);
        String token = acquire(lease, A, 2);
        lease.tryAcquire(A, 3);
        assertEquals(new FailResult.GiveUpNextHint(3), lease.fail(A, token));
        assertDomain(lease, A, List.of(3L), 0, 2);
        assertEquals(new AcquireResult.AlreadyFailed(), lease.tryAcquire(A, 1));
    }

    @Test
    @DisplayName(
            "seed scenario 6: a terminal offset answers ALREADY_*, idle, leased or with a queue, and is never enqueued")
    void scenario_idempotence() {
        WorkLease lease = open(0);
        lease.succeed(A, acquire(lease, A, 1));
        lease.fail(A, acquire(lease, A, 2));
        assertTerminal(lease, List.of());
        String token = acquire(lease, A, 3);
        assertTerminal(lease, List.of());
        lease.tryAcquire(A, 4);
        assertTerminal(lease, List.of(4L));
        lease.succeed(A, token);
        assertTerminal(lease, List.of(4L));
    }

    private static void assertTerminal(WorkLease lease, List<Long> backlog) {
        assertEquals(new AcquireResult.AlreadyProcessed(), lease.tryAcquire(A, 1));
        assertEquals(new AcquireResult.AlreadyFailed(), lease.tryAcquire(A, 2));
        assertEquals(backlog, snapshot(lease, A).backlog());
    }

    // The seed's invariants

    @Test
    @DisplayName("seed invariant 1: a single unit in flight")
    void invariant_singleInFlight() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        for (long offset = 2; offset < 20; offset++) {
            assertEquals(new AcquireResult.Enqueued(), lease.tryAcquire(A, offset));
            assertEquals(1, leaseOf(lease, A).currentOffset());
            assertEquals(token, leaseOf(lease, A).token());
        }
    }

    @Test
    @DisplayName("seed invariant 2, WL-2: an offset is in one place at a time")
    void invariant_disjointness() {
        WorkLease lease = open(0);
        String token = acquire(lease, A, 1);
        lease.tryAcquire(A, 2);
        lease.tryAcquire(A, 2);
        lease.tryAcquire(A, 1);
        assertLeased(lease, A, 1, List.of(2L));
        lease.succeed(A, token);
        assertDomain(lease, A, List.of(2L), 1, 0);
        token = acquire(lease, A, 2);
        lease.tryAcquire(A, 1);
        lease.tryAcquire(A, 2);
        assertLeased(lease, A, 2, List.of());
        lease.fail(A, token);
        assertDomain(lease, A, List.of(), 1, 1);
        lease.replay(A, 2);
        assertDomain(lease, A, List.of(2L), 1, 0);
        lease.succeed(A, acquire(lease, A, 2));
        assertDomain(lease, A, List.of(), 2, 0);
    }

    @Test
    @DisplayName("seed invariant 3, WL-2: the backlog is drained by its head alone, in the order of arrival")
    void invariant_fifo() {
        WorkLease lease = open(MAX_RETRIES);
        List<Long> arrival = List.of(5L, -3L, 400L, 4L, Long.MAX_VALUE, 0L, Long.MIN_VALUE);
        String token = acquire(lease, A, 7);
        arrival.forEach(offset -> lease.tryAcquire(A, offset));
        assertEquals(arrival, snapshot(lease, A).backlog());
        for (int i = 0; i < arrival.size(); i++) {
            long head = arrival.get(i);
            assertEquals(new SucceedResult.NextHint(head), lease.succeed(A, token));
            for (Long later : arrival.subList(i + 1, arrival.size())) {
                assertUnchanged(lease, A, BacklogOrderingException.class, () -> lease.tryAcquire(A, later));
            }
            token = acquire(lease, A, head);
        }
        assertEquals(new SucceedResult.NoBacklog(), lease.succeed(A, token));
    }

    @Test
    @DisplayName("seed invariant 4, WL-3: a failed offset offered while another is leased never blocks the head")
    void invariant_idempotence() {
        WorkLease lease = open(0);
        lease.fail(A, acquire(lease, A, 1));
        String token = acquire(lease, A, 2);
        assertEquals(new AcquireResult.AlreadyFailed(), lease.tryAcquire(A, 1));
        assertEquals(new SucceedResult.NoBacklog(), lease.succeed(A, token));
        acquire(lease, A, 3);
    }

    @Test
    @DisplayName("seed invariant 5, WL-9: only the token of the lease finishes it")
    void invariant_tokenFencing() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        for (String other : new String[] {token + "x", token.substring(1), token.toUpperCase(Locale.ROOT) + "X", " "}) {
            assertMismatch(lease, token, other);
        }
        String equal = String.copyValueOf(token.toCharArray());
        assertEquals(new FailResult.RetryScheduled(1), lease.fail(A, equal));
        assertEquals(new SucceedResult.NoBacklog(), lease.succeed(A, equal));
    }

    @Test
    @DisplayName(
            "seed invariant 6, WL-11: creation is serialized: of many who ask first, one acquires and nobody is lost")
    void invariant_stableMonitor() throws Exception {
        WorkLease lease = open(MAX_RETRIES);
        int threads = 8;
        for (int round = 0; round < 20; round++) {
            String domain = "round " + round;
            List<AcquireResult> answers = new ArrayList<>();
            for (Future<AcquireResult> answer : together(threads, number -> lease.tryAcquire(domain, number))) {
                answers.add(answer.get());
            }
            assertEquals(
                    1,
                    answers.stream()
                            .filter(AcquireResult.Acquired.class::isInstance)
                            .count());
            assertEquals(
                    threads - 1,
                    answers.stream()
                            .filter(AcquireResult.Enqueued.class::isInstance)
                            .count());
            Set<Long> all = new HashSet<>(snapshot(lease, domain).backlog());
            assertTrue(all.add(leaseOf(lease, domain).currentOffset()));
            assertEquals(threads, all.size());
        }
    }

    // Rules

    @Test
    @DisplayName("WL-1 terminal comes before the lease, the lease before the head of the backlog")
    void tryAcquire_checksInOrder() {
        WorkLease lease = open(0);
        lease.succeed(A, acquire(lease, A, 1));
        lease.fail(A, acquire(lease, A, 2));
        String token = acquire(lease, A, 3);
        lease.tryAcquire(A, 4);
        lease.tryAcquire(A, 5);
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 1).code());
        assertEquals("ALREADY_FAILED", lease.tryAcquire(A, 2).code());
        assertEquals("ALREADY_ACQUIRED", lease.tryAcquire(A, 3).code());
        assertEquals("ENQUEUED", lease.tryAcquire(A, 5).code());
        lease.succeed(A, token);
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 3).code());
        assertEquals("ALREADY_FAILED", lease.tryAcquire(A, 2).code());
        assertUnchanged(lease, A, BacklogOrderingException.class, () -> lease.tryAcquire(A, 5));
        assertEquals("ACQUIRED", lease.tryAcquire(A, 4).code());
    }

    @Test
    @DisplayName("WL-6 with m retries, fails 1 to m are retried and fail m + 1 gives up")
    void fail_maxRetries_counts() {
        for (int maxRetries = 0; maxRetries < 5; maxRetries++) {
            WorkLease lease = open(maxRetries);
            String token = acquire(lease, A, 1);
            for (int retry = 1; retry <= maxRetries; retry++) {
                assertEquals(new FailResult.RetryScheduled(retry), lease.fail(A, token));
                assertEquals(retry, leaseOf(lease, A).retryCount());
            }
            assertEquals(new FailResult.GiveUpNoBacklog(), lease.fail(A, token));
            assertDomain(lease, A, List.of(), 0, 1);
        }
    }

    @Test
    @DisplayName("WL-6 success after retries is success; the next offset has all its retries before it")
    void fail_thenSucceed_startsAfresh() {
        WorkLease lease = open(1);
        String token = acquire(lease, A, 1);
        lease.fail(A, token);
        lease.succeed(A, token);
        assertEquals(new FailResult.RetryScheduled(1), lease.fail(A, acquire(lease, A, 2)));
        assertDomainCounts(lease, A, 1, 0);
    }

    @Test
    @DisplayName("WL-6 the largest number of retries is fine, a negative one is misuse")
    void open_boundaries() {
        WorkLease lease = open(Integer.MAX_VALUE);
        String token = acquire(lease, A, 1);
        for (int retry = 1; retry < 5; retry++) {
            assertEquals(new FailResult.RetryScheduled(retry), lease.fail(A, token));
        }
        assertThrows(IllegalArgumentException.class, () -> open(-1));
        assertThrows(IllegalArgumentException.class, () -> open(Integer.MIN_VALUE));
    }

    @Test
    @DisplayName("WL-7 a replayed offset starts afresh: another token, a greater fence, no retries behind it")
    void replay_acquired_startsAfresh() {
        WorkLease lease = open(1);
        String first = acquire(lease, A, 1);
        long fence = leaseOf(lease, A).fence();
        lease.fail(A, first);
        lease.fail(A, first);
        assertTrue(lease.replay(A, 1));
        String second = acquire(lease, A, 1);

        assertNotEquals(first, second);
        assertTrue(leaseOf(lease, A).fence() > fence);
        assertEquals(0, leaseOf(lease, A).retryCount());
        assertEquals(new FailResult.RetryScheduled(1), lease.fail(A, second));
        assertFinishRefused(lease, first);
        assertEquals(new FailResult.GiveUpNoBacklog(), lease.fail(A, second));
    }

    @Test
    @DisplayName("WL-8 the fence rises with every acquisition, also after forget and replay and a restart")
    void fence_rises() {
        WorkLease lease = open(0);
        long last = Long.MIN_VALUE;
        for (long offset = 1; offset <= 5; offset++) {
            last = assertFenceAbove(last, lease, offset);
            lease.succeed(A, leaseOf(lease, A).token());
        }
        last = assertFenceAbove(last, lease, 6);
        lease.fail(A, leaseOf(lease, A).token());
        lease.forget(A, 10);
        lease = restart(lease);
        last = assertFenceAbove(last, lease, 11);
        lease.succeed(A, leaseOf(lease, A).token());
        lease.replay(A, 6);
        last = assertFenceAbove(last, lease, 6);
        lease.succeed(A, leaseOf(lease, A).token());
        lease.forget(A, Long.MAX_VALUE - 1);
        assertFenceAbove(last, restart(lease), Long.MAX_VALUE);
    }

    private static long assertFenceAbove(long last, WorkLease lease, long offset) {
        AcquireResult.Acquired acquired = assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire(A, offset));
        assertTrue(acquired.fence() > last, "fence: " + acquired.fence() + " (expected: > " + last + ")");
        assertEquals(acquired.fence(), leaseOf(lease, A).fence());
        return acquired.fence();
    }

    @Test
    @DisplayName(
            "WL-8 the default token contains the fence, and neither a second store nor a second domain makes the same")
    void token_default_containsFenceAndIsNotGuessed() {
        Set<String> seen = new HashSet<>();
        for (int stores = 0; stores < 2; stores++) {
            WorkLease lease = open(MAX_RETRIES);
            for (String domain : List.of(A, B)) {
                for (long offset = 1; offset <= 20; offset++) {
                    AcquireResult.Acquired acquired =
                            assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire(domain, offset));
                    String fence = Long.toString(acquired.fence());
                    assertTrue(acquired.token().contains(fence), acquired.token() + " contains " + fence);
                    assertTrue(acquired.token().length() >= fence.length() + 11, "64 bits or more beside the fence");
                    assertTrue(seen.add(acquired.token()), "the same token twice");
                    lease.succeed(domain, acquired.token());
                }
            }
        }
    }

    @Test
    @DisplayName("WL-9 finishing without a lease: refused, and no domain is made")
    void finish_withoutLease_isRefused() {
        WorkLease lease = open(MAX_RETRIES);
        for (String token : new @Nullable String[] {"token", "", null}) {
            assertThrows(LeaseNotFoundException.class, () -> succeed(lease, token));
            assertThrows(LeaseNotFoundException.class, () -> fail(lease, token));
            assertEquals(Optional.empty(), lease.inspect(A));
        }
        assertFalse(lease.replay(A, 1));
        assertEquals(Optional.empty(), lease.inspect(A));
    }

    @Test
    @DisplayName(
            "WL-9 finishing what is finished: refused on an idle domain, or WL-23 answered as before; nothing changes")
    void finish_again_changesNothing() {
        WorkLease lease = open(0);
        String succeeded = acquire(lease, A, 1);
        lease.tryAcquire(A, 2);
        SucceedResult first = lease.succeed(A, succeeded);
        DomainSnapshot before = snapshot(lease, A);
        if (repeatsLastFinish()) {
            assertEquals(first, lease.succeed(A, succeeded));
        } else {
            assertThrows(LeaseNotFoundException.class, () -> lease.succeed(A, succeeded));
            assertThrows(LeaseNotFoundException.class, () -> lease.fail(A, succeeded));
        }
        assertThrows(LeaseNotFoundException.class, () -> lease.succeed(A, "another"));
        assertEquals(before, snapshot(lease, A));
    }

    @Test
    @DisplayName(
            "WL-9 finishing with another token, null or empty: refused, and the message does not reveal the live one")
    void finish_otherToken_isRefused() {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        String elsewhere = acquire(lease, B, 1);
        for (String other : new @Nullable String[] {"another", elsewhere, "", null}) {
            assertMismatch(lease, token, other);
        }
        lease.succeed(A, token);
        String next = acquire(lease, A, 2);
        assertFinishRefused(lease, token);
        assertEquals(new SucceedResult.NoBacklog(), lease.succeed(A, next));
    }

    @Test
    @DisplayName("WL-9 offsets compare by value, at both ends of their range too")
    void offsets_compareByValue() {
        long[] offsets = {0, -1, 127, 128, -128, -129, 1_000_000, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE};
        WorkLease lease = open(0);
        String token = acquire(lease, A, 55);
        for (long offset : offsets) {
            assertEquals("ENQUEUED", lease.tryAcquire(A, offset).code());
            assertEquals("ENQUEUED", lease.tryAcquire(A, offset).code());
        }
        assertEquals(offsets.length, snapshot(lease, A).backlog().size());
        lease.succeed(A, token);
        for (int i = 0; i < offsets.length; i++) {
            token = acquire(lease, A, offsets[i]);
            assertEquals("ALREADY_ACQUIRED", lease.tryAcquire(A, offsets[i]).code());
            if (i % 2 == 0) {
                lease.succeed(A, token);
            } else {
                lease.fail(A, token);
            }
        }
        for (int i = 0; i < offsets.length; i++) {
            assertEquals(
                    i % 2 == 0 ? "ALREADY_PROCESSED" : "ALREADY_FAILED",
                    lease.tryAcquire(A, offsets[i]).code());
        }
        assertDomain(lease, A, List.of(), 1 + offsets.length / 2, offsets.length / 2);
    }

    @Test
    @DisplayName("WL-10 result codes")
    void codes_areStable() {
        assertAll(
                () -> assertEquals("ACQUIRED", new AcquireResult.Acquired("t", 1).code()),
                () -> assertEquals("ALREADY_ACQUIRED", new AcquireResult.AlreadyAcquired("t", 1).code()),
                () -> assertEquals("ENQUEUED", new AcquireResult.Enqueued().code()),
                () -> assertEquals("ALREADY_PROCESSED", new AcquireResult.AlreadyProcessed().code()),
                () -> assertEquals("ALREADY_FAILED", new AcquireResult.AlreadyFailed().code()),
                () -> assertEquals("HELD_ELSEWHERE", new AcquireResult.HeldElsewhere("o", 1).code()),
                () -> assertEquals("NO_BACKLOG", new SucceedResult.NoBacklog().code()),
                () -> assertEquals("NEXT_HINT", new SucceedResult.NextHint(1).code()),
                () -> assertEquals("RETRY_SCHEDULED", new FailResult.RetryScheduled(1).code()),
                () -> assertEquals("GIVE_UP_NO_BACKLOG", new FailResult.GiveUpNoBacklog().code()),
                () -> assertEquals("GIVE_UP_NEXT_HINT", new FailResult.GiveUpNextHint(1).code()));
    }

    @Test
    @DisplayName("WL-11 domains are independent, whatever their names look like")
    void domains_areIndependent() {
        WorkLease lease = open(0);
        List<String> names = List.of(
                "a",
                "A",
                " ",
                " a",
                "a ",
                "Aa",
                "BB",
                "a:b",
                "a/b",
                "{a}",
                "a*",
                "%",
                "_",
                "'; --",
                "\"",
                "\\",
                "a\nb",
                "\u0001",
                "ü",
                "u\u0308",
                "日本",
                "\ud83d\ude80",
                "null",
                "x".repeat(200));
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Optional.empty(), lease.inspect(names.get(i)), names.get(i));
            tokens.add(acquire(lease, names.get(i), i));
            lease.tryAcquire(names.get(i), -1 - i);
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            assertEquals(name, snapshot(lease, name).domainId());
            assertLeased(lease, name, i, List.of(-1L - i));
            assertEquals(new SucceedResult.NextHint(-1 - i), lease.succeed(name, tokens.get(i)));
            BacklogOrderingException refused =
                    assertThrows(BacklogOrderingException.class, () -> lease.tryAcquire(name, 1_000));
            assertEquals(name, refused.domainId());
        }
    }

    @Test
    @DisplayName("WL-11 operations on a domain are linearizable: the recorded history of many threads has no fault")
    void manyThreads_recorded_nothingWrong() throws Exception {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(open(1));
        int threads = 4;
        for (Future<AcquireResult> done : together(threads, number -> {
            CarelessWorker.run(lease, List.of(A, B), number, 150);
            return new AcquireResult.Enqueued();
        })) {
            done.get();
        }
        LeaseRules rules = repeatsLastFinish() ? LeaseRules.ENGINE : LeaseRules.IN_MEMORY;
        assertEquals(Optional.empty(), history.check(rules));
        assertTrue(history.lines().size() > 2 * threads * 150);
    }

    @Test
    @DisplayName("WL-12 a long backlog keeps its order and takes nothing twice")
    void backlog_long_isDeduplicated() {
        WorkLease lease = open(MAX_RETRIES);
        int length = longBacklog();
        String token = acquire(lease, A, -1);
        for (int round = 0; round < 2; round++) {
            for (long offset = length - 1L; offset >= 0; offset--) {
                lease.tryAcquire(A, offset);
            }
        }
        List<Long> first = LongStream.rangeClosed(1, Math.min(length, DomainSnapshot.MOST_BACKLOG))
                .mapToObj(place -> length - place)
                .toList();
        assertEquals(first, snapshot(lease, A).backlog());
        for (long head = length - 1L; head > length - 100; head--) {
            assertEquals(new SucceedResult.NextHint(head), lease.succeed(A, token));
            token = acquire(lease, A, head);
        }
    }

    @Test
    @DisplayName(
            "WL-13 after forget, offsets up to it are done, seen or not; those above are not, and nothing is counted")
    void forget_upTo_isProcessed() {
        WorkLease lease = open(0);
        lease.succeed(A, acquire(lease, A, 5));
        lease.succeed(A, acquire(lease, A, 200));
        lease.forget(A, 100);
        assertDomain(lease, A, List.of(), 2, 0);
        for (long offset : new long[] {5, 6, 100, 0, -1, Long.MIN_VALUE, 200}) {
            assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, offset).code(), "offset " + offset);
        }
        lease.forget(A, 50);
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 99).code(), "forgetting less takes nothing back");
        acquire(lease, A, 101);
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 7).code(), "also while another is leased");
        assertEquals(List.of(), snapshot(lease, A).backlog());
    }

    @Test
    @DisplayName("WL-13 forget leaves what is leased, queued or failed, until that is done")
    void forget_leasedQueuedFailed_stays() {
        WorkLease lease = open(0);
        lease.fail(A, acquire(lease, A, 1));
        String token = acquire(lease, A, 2);
        lease.tryAcquire(A, 3);
        LeaseRecord before = leaseOf(lease, A);
        lease.forget(A, Long.MAX_VALUE);
        assertEquals(before, leaseOf(lease, A));
        assertEquals(1, snapshot(lease, A).failedCount());
        assertEquals("ALREADY_FAILED", lease.tryAcquire(A, 1).code());
        assertEquals("ALREADY_ACQUIRED", lease.tryAcquire(A, 2).code());
        assertEquals("ENQUEUED", lease.tryAcquire(A, 3).code());
        assertEquals(List.of(3L), snapshot(lease, A).backlog());
        assertEquals(new SucceedResult.NextHint(3), lease.succeed(A, token));
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 2).code());
        lease.fail(A, acquire(lease, A, 3));
        assertEquals("ALREADY_FAILED", lease.tryAcquire(A, 3).code());
        assertTrue(lease.replay(A, 1));
        lease.succeed(A, acquire(lease, A, 1));
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 1).code());
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, Long.MAX_VALUE).code());
        assertDomain(lease, A, List.of(), 2, 1);
    }

    @Test
    @DisplayName("WL-13 forgetting makes a domain known; its lowest end forgets one offset, its highest all")
    void forget_unknownDomain_isRemembered() {
        WorkLease lease = open(0);
        lease.forget(A, Long.MIN_VALUE);
        assertDomain(lease, A, List.of(), 0, 0);
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, Long.MIN_VALUE).code());
        lease.succeed(A, acquire(lease, A, Long.MIN_VALUE + 1));
        lease.forget(B, Long.MAX_VALUE);
        for (long offset : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            assertEquals("ALREADY_PROCESSED", lease.tryAcquire(B, offset).code());
        }
    }

    @Test
    @DisplayName("WL-13 many offsets, ascending with gaps, descending and far apart, are each remembered")
    void processed_anyPattern_isRemembered() {
        WorkLease lease = open(0);
        Set<Long> done = new HashSet<>();
        for (long i = 0; i < 300; i++) {
            finish(lease, done, i);
            finish(lease, done, 1_000 + 3 * i);
            finish(lease, done, -i * 64);
            finish(lease, done, (i << 33) + i);
        }
        for (long offset : done) {
            assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, offset).code());
        }
        assertDomain(lease, A, List.of(), done.size(), 0);
        acquire(lease, A, 1_001);
        assertEquals("ENQUEUED", lease.tryAcquire(A, 1_002).code());
        assertEquals("ENQUEUED", lease.tryAcquire(A, -63).code());
    }

    private static void finish(WorkLease lease, Set<Long> done, long offset) {
        if (done.add(offset)) {
            lease.succeed(A, acquire(lease, A, offset));
        }
    }

    @Test
    @DisplayName("WL-13 a replay goes to the tail, on an idle domain too, and only a failed offset is replayed")
    void replay_failed_isWorkAtTheTail() {
        WorkLease lease = open(0);
        lease.fail(A, acquire(lease, A, 1));
        String token = acquire(lease, A, 2);
        lease.tryAcquire(A, 3);
        assertFalse(lease.replay(A, 2), "leased");
        assertFalse(lease.replay(A, 3), "queued");
        assertFalse(lease.replay(A, 4), "unknown");
        assertTrue(lease.replay(A, 1));
        assertFalse(lease.replay(A, 1), "replayed");
        assertEquals("ENQUEUED", lease.tryAcquire(A, 1).code());
        assertEquals(List.of(3L, 1L), snapshot(lease, A).backlog());
        assertEquals(0, snapshot(lease, A).failedCount());
        lease.succeed(A, token);
        assertFalse(lease.replay(A, 2), "processed");
        lease.fail(A, acquire(lease, A, 3));
        lease.succeed(A, acquire(lease, A, 1));

        assertTrue(lease.replay(A, 3));
        assertDomain(lease, A, List.of(3L), 2, 0);
        assertUnchanged(lease, A, BacklogOrderingException.class, () -> lease.tryAcquire(A, 9));
        acquire(lease, A, 3);
    }

    @Test
    @DisplayName("WL-14 null and empty domains are misuse, in every operation")
    void domain_nullOrEmpty_isMisuse() {
        WorkLease lease = open(MAX_RETRIES);
        assertMisuse(NullPointerException.class, lease, null);
        assertMisuse(IllegalArgumentException.class, lease, "");
    }

    @SuppressWarnings("NullAway") // misuse is what is tested
    private static void assertMisuse(Class<? extends Throwable> expected, WorkLease lease, @Nullable String domainId) {
        assertAll(
                () -> assertThrows(expected, () -> lease.tryAcquire(domainId, 1)),
                () -> assertThrows(expected, () -> lease.succeed(domainId, "token")),
                () -> assertThrows(expected, () -> lease.fail(domainId, "token")),
                () -> assertThrows(expected, () -> lease.inspect(domainId)),
                () -> assertThrows(expected, () -> lease.summary(domainId)),
                () -> assertThrows(expected, () -> lease.forget(domainId, 1)),
                () -> assertThrows(expected, () -> lease.replay(domainId, 1)));
    }

    @Test
    @DisplayName("WL-14 any caller that asks for the leased offset gets its token (on an engine: its owner, WL-20)")
    void tryAcquire_leased_showsTheToken() {
        WorkLease lease = open(MAX_RETRIES);
        AcquireResult.Acquired acquired = assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire(A, 1));
        for (int i = 0; i < 3; i++) {
            assertEquals(new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence()), lease.tryAcquire(A, 1));
        }
    }

    @Test
    @DisplayName(
            "WL-8 WL-26 a restart keeps the lease, retries, dates, the backlog, what is done, failed and forgotten")
    void restart_keepsEverything() {
        WorkLease before = open(2);
        before.succeed(A, acquire(before, A, 1));
        String failing = acquire(before, A, 2);
        before.fail(A, failing);
        before.fail(A, failing);
        before.fail(A, failing);
        before.forget(A, -5);
        String token = acquire(before, A, 3);
        before.fail(A, token);
        before.tryAcquire(A, 4);
        before.tryAcquire(A, -1);
        DomainSnapshot expected = snapshot(before, A);

        WorkLease lease = restart(before);

        assertEquals(expected, snapshot(lease, A));
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, 1).code());
        assertEquals("ALREADY_FAILED", lease.tryAcquire(A, 2).code());
        assertEquals("ALREADY_PROCESSED", lease.tryAcquire(A, -5).code());
        assertEquals("ENQUEUED", lease.tryAcquire(A, 4).code());
        assertEquals(new FailResult.RetryScheduled(2), lease.fail(A, token));
        assertEquals(new SucceedResult.NextHint(4), lease.succeed(A, token));
        assertEquals(List.of(4L, -1L), snapshot(restart(lease), A).backlog());
    }

    // WL-33

    @Test
    @DisplayName("WL-33 succeedAndTakeNext ends the offset and leases the next one in line, until none is left")
    void succeedAndTakeNext_backlog_isTaken() {
        long[] line = {5, -1, Long.MIN_VALUE, 1L << 53, (1L << 53) + 1, -10_000_000_000L, Long.MAX_VALUE};
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 1);
        for (long offset : line) {
            lease.tryAcquire(A, offset);
        }
        lease.fail(A, token);
        long fence = leaseOf(lease, A).fence();
        for (int i = 0; i < line.length; i++) {
            TakeNextResult result = lease.succeedAndTakeNext(A, token);
            assertEquals(new SucceedResult.NextHint(line[i]), result.succeeded());
            AcquireResult.Acquired next =
                    assertInstanceOf(AcquireResult.Acquired.class, result.next().orElseThrow());
            assertTrue(next.fence() > fence, "fence: " + next.fence() + " after " + fence);
            assertNotEquals(token, next.token());
            assertEquals(0, next.retryCount());
            LeaseRecord leased = leaseOf(lease, A);
            assertEquals(new LeaseRecord(line[i], next.token(), next.fence(), leased.acquiredAtMillis(), 0), leased);
            assertEquals(line.length - i - 1, snapshot(lease, A).backlog().size());
            assertEquals(i + 1, snapshot(lease, A).processedCount());
            token = next.token();
            fence = next.fence();
        }
        assertEquals(
                new TakeNextResult(new SucceedResult.NoBacklog(), Optional.empty()),
                lease.succeedAndTakeNext(A, token));
        assertDomain(lease, A, List.of(), line.length + 1, 0);
        for (long offset : line) {
            assertEquals(new AcquireResult.AlreadyProcessed(), lease.tryAcquire(A, offset));
        }
        assertDomain(restart(lease), A, List.of(), line.length + 1, 0);
    }

    @Test
    @DisplayName("WL-9 WL-33 succeedAndTakeNext without a lease or with another token is refused, and takes nothing")
    void succeedAndTakeNext_otherToken_isRefused() {
        WorkLease lease = open(MAX_RETRIES);
        assertThrows(LeaseNotFoundException.class, () -> lease.succeedAndTakeNext(B, "another"));
        assertEquals(Optional.empty(), lease.inspect(B));
        String token = acquire(lease, A, 1);
        lease.tryAcquire(A, 2);
        for (String other : new String[] {"another", "", token + "x"}) {
            TokenMismatchException refused =
                    assertUnchanged(lease, A, TokenMismatchException.class, () -> lease.succeedAndTakeNext(A, other));
            assertFalse(reveals(refused, token), "the message reveals the live token");
        }
        lease.succeed(A, token);
        assertUnchanged(lease, A, LeaseNotFoundException.class, () -> lease.succeedAndTakeNext(A, "another"));
    }

    @Test
    @DisplayName("WL-34 domains lists each known domain, with what inspect shows of it in numbers, and no other")
    void domains_ofEachState_areListedAsInspected() {
        WorkLease lease = open(1);
        assertEquals(List.of(), lease.domains(10, ""));

        acquire(lease, "leased", 7);
        lease.tryAcquire("leased", 8);
        lease.tryAcquire("leased", 9);
        lease.fail("retried", acquire(lease, "retried", 1));
        lease.succeed("done", acquire(lease, "done", 1));
        lease.succeed("done", acquire(lease, "done", 2));
        lease.forget("forgotten", 5);
        String failing = acquire(lease, "failed", 3);
        lease.tryAcquire("failed", 4);
        lease.fail("failed", failing);
        lease.fail("failed", failing);
        lease.inspect("asked");
        assertThrows(LeaseNotFoundException.class, () -> lease.succeed("finished", "token"));
        lease.replay("replayed", 1);

        assertEquals(List.of("done", "failed", "forgotten", "leased", "retried"), listed(lease, 10, ""));
        assertListedAsInspected(lease);
        assertEquals(Optional.empty(), lease.summary("asked"));
        WorkLease again = restart(lease);
        assertEquals(List.of("done", "failed", "forgotten", "leased", "retried"), listed(again, 10, ""));
        assertListedAsInspected(again);
    }

    @Test
    @DisplayName("WL-34 domains lists the present state of a domain, whatever was listed before")
    void domains_changing_areListedAsTheyAre() {
        WorkLease lease = open(0);
        acquire(lease, "m", 1);
        assertEquals(List.of("m"), listed(lease, 10, ""));
        String token = acquire(lease, "a", 1);
        acquire(lease, "z", 1);
        assertEquals(List.of("a", "m", "z"), listed(lease, 10, ""));
        assertListedAsInspected(lease);
        lease.tryAcquire("a", 2);
        assertListedAsInspected(lease);
        lease.fail("a", token);
        assertListedAsInspected(lease);
        lease.succeed("a", acquire(lease, "a", 2));
        lease.replay("a", 1);
        assertListedAsInspected(lease);
        assertEquals(1, lease.domains(1, "").get(0).backlogSize());
    }

    @Test
    @DisplayName("WL-34 domains are in the order of their names' bytes, in pages of every size, behind any name")
    void domains_inPages_areInOrder() {
        WorkLease lease = open(0);
        List<String> names = List.of(
                "\u0001",
                " ",
                "%",
                "A",
                "B",
                "_",
                "a",
                "a b",
                "a:b",
                "aa",
                "b",
                "{a}",
                "ü",
                "日本",
                "\uffee",
                "\ud83d\ude80");
        List<String> mixed = new ArrayList<>(names);
        Collections.shuffle(mixed, new Random(34));
        mixed.forEach(name -> acquire(lease, name, 1));

        for (int limit = 1; limit <= names.size() + 1; limit++) {
            List<String> all = new ArrayList<>();
            List<String> page = listed(lease, limit, "");
            while (!page.isEmpty()) {
                assertTrue(page.size() <= limit, "a page of " + page.size() + ", limit " + limit);
                all.addAll(page);
                page = listed(lease, limit, page.get(page.size() - 1));
            }
            assertEquals(names, all, "limit " + limit);
        }
        assertEquals(List.of("B", "_"), listed(lease, 2, "AZ is not known"));
        assertEquals(List.of(), listed(lease, 2, "\ud83d\ude80\ud83d\ude80"));
        assertEquals(names, listed(lease, Integer.MAX_VALUE, ""));
    }

    @Test
    @DisplayName("WL-34 a page of none, and a page behind nothing, are misuse")
    @SuppressWarnings("NullAway") // misuse is what is tested
    void domains_ofNoLimit_areMisuse() {
        WorkLease lease = open(0);
        assertThrows(IllegalArgumentException.class, () -> lease.domains(0, ""));
        assertThrows(IllegalArgumentException.class, () -> lease.domains(-1, "a"));
        assertThrows(NullPointerException.class, () -> lease.domains(1, null));
    }

    private static List<String> listed(WorkLease lease, int limit, String afterDomain) {
        return lease.domains(limit, afterDomain).stream()
                .map(DomainSummary::domainId)
                .toList();
    }

    private static void assertListedAsInspected(WorkLease lease) {
        lease.domains(100, "").forEach(listed -> assertAsInspected(lease, listed));
    }

    /** Compares the listed summary with inspect, except for the holder, which inspect does not show. */
    static void assertAsInspected(WorkLease lease, DomainSummary listed) {
        assertEquals(Optional.of(listed), lease.summary(listed.domainId()));
        DomainSnapshot inspected = snapshot(lease, listed.domainId());
        Optional<DomainSummary.Lease> held = inspected
                .lease()
                .map(record -> new DomainSummary.Lease(
                        record.currentOffset(),
                        record.fence(),
                        record.acquiredAtMillis(),
                        record.retryCount(),
                        listed.lease().flatMap(DomainSummary.Lease::holder)));
        assertEquals(
                new DomainSummary(
                        listed.domainId(),
                        held,
                        inspected.backlog().size(),
                        inspected.processedCount(),
                        inspected.failedCount()),
                listed);
    }

    @Test
    @DisplayName("WL-33 what is taken next by many threads is taken once each, in the order of the line")
    void succeedAndTakeNext_manyThreads_oneEach() throws Exception {
        WorkLease lease = open(MAX_RETRIES);
        String token = acquire(lease, A, 0);
        lease.tryAcquire(A, 1);
        List<Future<AcquireResult>> answers = together(8, number -> {
            try {
                return lease.succeedAndTakeNext(A, token).next().orElse(new AcquireResult.Enqueued());
            } catch (TokenMismatchException
                    | LeaseNotFoundException second) { // the call may be two steps, with other operations between
                return new AcquireResult.Enqueued();
            }
        });
        int taken = 0;
        for (Future<AcquireResult> answer : answers) {
            taken += answer.get() instanceof AcquireResult.Acquired ? 1 : 0;
        }
        assertEquals(1, taken);
        assertLeased(lease, A, 1, List.of());
        assertEquals(1, snapshot(lease, A).processedCount());
    }

    // What the tests share

    private static String acquire(WorkLease lease, String domainId, long offset) {
        return assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire(domainId, offset))
                .token();
    }

    private static DomainSnapshot snapshot(WorkLease lease, String domainId) {
        return lease.inspect(domainId).orElseThrow(() -> new AssertionError("domain " + domainId + " is not known"));
    }

    private static LeaseRecord leaseOf(WorkLease lease, String domainId) {
        return snapshot(lease, domainId).lease().orElseThrow(() -> new AssertionError("nothing is leased"));
    }

    private static LeaseRecord withRetries(LeaseRecord lease, int retryCount) {
        return new LeaseRecord(
                lease.currentOffset(), lease.token(), lease.fence(), lease.acquiredAtMillis(), retryCount);
    }

    private static void assertDomain(
            WorkLease lease, String domainId, List<Long> backlog, long processedCount, long failedCount) {
        assertEquals(
                new DomainSnapshot(domainId, Optional.empty(), backlog, processedCount, failedCount),
                snapshot(lease, domainId));
    }

    private static void assertDomainCounts(WorkLease lease, String domainId, long processedCount, long failedCount) {
        assertEquals(processedCount, snapshot(lease, domainId).processedCount());
        assertEquals(failedCount, snapshot(lease, domainId).failedCount());
    }

    private static void assertLeased(WorkLease lease, String domainId, long offset, List<Long> backlog) {
        assertEquals(offset, leaseOf(lease, domainId).currentOffset());
        assertEquals(backlog, snapshot(lease, domainId).backlog());
    }

    private static <T extends Throwable> T assertUnchanged(
            WorkLease lease, String domainId, Class<T> expected, Executable operation) {
        Optional<DomainSnapshot> before = lease.inspect(domainId);
        T thrown = assertThrows(expected, operation);
        assertEquals(before, lease.inspect(domainId));
        return thrown;
    }

    private static void assertMismatch(WorkLease lease, String live, @Nullable String other) {
        for (Executable finish : List.<Executable>of(() -> succeed(lease, other), () -> fail(lease, other))) {
            TokenMismatchException refused = assertUnchanged(lease, A, TokenMismatchException.class, finish);
            assertFalse(reveals(refused, live), "the message reveals the live token");
        }
    }

    private static boolean reveals(Throwable thrown, String token) {
        if (String.valueOf(thrown).contains(token)
                || (thrown.getCause() != null && reveals(thrown.getCause(), token))) {
            return true;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (reveals(suppressed, token)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Finishes with an old token while another one is live: refused, or on an engine answered as the last finish was;
     * nothing changes.
     */
    private void assertFinishRefused(WorkLease lease, String old) {
        DomainSnapshot before = snapshot(lease, A);
        if (repeatsLastFinish()) {
            try {
                lease.succeed(A, old);
            } catch (TokenMismatchException refused) {
                assertFalse(reveals(refused, leaseOf(lease, A).token()));
            }
        } else {
            assertThrows(TokenMismatchException.class, () -> lease.succeed(A, old));
            assertThrows(TokenMismatchException.class, () -> lease.fail(A, old));
        }
        assertEquals(before, snapshot(lease, A));
    }

    @SuppressWarnings("NullAway") // no token is what is tested
    private static void succeed(WorkLease lease, @Nullable String token) {
        lease.succeed(A, token);
    }

    @SuppressWarnings("NullAway") // no token is what is tested
    private static void fail(WorkLease lease, @Nullable String token) {
        lease.fail(A, token);
    }

    /** The work of the thread with this number. */
    private interface Body {
        AcquireResult run(int number) throws Exception;
    }

    private static List<Future<AcquireResult>> together(int threads, Body body) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<AcquireResult>> answers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            answers.add(executor.submit(() -> {
                start.await();
                return body.run(number);
            }));
        }
        start.countDown();
        executor.shutdown();
        if (!executor.awaitTermination(5, TimeUnit.MINUTES)) {
            throw new AssertionError("a thread does not come back");
        }
        return answers;
    }
}
