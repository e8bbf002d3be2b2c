package io.tidegate.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The tests that every {@link SharedWorkLease} must pass: all tests of {@link WorkLeaseContract}, and those for several
 * owners, several names and the passing of time. Subclass it with your own store.
 *
 * <p>Time passes only by {@link #pass}: the leases of these tests last for hours, so the duration of the tests does not
 * matter.
 */
public abstract class SharedWorkLeaseContract extends WorkLeaseContract {
    private static final String A = "A";
    private static final String B = "B";
    private static final String NAME = "orders";
    private static final String OWNER = "the-only-one";
    private static final int MAX_RETRIES = 2;
    private static final Duration LEASE = Duration.ofHours(10);
    private static final Duration AGES = Duration.ofDays(3_650);
    private static final int MANY = 1_000;

    private int maxRetries;

    /** For subclasses. */
    protected SharedWorkLeaseContract() {}

    /** Makes a fresh and empty store. The methods below are about the last one that was made. */
    protected abstract void openStore();

    /** Returns leases in that store. The same owner again stands for the same process. */
    protected abstract SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration);

    /**
     * Lets this much of the engine's time pass. If its clock cannot be moved, move the ends of the leases in the store
     * back by it, and all that the store derives from them, but no other dates.
     */
    protected abstract void pass(Duration time);

    /** Restarts the engine. Does nothing by default, which is right for an engine that stores nothing. */
    protected void restartStore() {}

    /**
     * Returns how many random scripts are played, unless {@code -Dtidegate.seeds=N} sets it; {@code -Dtidegate.seed=N}
     * plays one seed alone.
     */
    protected int scripts() {
        return 20;
    }

    @Override
    protected final WorkLease open(int maxRetries) {
        this.maxRetries = maxRetries;
        openStore();
        return lease(NAME, maxRetries, OWNER, LEASE);
    }

    @Override
    protected final WorkLease restart(WorkLease lease) {
        restartStore();
        return lease(NAME, maxRetries, OWNER, LEASE);
    }

    @Override
    protected final boolean repeatsLastFinish() {
        return true;
    }

    private SharedWorkLease owner(String owner) {
        return lease(NAME, MAX_RETRIES, owner, LEASE);
    }

    /** Leases without retries. */
    private SharedWorkLease impatient() {
        return lease(NAME, 0, "third", LEASE);
    }

    private void endLeases() {
        pass(LEASE.plusHours(2));
    }

    // WL-9, WL-14

    @Test
    @DisplayName("WL-9 a token that no engine could keep is another token, in every operation")
    void finish_impossibleToken_isRefused() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        Optional<DomainSnapshot> before = ours.inspect(A);
        for (String other : List.of(
                "\0", "\ud800", "\u00e4", "x".repeat(10_000), token + " ", token.toUpperCase(Locale.ROOT) + "X")) {
            assertRefused(TokenMismatchException.class, ours, A, other);
            assertRefused(LeaseNotFoundException.class, ours, B, other);
        }
        assertEquals(before, ours.inspect(A));
        assertEquals(Optional.empty(), ours.inspect(B));
    }

    @Test
    @DisplayName("WL-9 WL-28 WL-29 no token at all is another token; where nothing is leased, no domain is made")
    void finish_noToken_isRefused() {
        openStore();
        SharedWorkLease ours = owner("we");
        for (String none : new @Nullable String[] {"", null}) {
            assertNoTokenRefused(LeaseNotFoundException.class, ours, none);
        }
        assertEquals(Optional.empty(), ours.inspect(A));
        acquire(ours, A, 1);
        for (String none : new @Nullable String[] {"", null}) {
            assertNoTokenRefused(TokenMismatchException.class, ours, none);
        }
    }

    @SuppressWarnings("NullAway") // no token is what is tested
    private static void assertNoTokenRefused(
            Class<? extends Throwable> expected, SharedWorkLease lease, @Nullable String token) {
        assertAll(
                () -> assertThrows(expected, () -> lease.renew(A, token)),
                () -> assertThrows(expected, () -> lease.release(A, token)),
                () -> assertThrows(expected, () -> lease.fail(A, token, new Failure(1, true, "no token"))));
    }

    @Test
    @DisplayName("WL-14 null and empty domains, limits below one and negative ages are misuse")
    void misuse_isRefused() {
        openStore();
        SharedWorkLease ours = owner("we");
        assertMisuse(NullPointerException.class, ours, null);
        assertMisuse(IllegalArgumentException.class, ours, "");
        acquire(ours, A, 1);
        for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> ours.pending(limit, ""));
            assertThrows(IllegalArgumentException.class, () -> ours.failedWork(A, limit));
            assertThrows(IllegalArgumentException.class, () -> ours.backlogBehind(A, 1, limit));
        }
        Duration negative = Duration.ofMillis(-1);
        assertThrows(IllegalArgumentException.class, () -> ours.deleteIdle(negative));
        assertThrows(IllegalArgumentException.class, () -> ours.deleteFailed(negative));
    }

    @SuppressWarnings("NullAway") // misuse is what is tested
    private static void assertMisuse(
            Class<? extends Throwable> expected, SharedWorkLease lease, @Nullable String domainId) {
        assertAll(
                () -> assertThrows(expected, () -> lease.renew(domainId, "token")),
                () -> assertThrows(expected, () -> lease.release(domainId, "token")),
                () -> assertThrows(expected, () -> lease.forceRelease(domainId, 1)),
                () -> assertThrows(expected, () -> lease.fail(domainId, "token", new Failure(0, false, ""))),
                () -> assertThrows(expected, () -> lease.failedWork(domainId, 1)),
                () -> assertThrows(expected, () -> lease.backlogBehind(domainId, 1, 1)),
                () -> assertThrows(NullPointerException.class, () -> lease.pending(1, null)));
    }

    @Test
    @DisplayName("WL-9 neighbours that are one number in floating point are two offsets, far from zero too")
    void offsets_farFromZero_areExact() {
        openStore();
        SharedWorkLease ours = owner("we");
        for (long first : new long[] {1L << 53, -(1L << 53) - 2, 999_999_999_999_999_999L, Long.MIN_VALUE}) {
            String domainId = "from " + first;
            String token = acquire(ours, domainId, first).token();
            ours.tryAcquire(domainId, first + 2);
            assertEquals(List.of(first + 2), snapshot(ours, domainId).backlog());
            assertEquals(new SucceedResult.NextHint(first + 2), ours.succeed(domainId, token));
            ours.succeed(domainId, acquire(ours, domainId, first + 2).token());
            assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(domainId, first));
            assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(domainId, first + 2));
            ours.succeed(domainId, acquire(ours, domainId, first + 1).token());
            ours.forget(domainId, first + 2);
            acquire(ours, domainId, first + 3);
        }
    }

    // WL-13: the backlog in pages, what has failed, and what is deleted

    @Test
    @DisplayName("WL-13 of a long backlog inspect shows the first thousand; the others are read behind these, in pages")
    void inspect_longBacklog_isBounded() {
        openStore();
        SharedWorkLease ours = owner("we");
        int length = DomainSnapshot.MOST_BACKLOG + 7;
        List<Offer> offers = LongStream.rangeClosed(0, length)
                .mapToObj(i -> new Offer(A, -3 * i))
                .toList();
        ours.tryAcquireAll(offers);
        List<Long> all = offers.stream().skip(1).map(Offer::offset).toList();

        assertEquals(
                all.subList(0, DomainSnapshot.MOST_BACKLOG), snapshot(ours, A).backlog());
        long last = all.get(DomainSnapshot.MOST_BACKLOG - 1);
        assertEquals(all.subList(DomainSnapshot.MOST_BACKLOG, length), ours.backlogBehind(A, last, 100));
        assertEquals(all.subList(1, length), ours.backlogBehind(A, all.get(0), Integer.MAX_VALUE));
    }

    @Test
    @DisplayName(
            "WL-13 behind an offset are those that came later, in pages of every size; none behind what does not wait")
    void backlogBehind_pages_areTheBacklog() {
        openStore();
        SharedWorkLease ours = owner("we");
        assertEquals(List.of(), ours.backlogBehind(A, 1, 10));
        assertEquals(Optional.empty(), ours.inspect(A));
        List<Long> all = List.of(9L, -4L, Long.MAX_VALUE, 2L, 17L, Long.MIN_VALUE, 0L);
        String token = acquire(ours, A, 1).token();
        all.forEach(offset -> ours.tryAcquire(A, offset));
        for (int limit = 1; limit <= all.size() + 1; limit++) {
            List<Long> read = new ArrayList<>(all.subList(0, 1));
            List<Long> page;
            do {
                page = ours.backlogBehind(A, read.get(read.size() - 1), limit);
                assertTrue(page.size() <= limit);
                read.addAll(page);
                assertTrue(read.size() <= all.size(), () -> "longer than the backlog: " + read);
            } while (!page.isEmpty());
            assertEquals(all, read, "pages of " + limit);
        }
        assertEquals(List.of(), ours.backlogBehind(A, 1, 10), "behind the leased one");
        assertEquals(List.of(), ours.backlogBehind(A, 5, 10), "behind an unknown one");
        ours.succeed(A, token);
        ours.succeed(A, acquire(ours, A, 9).token());
        assertEquals(List.of(), ours.backlogBehind(A, 9, 10), "behind a processed one");
        assertEquals(all.subList(2, 4), ours.backlogBehind(A, -4, 2), "behind the head of a domain without a lease");
    }

    @Test
    @DisplayName("WL-13 what has failed is listed by offset, with its retries, date and reason, until it is replayed")
    void failedWork_listsWhatWaitsForSomebody() {
        openStore();
        SharedWorkLease ours = owner("we");
        assertEquals(List.of(), ours.failedWork(A, 10));
        assertEquals(Optional.empty(), ours.inspect(A));
        long begun = failForGood(impatient(), A, 7, "seventh");
        failForGood(ours, A, -3, "before");
        failForGood(impatient(), A, 9, "");
        failForGood(impatient(), B, 1, "elsewhere");

        List<FailedWork> failed = ours.failedWork(A, 2);

        assertEquals(List.of(-3L, 7L), failed.stream().map(FailedWork::offset).toList());
        assertEquals(
                List.of(MAX_RETRIES, 0),
                failed.stream().map(FailedWork::retryCount).toList());
        assertEquals(
                List.of("before", "seventh"),
                failed.stream().map(FailedWork::reason).toList());
        long failedAt = failed.get(1).failedAtMillis();
        assertTrue(begun <= failedAt && failedAt <= begun + 3_600_000, "failed at " + failedAt + ", begun at " + begun);
        assertTrue(ours.replay(A, -3));
        assertEquals(
                List.of(7L, 9L),
                ours.failedWork(A, Integer.MAX_VALUE).stream()
                        .map(FailedWork::offset)
                        .toList());
    }

    @Test
    @DisplayName("WL-13 WL-32 one call forgets all domains of a name up to an offset, except open and failed work")
    void forgetAll_domainsOfTheName_areForgotten() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease others = lease("invoices", 2, "we", LEASE);
        for (String domainId : List.of(A, B)) {
            ours.succeed(domainId, acquire(ours, domainId, 3).token());
        }
        failForGood(impatient(), B, 4, "");
        acquire(ours, "leased", 5);
        ours.tryAcquire("leased", 2);
        others.succeed(A, acquire(others, A, 3).token());

        assertEquals(3, ours.forgetAll(10));

        for (long offset : new long[] {Long.MIN_VALUE, 1, 3, 10}) {
            assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(A, offset), "offset " + offset);
            assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire("leased", offset), "offset " + offset);
        }
        assertEquals(new AcquireResult.AlreadyFailed(), ours.tryAcquire(B, 4));
        assertEquals(List.of(2L), snapshot(ours, "leased").backlog());
        assertEquals(5, snapshot(ours, "leased").lease().orElseThrow().currentOffset());
        assertEquals(Optional.empty(), ours.inspect("never seen"));
        acquire(ours, A, 11);
        acquire(others, A, 4);
    }

    @Test
    @DisplayName("WL-13 a failure that is forgotten does not run again, and cannot be replayed")
    void deleteFailed_old_staysTerminal() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease impatient = impatient();
        ours.succeed(A, acquire(ours, A, 1).token());
        failForGood(impatient, A, 2, "");
        ours.succeed(A, acquire(ours, A, 3).token());
        failForGood(impatient, A, 10, "");
        failForGood(impatient, A, 11, "");
        failForGood(impatient, B, Long.MIN_VALUE, "");
        failForGood(impatient, B, Long.MAX_VALUE, "");
        acquire(ours, A, 20);

        assertEquals(0, ours.deleteFailed(AGES));
        assertEquals(3, ours.failedWork(A, 10).size());
        assertEquals(5, ours.deleteFailed(Duration.ZERO));
        assertEquals(0, ours.deleteFailed(Duration.ZERO));

        assertEquals(List.of(), ours.failedWork(A, 10));
        for (long offset : new long[] {1, 2, 3, 10, 11}) {
            assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(A, offset), "offset " + offset);
            assertFalse(ours.replay(A, offset));
        }
        assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(B, Long.MIN_VALUE));
        assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(B, Long.MAX_VALUE));
        for (long offset : new long[] {0, 4, 9, 12}) {
            assertEquals(new AcquireResult.Enqueued(), ours.tryAcquire(A, offset), "offset " + offset);
        }
        assertEquals(0, snapshot(ours, A).failedCount());
        assertEquals(2, snapshot(ours, A).processedCount());
    }

    @Test
    @DisplayName("WL-13 forgotten failures join what is processed beside them, wherever that is")
    void deleteFailed_anyPattern_isRemembered() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease impatient = impatient();
        Random random = new Random(5);
        Set<Long> ended = new HashSet<>();
        for (int i = 0; i < 120; i++) {
            long offset = random.nextInt(60);
            if (ended.add(offset)) {
                if (random.nextBoolean()) {
                    failForGood(impatient, A, offset, "");
                } else {
                    ours.succeed(A, acquire(ours, A, offset).token());
                }
            }
            if (i % 30 == 29) {
                ours.deleteFailed(Duration.ZERO);
            }
        }
        acquire(ours, A, 1_000);
        for (long offset = -1; offset <= 60; offset++) {
            assertEquals(
                    ended.contains(offset) ? "ALREADY_PROCESSED" : "ENQUEUED",
                    ours.tryAcquire(A, offset).code(),
                    "offset " + offset);
        }
    }

    @Test
    @DisplayName("WL-8 WL-13 only idle domains are deleted, and the fence goes on rising after it")
    void deleteIdle_fenceRises() {
        openStore();
        SharedWorkLease ours = owner("we");
        AcquireResult.Acquired done = acquire(ours, "done", 1);
        ours.succeed("done", done.token());
        AcquireResult.Acquired last = acquire(ours, "done", 3);
        ours.succeed("done", last.token());
        ours.forget("forgotten", 5);
        acquire(ours, "leased", 1);
        acquire(ours, "ended", 1);
        ours.release("released", acquire(ours, "released", 1).token());
        leaveQueued(ours, "queued");
        failForGood(impatient(), "failed", 1, "");
        endLeases();
        ours.tryAcquire("leased", 1);

        assertEquals(0, ours.deleteIdle(AGES));
        assertEquals(2, ours.deleteIdle(Duration.ZERO));
        assertEquals(0, ours.deleteIdle(Duration.ZERO));

        for (String gone : List.of("done", "forgotten")) {
            assertEquals(Optional.empty(), ours.inspect(gone));
        }
        for (String kept : List.of("leased", "ended", "released", "queued", "failed")) {
            assertTrue(ours.inspect(kept).isPresent(), kept);
        }
        assertThrows(LeaseNotFoundException.class, () -> ours.succeed("done", last.token()));
        assertTrue(acquire(ours, "done", 1).fence() > last.fence());
        acquire(ours, "forgotten", 5);
        assertEquals(List.of("ended", "leased", "queued", "released"), ours.pending(10, ""));
    }

    @Test
    @DisplayName("WL-13 ages that no engine can count back to are just very old")
    void delete_greatestAge_deletesNothing() {
        openStore();
        SharedWorkLease ours = owner("we");
        failForGood(ours, A, 1, "");
        ours.succeed(B, acquire(ours, B, 1).token());
        for (Duration age : List.of(Duration.ofDays(4_000_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertEquals(0, ours.deleteFailed(age));
            assertEquals(0, ours.deleteIdle(age));
        }
    }

    // WL-20

    @Test
    @DisplayName("WL-20 the owner gets AlreadyAcquired, anyone else HeldElsewhere, and nothing changes")
    void tryAcquire_leased_dependsOnOwner() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        AcquireResult.Acquired acquired = acquire(ours, A, 1);
        DomainSnapshot before = snapshot(ours, A);
        AcquireResult already = new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence(), 0);
        AcquireResult held =
                new AcquireResult.HeldElsewhere("we", leaseOf(ours, A).acquiredAtMillis() + LEASE.toMillis());

        assertEquals(already, ours.tryAcquire(A, 1));
        assertEquals(held, theirs.tryAcquire(A, 1));
        assertEquals(held, theirs.tryAcquireAll(List.of(new Offer(A, 1))).get(0).orThrow());
        assertEquals(already, owner("we").tryAcquire(A, 1));
        assertEquals(before, snapshot(ours, A));
        assertEquals("we", ours.owner());
        assertEquals(LEASE, ours.leaseDuration());
    }

    @Test
    @DisplayName("WL-20 inspect does not show the token to a stranger, and what it shows ends nothing")
    void inspect_stranger_doesNotSeeTheToken() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        String token = acquire(ours, A, 1).token();
        LeaseRecord own = leaseOf(ours, A);
        assertEquals(token, own.token());
        assertEquals(new LeaseRecord(1, "", own.fence(), own.acquiredAtMillis(), 0), leaseOf(theirs, A));
        assertRefused(TokenMismatchException.class, theirs, A, "");
        endLeases();
        assertEquals("", leaseOf(theirs, A).token());
    }

    // WL-21

    @Test
    @DisplayName(
            "WL-21 after its time another owner takes over: new token, greater fence, the date kept, one retry more")
    void tryAcquire_ended_isTakenOver() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        AcquireResult.Acquired first = acquire(ours, A, 1);
        LeaseRecord before = leaseOf(ours, A);
        endLeases();

        AcquireResult.Acquired second = acquire(theirs, A, 1);

        assertNotEquals(first.token(), second.token());
        assertTrue(second.fence() > first.fence());
        assertEquals(1, second.retryCount());
        assertEquals(
                new LeaseRecord(1, second.token(), second.fence(), before.acquiredAtMillis(), 1), leaseOf(theirs, A));
        assertEquals(new AcquireResult.AlreadyAcquired(second.token(), second.fence(), 1), theirs.tryAcquire(A, 1));
        assertEquals("HELD_ELSEWHERE", ours.tryAcquire(A, 1).code());
        endLeases();
        assertEquals(2, acquire(ours, A, 1).retryCount());
    }

    @Test
    @DisplayName("WL-21 a lease lasts for as long as its owner's leases do, no longer and no shorter")
    void tryAcquire_durations_areTheOwners() {
        openStore();
        SharedWorkLease brief = lease(NAME, MAX_RETRIES, "brief", LEASE);
        SharedWorkLease lasting = lease(NAME, MAX_RETRIES, "lasting", LEASE.multipliedBy(10));
        acquire(brief, A, 1);
        acquire(lasting, B, 1);
        pass(LEASE.minusHours(2));
        assertEquals("HELD_ELSEWHERE", lasting.tryAcquire(A, 1).code());
        pass(Duration.ofHours(4));
        assertEquals("ACQUIRED", lasting.tryAcquire(A, 1).code());
        assertEquals("HELD_ELSEWHERE", brief.tryAcquire(B, 1).code());
        pass(LEASE.multipliedBy(9));
        assertEquals("ACQUIRED", brief.tryAcquire(B, 1).code());
        assertEquals("HELD_ELSEWHERE", brief.tryAcquire(A, 1).code());
    }

    @Test
    @DisplayName(
            "WL-21 after its time the owner still has it, until another one takes over, and other offsets are queued")
    void tryAcquire_ended_staysUntilTakenOver() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        endLeases();
        assertEquals(new AcquireResult.Enqueued(), owner("they").tryAcquire(A, 2));
        assertEquals("ALREADY_ACQUIRED", ours.tryAcquire(A, 1).code());
        assertEquals(new SucceedResult.NextHint(2), ours.succeed(A, token));
    }

    @Test
    @DisplayName("WL-21 work that kills every owner fails in the end: then the take-over answers AlreadyFailed")
    void tryAcquire_endedWithoutRetries_hasFailed() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        acquire(ours, A, 1);
        ours.tryAcquire(A, 2);
        endLeases();
        acquire(theirs, A, 1);
        endLeases();
        String last = acquire(ours, A, 1).token();
        endLeases();

        assertEquals(new AcquireResult.AlreadyFailed(), theirs.tryAcquire(A, 1));

        assertEquals(new DomainSnapshot(A, Optional.empty(), List.of(2L), 0, 1), snapshot(theirs, A));
        FailedWork failed = theirs.failedWork(A, 10).get(0);
        assertEquals(
                new FailedWork(1, MAX_RETRIES, failed.failedAtMillis(), "lost with its owner, no retry left"), failed);
        assertRefused(LeaseNotFoundException.class, ours, A, last);
        acquire(theirs, A, 2);
        assertRefused(TokenMismatchException.class, ours, A, last);
    }

    @Test
    @DisplayName("WL-21 an owner that takes over counts by its own number of retries")
    void tryAcquire_ended_retriesOfWhoAsks() {
        openStore();
        SharedWorkLease ours = owner("we");
        acquire(ours, A, 1);
        acquire(impatient(), B, 1);
        endLeases();
        assertEquals(new AcquireResult.AlreadyFailed(), impatient().tryAcquire(A, 1));
        assertEquals(1, acquire(ours, B, 1).retryCount());
    }

    @Test
    @DisplayName("WL-21 fails and take-overs count together, and answers show how many")
    void fail_afterTakeOver_countsOn() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        AcquireResult.Acquired first = acquire(ours, A, 1);
        assertEquals(0, first.retryCount());
        assertEquals(new FailResult.RetryScheduled(1), ours.fail(A, first.token()));
        assertEquals(new AcquireResult.AlreadyAcquired(first.token(), first.fence(), 1), ours.tryAcquire(A, 1));
        endLeases();
        AcquireResult.Acquired second = acquire(theirs, A, 1);
        assertEquals(2, second.retryCount());
        assertEquals(new FailResult.GiveUpNoBacklog(), theirs.fail(A, second.token()));
        assertEquals(2, ours.failedWork(A, 1).get(0).retryCount());
    }

    @Test
    @DisplayName(
            "WL-21 renew prolongs, even after the lease's time; so does a failure with retries left; asking does not")
    void renew_ended_prolongs() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        String token = acquire(ours, A, 1).token();
        endLeases();
        long until = ours.renew(A, token);
        assertEquals(new AcquireResult.HeldElsewhere("we", until), theirs.tryAcquire(A, 1));

        pass(LEASE.minusHours(2));
        ours.renew(A, token);
        pass(LEASE.minusHours(2));
        assertEquals("HELD_ELSEWHERE", theirs.tryAcquire(A, 1).code(), "renewed before its end");

        endLeases();
        ours.fail(A, token, 1);
        assertEquals("HELD_ELSEWHERE", theirs.tryAcquire(A, 1).code(), "failed");

        endLeases();
        ours.tryAcquire(A, 1);
        ours.tryAcquireAll(List.of(new Offer(A, 1)));
        ours.inspect(A);
        ours.fail(A, token, 1);
        assertEquals("ACQUIRED", theirs.tryAcquire(A, 1).code(), "asked for, and a failure repeated");
    }

    // WL-22

    @Test
    @DisplayName("WL-22 the old owner's token after a take-over is refused in every operation, and changes nothing")
    void finish_afterTakeOver_isRefused() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        String old = acquire(ours, A, 1).token();
        theirs.tryAcquire(A, 2);
        endLeases();
        String live = acquire(theirs, A, 1).token();
        Optional<DomainSnapshot> before = theirs.inspect(A);

        assertRefused(TokenMismatchException.class, ours, A, old);

        assertEquals(before, theirs.inspect(A));
        assertEquals(new SucceedResult.NextHint(2), theirs.succeed(A, live));
        assertRefused(LeaseNotFoundException.class, ours, A, old);
    }

    // WL-23

    @Test
    @DisplayName("WL-23 succeed repeated gives the same answer, whatever came in between, and is applied once")
    void succeed_repeated_answersTheSame() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        String token = acquire(ours, A, 1).token();
        ours.tryAcquire(A, 2);
        assertEquals(new SucceedResult.NextHint(2), ours.succeed(A, token));
        assertEquals(new SucceedResult.NextHint(2), ours.succeed(A, token));
        String next = acquire(theirs, A, 2).token();
        theirs.tryAcquire(A, 3);
        assertEquals(new SucceedResult.NextHint(2), ours.succeed(A, token));
        assertThrows(TokenMismatchException.class, () -> ours.fail(A, token));
        assertEquals(1, snapshot(ours, A).processedCount());
        assertEquals(2, leaseOf(theirs, A).currentOffset());

        theirs.succeed(A, next);
        assertThrows(LeaseNotFoundException.class, () -> ours.succeed(A, token));
        assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(A, 1));
    }

    @Test
    @DisplayName("WL-23 a give-up repeated gives the same answer; the other kind of finish is refused")
    void fail_giveUpRepeated_answersTheSame() {
        openStore();
        SharedWorkLease lease = impatient();
        String failed = acquire(lease, A, 1).token();
        lease.tryAcquire(A, 2);
        for (int times = 0; times < 3; times++) {
            assertEquals(new FailResult.GiveUpNextHint(2), lease.fail(A, failed));
            assertEquals(new FailResult.GiveUpNextHint(2), lease.fail(A, failed, 1));
            assertEquals(new FailResult.GiveUpNextHint(2), lease.fail(A, failed, new Failure(0, true, "again")));
        }
        assertEquals("", lease.failedWork(A, 1).get(0).reason());
        assertThrows(LeaseNotFoundException.class, () -> lease.succeed(A, failed));
        String succeeded = acquire(lease, A, 2).token();
        assertThrows(TokenMismatchException.class, () -> lease.succeed(A, failed));
        lease.succeed(A, succeeded);
        assertThrows(LeaseNotFoundException.class, () -> lease.fail(A, succeeded));
        assertEquals(1, snapshot(lease, A).failedCount());
    }

    @Test
    @DisplayName("WL-23 neither a give-up by a take-over nor a release makes the last finish forgotten")
    void succeed_repeatedAfterOthers_answersTheSame() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        ours.succeed(A, token);
        ours.release(A, acquire(ours, A, 2).token());
        assertEquals(new SucceedResult.NoBacklog(), ours.succeed(A, token));
        acquire(ours, A, 2);
        assertEquals(new SucceedResult.NoBacklog(), ours.succeed(A, token));
        endLeases();
        assertEquals(new AcquireResult.AlreadyFailed(), impatient().tryAcquire(A, 2));
        assertEquals(new SucceedResult.NoBacklog(), ours.succeed(A, token));
    }

    @Test
    @DisplayName("WL-23 a numbered failure counts once, however often it is reported, also after a take-over")
    void fail_numbered_countsOnce() {
        openStore();
        SharedWorkLease theirs = owner("they");
        acquire(owner("we"), A, 1);
        endLeases();
        String token = acquire(theirs, A, 1).token();
        for (int times = 0; times < 3; times++) {
            assertEquals(new FailResult.RetryScheduled(2), theirs.fail(A, token, 1));
            assertEquals(
                    new FailResult.RetryScheduled(2), theirs.fail(A, token, new Failure(1, true, "reported before")));
        }
        assertEquals(2, leaseOf(theirs, A).retryCount());
        IllegalArgumentException skipped = assertThrows(IllegalArgumentException.class, () -> theirs.fail(A, token, 3));
        assertTrue(String.valueOf(skipped.getMessage()).contains("3 (expected: <= 2)"), skipped::getMessage);
        assertThrows(IllegalArgumentException.class, () -> theirs.fail(A, token, 0));
        assertEquals(2, leaseOf(theirs, A).retryCount());
        assertEquals(new FailResult.GiveUpNoBacklog(), theirs.fail(A, token, 2));
        assertEquals(new FailResult.GiveUpNoBacklog(), theirs.fail(A, token, 2));
        assertEquals(1, snapshot(theirs, A).failedCount());
    }

    @Test
    @DisplayName("WL-23 numbered failures and others count together, and each token counts its own")
    void fail_numberedAndNot_countTogether() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        ours.fail(A, token);
        assertEquals(new FailResult.RetryScheduled(1), ours.fail(A, token, 1));
        assertEquals(new FailResult.RetryScheduled(2), ours.fail(A, token, 2));
        assertEquals(new FailResult.GiveUpNoBacklog(), ours.fail(A, token));
        ours.replay(A, 1);
        String again = acquire(ours, A, 1).token();
        assertEquals(new FailResult.RetryScheduled(1), ours.fail(A, again, 1));
        ours.release(A, again);
        String released = acquire(ours, A, 1).token();
        assertEquals(new FailResult.RetryScheduled(2), ours.fail(A, released, 1));
        assertEquals(new FailResult.RetryScheduled(2), ours.fail(A, released, 1));
    }

    @Test
    @DisplayName("WL-6 a permanent failure gives up at once, whatever retries are left, and counts none")
    void fail_permanent_givesUp() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        ours.tryAcquire(A, 2);
        ours.fail(A, token, new Failure(1, false, "once"));
        assertEquals(new FailResult.GiveUpNextHint(2), ours.fail(A, token, new Failure(2, true, "never")));
        assertEquals(new FailResult.GiveUpNextHint(2), ours.fail(A, token, new Failure(2, true, "never")));
        assertEquals(new DomainSnapshot(A, Optional.empty(), List.of(2L), 0, 1), snapshot(ours, A));
        FailedWork failed = ours.failedWork(A, 1).get(0);
        assertEquals(new FailedWork(1, 1, failed.failedAtMillis(), "never"), failed);
        assertEquals(
                new FailResult.GiveUpNoBacklog(),
                ours.fail(A, acquire(ours, A, 2).token(), new Failure(0, true, "not numbered")));
    }

    @Test
    @DisplayName("WL-13 the reason of the last failure is kept whatever it looks like, up to its greatest length")
    void fail_reason_isKept() {
        openStore();
        SharedWorkLease lease = impatient();
        List<String> reasons = List.of(
                "",
                " ",
                "'; drop table \"x\" -- \\ %s {0}\n\t\r",
                "ü 日本 \ud83d\ude80 u\u0308",
                "日".repeat(Failure.MOST_REASON),
                "\ud83d\ude80".repeat(Failure.MOST_REASON));
        for (int i = 0; i < reasons.size(); i++) {
            Failure failure = new Failure(1, false, reasons.get(i));
            lease.fail(A, acquire(lease, A, i).token(), failure);
            assertEquals(failure.reason(), lease.failedWork(A, 100).get(i).reason());
        }
        // A failure with an unstorable reason must not get lost: the reason is changed instead.
        String odd = acquire(lease, A, 100).token();
        assertEquals(new FailResult.GiveUpNoBacklog(), lease.fail(A, odd, new Failure(1, false, "odd \0 \ud800")));
        assertTrue(lease.failedWork(A, 100).get(reasons.size()).reason().startsWith("odd "));
    }

    // WL-24

    @Test
    @DisplayName("WL-24 a batch answers each as if it had been asked alone, in the order in which they were asked")
    void tryAcquireAll_mixed_answersEach() {
        openStore();
        SharedWorkLease ours = owner("we");
        leaveQueued(ours, B);
        acquire(owner("they"), "C", 1);
        ours.fail("D", acquire(ours, "D", 1).token());

        List<BatchAnswer<AcquireResult>> answers = ours.tryAcquireAll(List.of(
                new Offer("C", 1),
                new Offer(B, 9),
                new Offer(A, 1),
                new Offer("D", 1),
                new Offer(A, 2),
                new Offer(B, 1),
                new Offer(B, 2)));

        assertEquals(
                List.of(
                        "HELD_ELSEWHERE",
                        "BACKLOG_ORDERING",
                        "ACQUIRED",
                        "ALREADY_ACQUIRED",
                        "ENQUEUED",
                        "ALREADY_PROCESSED",
                        "ACQUIRED"),
                codes(answers, AcquireResult::code));
        assertEquals(
                1,
                assertInstanceOf(
                                AcquireResult.AlreadyAcquired.class,
                                answers.get(3).orThrow())
                        .retryCount());
        BacklogOrderingException refused = assertThrows(
                BacklogOrderingException.class, () -> answers.get(1).orThrow());
        assertEquals(List.of(B, 2L, 9L), List.of(refused.domainId(), refused.expected(), refused.got()));
        assertEquals(List.of(), ours.tryAcquireAll(List.of()));
    }

    @Test
    @DisplayName("WL-24 WL-2 the offsets of a domain in a batch come in the order of the batch")
    void tryAcquireAll_oneDomain_keepsTheOrder() {
        openStore();
        SharedWorkLease ours = owner("we");
        List<Offer> offers =
                Stream.of(5L, 3L, 9L, 1L).map(offset -> new Offer(A, offset)).toList();
        assertEquals(
                List.of("ACQUIRED", "ENQUEUED", "ENQUEUED", "ENQUEUED"),
                codes(ours.tryAcquireAll(offers), AcquireResult::code));
        assertEquals(List.of(3L, 9L, 1L), snapshot(ours, A).backlog());
    }

    @Test
    @DisplayName("WL-24 a batch of finishes applies what is right and refuses what is not")
    void succeedAll_mixed_answersEach() {
        openStore();
        SharedWorkLease ours = owner("we");
        String a = acquire(ours, A, 1).token();
        String b = acquire(ours, B, 1).token();
        ours.tryAcquire(A, 2);

        List<BatchAnswer<SucceedResult>> answers = ours.succeedAll(
                List.of(new Finish(B, b), new Finish("C", a), new Finish(A, b), new Finish(A, a), new Finish(A, a)));

        assertEquals(
                List.of("NO_BACKLOG", "LEASE_NOT_FOUND", "TOKEN_MISMATCH", "NEXT_HINT", "NEXT_HINT"),
                codes(answers, SucceedResult::code));
        assertEquals(new SucceedResult.NextHint(2), answers.get(4).orThrow());
        assertEquals(List.of(), ours.succeedAll(List.of()));
    }

    @Test
    @DisplayName("WL-24 WL-29 batches in opposite orders do not stop each other")
    void batches_oppositeOrders_allEnd() throws Exception {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        List<Offer> offers =
                IntStream.range(0, 30).mapToObj(i -> new Offer("d" + i, 1)).toList();
        List<Finish> there = new ArrayList<>();
        for (BatchAnswer<AcquireResult> answer : ours.tryAcquireAll(offers)) {
            String token = assertInstanceOf(AcquireResult.Acquired.class, answer.orThrow())
                    .token();
            there.add(new Finish("d" + there.size(), token));
        }
        List<Finish> back = new ArrayList<>(there);
        Collections.reverse(back);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int round = 2; round < 12; round++) {
                int offset = round;
                List<Offer> more = back.stream()
                        .map(finish -> new Offer(finish.domainId(), offset))
                        .toList();
                List<Future<?>> all = List.of(
                        threads.submit(() -> ours.renewAll(there)),
                        threads.submit(() -> theirs.renewAll(back)),
                        threads.submit(() -> theirs.tryAcquireAll(more)));
                for (Future<?> each : all) {
                    each.get();
                }
            }
            Future<?> one = threads.submit(() -> ours.succeedAll(there));
            Future<?> other = threads.submit(() -> theirs.succeedAll(back));
            one.get();
            other.get();
        } finally {
            threads.shutdown();
        }
        for (Finish finish : there) {
            DomainSnapshot domain = snapshot(ours, finish.domainId());
            assertEquals(1, domain.processedCount());
            assertEquals(LongStream.range(2, 12).boxed().toList(), domain.backlog());
        }
    }

    // WL-27

    @Test
    @DisplayName("WL-27 a name is needed, and a blank one is misuse")
    @SuppressWarnings("NullAway") // misuse is what is tested
    void lease_blankName_isMisuse() {
        openStore();
        for (String blank : List.of("", " ", "\t\n ")) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> lease(blank, 0, "we", LEASE));
            assertEquals("name: \"" + blank + "\" (expected: not blank)", refused.getMessage());
        }
        assertThrows(NullPointerException.class, () -> lease(null, 0, "we", LEASE));
    }

    @Test
    @DisplayName("WL-27 domains of different names never meet, whatever the names look like")
    void lease_names_neverMeet() {
        openStore();
        List<String> names =
                List.of("a", "A", "a ", "a:b", "{a}", "a%", "a_", "ä", "a\u0308", "\ud83d\ude80", "a".repeat(100));
        List<String> domains = List.of("c", "b:c", "{c}", ":c");
        for (int i = 0; i < names.size(); i++) {
            SharedWorkLease lease = lease(names.get(i), 0, "we", LEASE);
            for (String domain : domains) {
                assertEquals(Optional.empty(), lease.inspect(domain), names.get(i));
                String token = acquire(lease, domain, i).token();
                lease.tryAcquire(domain, 1_000 + i);
                lease.fail(domain, token, new Failure(0, true, names.get(i)));
            }
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            SharedWorkLease lease = lease(name, 0, "they", LEASE);
            assertEquals(domains.stream().sorted().toList(), lease.pending(100, ""), name);
            for (String domain : domains) {
                assertEquals(
                        new DomainSnapshot(domain, Optional.empty(), List.of(1_000L + i), 0, 1),
                        snapshot(lease, domain));
                assertEquals(
                        List.of(name),
                        lease.failedWork(domain, 9).stream()
                                .map(FailedWork::reason)
                                .toList());
            }
        }
    }

    @Test
    @DisplayName("WL-27 tokens, leases and deletions are those of one name")
    void operations_otherName_touchNothing() {
        openStore();
        SharedWorkLease one = lease("one", 0, "we", LEASE);
        SharedWorkLease other = lease("other", 0, "we", LEASE);
        String token = acquire(one, A, 1).token();
        assertRefused(LeaseNotFoundException.class, other, A, token);
        assertEquals(Optional.empty(), other.inspect(A));
        String another = acquire(other, A, 1).token();
        assertRefused(TokenMismatchException.class, other, A, token);
        other.succeed(A, another);
        failForGood(one, B, 1, "");
        failForGood(other, B, 1, "");
        one.succeed("C", acquire(one, "C", 1).token());

        assertEquals(1, one.deleteIdle(Duration.ZERO), "C");
        assertEquals(1, one.deleteFailed(Duration.ZERO), "B");

        assertEquals(new AcquireResult.AlreadyProcessed(), other.tryAcquire(A, 1));
        assertEquals(new AcquireResult.AlreadyFailed(), other.tryAcquire(B, 1));
        assertEquals(1, leaseOf(one, A).currentOffset());
        endLeases();
        assertEquals(List.of(A), one.pending(10, ""));
        assertEquals(List.of(), other.pending(10, ""));
    }

    // WL-33

    @Test
    @DisplayName(
            "WL-23 WL-33 succeedAndTakeNext repeated gives what it had given, and then what became of the next one")
    void succeedAndTakeNext_repeated_showsWhatBecameOfTheNext() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        SucceedResult hint = new SucceedResult.NextHint(2);
        String token = acquire(ours, A, 1).token();
        ours.tryAcquire(A, 2);
        ours.tryAcquire(A, 3);
        TakeNextResult first = ours.succeedAndTakeNext(A, token);
        AcquireResult.Acquired two =
                assertInstanceOf(AcquireResult.Acquired.class, first.next().orElseThrow());

        Optional<AcquireResult> own =
                Optional.of(new AcquireResult.AlreadyAcquired(two.token(), two.fence(), two.retryCount()));
        assertEquals(new TakeNextResult(hint, own), ours.succeedAndTakeNext(A, token));
        assertEquals(hint, ours.succeed(A, token));
        assertInstanceOf(
                AcquireResult.HeldElsewhere.class,
                theirs.succeedAndTakeNext(A, token).next().orElseThrow());
        assertEquals(1, snapshot(ours, A).processedCount());

        ours.release(A, two.token());
        AcquireResult.Acquired again = assertInstanceOf(
                AcquireResult.Acquired.class,
                theirs.succeedAndTakeNext(A, token).next().orElseThrow());
        assertTrue(again.fence() > two.fence());
        endLeases();
        AcquireResult.Acquired takenOver = assertInstanceOf(
                AcquireResult.Acquired.class,
                ours.succeedAndTakeNext(A, token).next().orElseThrow());
        assertEquals(1, takenOver.retryCount());

        endLeases();
        assertEquals(new AcquireResult.AlreadyFailed(), impatient().tryAcquire(A, 2));
        Optional<AcquireResult> failed = Optional.of(new AcquireResult.AlreadyFailed());
        assertEquals(new TakeNextResult(hint, failed), ours.succeedAndTakeNext(A, token));

        assertTrue(ours.replay(A, 2));
        assertEquals(new TakeNextResult(hint, Optional.empty()), ours.succeedAndTakeNext(A, token), "3 is the head");
        assertEquals(List.of(3L, 2L), snapshot(ours, A).backlog());

        String three = acquire(ours, A, 3).token();
        assertEquals(
                new TakeNextResult(hint, Optional.of(new AcquireResult.Enqueued())), ours.succeedAndTakeNext(A, token));
        ours.succeed(A, three);
        assertThrows(LeaseNotFoundException.class, () -> ours.succeedAndTakeNext(A, token));
    }

    @Test
    @DisplayName("WL-33 what is taken next lasts for its owner's duration, and is found when that is over")
    void succeedAndTakeNext_ownerDies_nextIsPending() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        String token = acquire(ours, A, 1).token();
        ours.tryAcquire(A, 2);
        pass(LEASE.minusHours(2));
        ours.succeedAndTakeNext(A, token);
        pass(LEASE.minusHours(2));
        assertEquals(List.of(), theirs.pending(10, ""));
        assertEquals("HELD_ELSEWHERE", theirs.tryAcquire(A, 2).code());
        endLeases();
        assertEquals(List.of(A), theirs.pending(10, ""));
        assertEquals(1, acquire(theirs, A, 2).retryCount());
        assertEquals(0, theirs.deleteIdle(Duration.ZERO));
    }

    // WL-28

    @Test
    @DisplayName("WL-28 released work is the head again, with its retries and date, for the next owner that asks")
    void release_leased_isTheHeadAgain() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        AcquireResult.Acquired first = acquire(ours, A, 1);
        ours.tryAcquire(A, 2);
        ours.tryAcquire(A, 3);
        ours.fail(A, first.token());
        long acquiredAt = leaseOf(ours, A).acquiredAtMillis();

        ours.release(A, first.token());

        DomainSnapshot released = new DomainSnapshot(A, Optional.empty(), List.of(1L, 2L, 3L), 0, 0);
        assertEquals(released, snapshot(ours, A));
        assertEquals(List.of(2L, 3L), ours.backlogBehind(A, 1, 10));
        for (long other : new long[] {2, 3, 4}) {
            BacklogOrderingException refused =
                    assertThrows(BacklogOrderingException.class, () -> theirs.tryAcquire(A, other));
            assertEquals(List.of(1L, other), List.of(refused.expected(), refused.got()));
        }
        assertEquals(released, snapshot(ours, A));

        AcquireResult.Acquired second = acquire(theirs, A, 1);
        assertEquals(1, second.retryCount());
        assertNotEquals(first.token(), second.token());
        assertTrue(second.fence() > first.fence());
        assertEquals(
                new DomainSnapshot(
                        A,
                        Optional.of(new LeaseRecord(1, second.token(), second.fence(), acquiredAt, 1)),
                        List.of(2L, 3L),
                        0,
                        0),
                snapshot(theirs, A));
        assertEquals(new SucceedResult.NextHint(2), theirs.succeed(A, second.token()));
        assertEquals(0, acquire(ours, A, 2).retryCount());
    }

    @Test
    @DisplayName("WL-28 a release burns no retry, however often, for the owner itself too")
    void release_often_burnsNoRetry() {
        openStore();
        SharedWorkLease lease = impatient();
        long fence = Long.MIN_VALUE;
        for (int times = 0; times < 5; times++) {
            AcquireResult.Acquired acquired = acquire(lease, A, 1);
            assertEquals(0, acquired.retryCount());
            assertTrue(acquired.fence() > fence);
            fence = acquired.fence();
            lease.release(A, acquired.token());
        }
        assertEquals(new DomainSnapshot(A, Optional.empty(), List.of(1L), 0, 0), snapshot(lease, A));
        assertEquals(
                new SucceedResult.NoBacklog(),
                lease.succeed(A, acquire(lease, A, 1).token()));
        assertEquals(new AcquireResult.AlreadyProcessed(), lease.tryAcquire(A, 1));
    }

    @Test
    @DisplayName("WL-28 the token of a released lease is refused, as is a second release, and nothing changes")
    void release_again_isRefused() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        ours.release(A, token);
        assertRefused(LeaseNotFoundException.class, ours, A, token);
        acquire(owner("they"), A, 1);
        Optional<DomainSnapshot> before = ours.inspect(A);
        assertRefused(TokenMismatchException.class, ours, A, token);
        assertEquals(before, ours.inspect(A));
    }

    @Test
    @DisplayName("WL-28 a lease whose time is over can be released until another owner takes over")
    void release_ended_isAsBefore() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        endLeases();
        ours.release(A, token);
        assertEquals(0, acquire(owner("they"), A, 1).retryCount());
    }

    @Test
    @DisplayName("WL-28 released work waits: it is not forgotten, replayed or deleted, and others queue behind it")
    void release_thenAnything_itWaits() {
        openStore();
        SharedWorkLease ours = owner("we");
        ours.release(A, acquire(ours, A, 5).token());
        ours.forget(A, 10);
        assertFalse(ours.replay(A, 5));
        assertEquals(0, ours.deleteIdle(Duration.ZERO));
        assertEquals(0, ours.deleteFailed(Duration.ZERO));
        assertEquals(new AcquireResult.AlreadyProcessed(), ours.tryAcquire(A, 6));
        failForGood(impatient(), B, 1, "");
        ours.release(B, acquire(ours, B, 2).token());
        assertTrue(ours.replay(B, 1));
        assertEquals(List.of(2L, 1L), snapshot(ours, B).backlog());

        String token = acquire(ours, A, 5).token();
        ours.tryAcquire(A, 11);
        ours.release(A, token);
        assertEquals(List.of(5L, 11L), snapshot(ours, A).backlog());
        assertEquals(
                new SucceedResult.NextHint(11),
                ours.succeed(A, acquire(ours, A, 5).token()));
    }

    @Test
    @DisplayName("WL-28 retries count on after a release, up to the last one")
    void release_thenFail_countsOn() {
        openStore();
        SharedWorkLease ours = owner("we");
        String token = acquire(ours, A, 1).token();
        ours.fail(A, token);
        ours.fail(A, token);
        ours.release(A, token);
        assertEquals(MAX_RETRIES, acquire(ours, A, 1).retryCount());
        endLeases();
        assertEquals(new AcquireResult.AlreadyFailed(), owner("they").tryAcquire(A, 1));
        ours.replay(A, 1);
        assertEquals(0, acquire(ours, A, 1).retryCount());
    }

    @Test
    @DisplayName("WL-26 WL-28 WL-30 after a restart what was released, has failed and is pending is as before")
    void restart_keepsReleased() {
        openStore();
        SharedWorkLease before = owner("we");
        String token = acquire(before, A, 1).token();
        before.fail(A, token);
        long acquiredAt = leaseOf(before, A).acquiredAtMillis();
        before.tryAcquire(A, 2);
        before.release(A, token);
        failForGood(before, B, 1, "kept");
        List<FailedWork> failed = before.failedWork(B, 10);
        acquire(before, "C", 1);
        DomainSnapshot released = snapshot(before, A);

        restartStore();

        SharedWorkLease after = owner("they");
        assertEquals(released, snapshot(after, A));
        assertEquals(failed, after.failedWork(B, 10));
        assertEquals(List.of(A), after.pending(10, ""));
        AcquireResult.Acquired acquired = acquire(after, A, 1);
        assertEquals(1, acquired.retryCount());
        assertEquals(acquiredAt, leaseOf(after, A).acquiredAtMillis());
        endLeases();
        assertEquals(List.of(A, "C"), after.pending(10, ""));
    }

    // WL-34, WL-35

    @Test
    @DisplayName("WL-34 domains shows every owner which owner holds a lease and until when, also after its time")
    void domains_leased_tellTheHolder() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        AcquireResult.Acquired first = acquire(ours, A, 1);
        theirs.tryAcquire(A, 2);
        long acquiredAt = leaseOf(ours, A).acquiredAtMillis();
        AcquireResult.HeldElsewhere held = assertInstanceOf(AcquireResult.HeldElsewhere.class, theirs.tryAcquire(A, 1));
        DomainSummary leased =
                summary(new DomainSummary.Lease(1, first.fence(), acquiredAt, 0, holder("we", held.untilMillis())), 1);
        assertEquals(List.of(leased), theirs.domains(10, ""));
        assertEquals(List.of(leased), ours.domains(10, ""));

        long until = ours.renew(A, first.token());
        assertEquals(
                List.of(summary(new DomainSummary.Lease(1, first.fence(), acquiredAt, 0, holder("we", until)), 1)),
                theirs.domains(10, ""));

        endLeases();
        assertEquals(
                "we",
                theirs.domains(10, "")
                        .get(0)
                        .lease()
                        .orElseThrow()
                        .holder()
                        .orElseThrow()
                        .owner());
        AcquireResult.Acquired second = acquire(theirs, A, 1);
        DomainSummary.Lease taken = ours.domains(10, "").get(0).lease().orElseThrow();
        assertEquals("they", taken.holder().orElseThrow().owner());
        assertEquals(List.of(second.fence(), acquiredAt, 1L), List.of(taken.fence(), taken.acquiredAtMillis(), (long)
                taken.retryCount()));

        theirs.release(A, second.token());
        assertEquals(List.of(new DomainSummary(A, Optional.empty(), 2, 0, 0)), ours.domains(10, ""));
    }

    private static DomainSummary summary(DomainSummary.Lease lease, long backlogSize) {
        return new DomainSummary(A, Optional.of(lease), backlogSize, 0, 0);
    }

    private static Optional<DomainSummary.Holder> holder(String owner, long untilMillis) {
        return Optional.of(new DomainSummary.Holder(owner, untilMillis));
    }

    @Test
    @DisplayName("WL-34 WL-27 domains of other names, and deleted ones, are not listed; a name that comes back is")
    void domains_deletedOrOfOtherNames_areNotListed() {
        openStore();
        SharedWorkLease one = lease("one", 0, "we", LEASE);
        SharedWorkLease other = lease("other", 0, "we", LEASE);
        acquire(one, "kept", 1);
        one.succeed("idle", acquire(one, "idle", 1).token());
        acquire(other, "others", 1);
        assertEquals(List.of("idle", "kept"), domains(one, 10));
        one.deleteIdle(Duration.ZERO);
        assertEquals(List.of("kept"), domains(one, 10));
        acquire(one, "idle", 2);
        assertEquals(List.of("idle", "kept"), domains(one, 1));
        assertEquals(List.of("others"), domains(other, 10));
    }

    @Test
    @DisplayName("WL-34 a thousand domains, in pages: each is there once, in order, whatever its state")
    void domains_many_areListedOnce() {
        openStore();
        SharedWorkLease lease = owner("we");
        List<String> names = IntStream.range(0, MANY)
                .mapToObj(number -> String.format("domain-%04d", number))
                .toList();
        List<BatchAnswer<AcquireResult>> acquired = lease.tryAcquireAll(
                names.stream().map(name -> new Offer(name, 1)).toList());
        List<Finish> finished = IntStream.range(0, MANY / 2)
                .mapToObj(number -> new Finish(
                        names.get(2 * number),
                        assertInstanceOf(
                                        AcquireResult.Acquired.class,
                                        acquired.get(2 * number).orThrow())
                                .token()))
                .toList();
        lease.succeedAll(finished);
        for (int limit : new int[] {17, 100, MANY, 2 * MANY}) {
            assertEquals(names, domains(lease, limit), "limit " + limit);
        }
        assertEquals(
                MANY / 2,
                lease.domains(MANY, "").stream()
                        .filter(domain -> domain.lease().isPresent() && domain.processedCount() == 0)
                        .count());
    }

    /** The names of all domains, read page by page. */
    static List<String> domains(SharedWorkLease lease, int limit) {
        List<String> all = new ArrayList<>();
        List<DomainSummary> page = lease.domains(limit, "");
        while (!page.isEmpty()) {
            page.forEach(domain -> all.add(domain.domainId()));
            page = page.size() < limit ? List.of() : lease.domains(limit, all.get(all.size() - 1));
        }
        return all;
    }

    @Test
    @DisplayName("WL-35 what is released by force is the head again, uncounted, and pending; its holder has lost it")
    void forceRelease_leased_isTheHeadAgain() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease operator = owner("operator");
        SharedWorkLease theirs = owner("they");
        AcquireResult.Acquired first = acquire(ours, A, 1);
        ours.tryAcquire(A, 2);
        ours.fail(A, first.token());
        long acquiredAt = leaseOf(ours, A).acquiredAtMillis();

        assertTrue(operator.forceRelease(A, first.fence()));

        assertEquals(new DomainSnapshot(A, Optional.empty(), List.of(1L, 2L), 0, 0), snapshot(ours, A));
        assertEquals(List.of(A), operator.pending(10, ""));
        assertRefused(LeaseNotFoundException.class, ours, A, first.token());
        AcquireResult.Acquired second = acquire(theirs, A, 1);
        assertEquals(1, second.retryCount());
        assertTrue(second.fence() > first.fence());
        assertEquals(acquiredAt, leaseOf(theirs, A).acquiredAtMillis());
        assertRefused(TokenMismatchException.class, ours, A, first.token());
        assertEquals(new SucceedResult.NextHint(2), theirs.succeed(A, second.token()));
    }

    @Test
    @DisplayName("WL-35 another fence releases nothing, be the domain leased, released, idle or unknown")
    void forceRelease_otherFence_changesNothing() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease operator = owner("operator");
        assertFalse(operator.forceRelease(A, 1));
        assertEquals(Optional.empty(), operator.inspect(A));
        assertEquals(List.of(), operator.domains(10, ""));

        AcquireResult.Acquired first = acquire(ours, A, 1);
        assertTrue(operator.forceRelease(A, first.fence()));
        assertFalse(operator.forceRelease(A, first.fence()));
        AcquireResult.Acquired second = acquire(ours, A, 1);
        DomainSnapshot before = snapshot(ours, A);
        for (long other : new long[] {first.fence(), second.fence() + 1, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertFalse(operator.forceRelease(A, other), "fence " + other);
        }
        assertFalse(lease("other", MAX_RETRIES, "operator", LEASE).forceRelease(A, second.fence()));
        assertEquals(before, snapshot(ours, A));
        ours.succeed(A, second.token());
        assertFalse(operator.forceRelease(A, second.fence()));
        assertEquals(new DomainSnapshot(A, Optional.empty(), List.of(), 1, 0), snapshot(ours, A));
    }

    // WL-29

    @Test
    @DisplayName("WL-29 many leases are prolonged at once, each answered for itself")
    void renewAll_mixed_answersEach() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        String a = acquire(ours, A, 1).token();
        String b = acquire(ours, B, 1).token();
        String taken = acquire(ours, "C", 1).token();
        String left = acquire(ours, "D", 1).token();
        endLeases();
        acquire(theirs, "C", 1);

        List<BatchAnswer<Long>> answers = ours.renewAll(List.of(
                new Finish("unknown", a),
                new Finish(B, b),
                new Finish("C", taken),
                new Finish(A, b),
                new Finish(A, a),
                new Finish(A, a)));

        assertEquals(
                List.of("LEASE_NOT_FOUND", "RENEWED", "TOKEN_MISMATCH", "TOKEN_MISMATCH", "RENEWED", "RENEWED"),
                codes(answers, until -> "RENEWED"));
        assertEquals(new AcquireResult.HeldElsewhere("we", answers.get(1).orThrow()), theirs.tryAcquire(B, 1));
        assertEquals(new AcquireResult.HeldElsewhere("we", answers.get(5).orThrow()), theirs.tryAcquire(A, 1));
        assertEquals("ACQUIRED", theirs.tryAcquire("D", 1).code(), "not prolonged");
        assertRefused(TokenMismatchException.class, ours, "D", left);
        assertEquals(Optional.empty(), ours.inspect("unknown"));
        assertEquals(List.of(), ours.renewAll(List.of()));
    }

    @Test
    @DisplayName("WL-29 a thousand leases are prolonged at once")
    void renewAll_thousand_areProlonged() {
        openStore();
        SharedWorkLease ours = owner("we");
        List<Offer> offers = manyOffers(1);
        List<Finish> leases = tokens(offers, ours.tryAcquireAll(offers));
        endLeases();
        List<BatchAnswer<Long>> answers = ours.renewAll(leases.subList(0, MANY - 1));
        assertEquals(MANY - 1, answers.size());
        answers.forEach(answer -> assertTrue(answer.orThrow() > 0));
        assertEquals(List.of(leases.get(MANY - 1).domainId()), ours.pending(MANY, ""));
    }

    // WL-30

    @Test
    @DisplayName("WL-30 a domain is pending while it has work and no owner, and not otherwise")
    void pending_states_workWithNobodyOnIt() {
        openStore();
        SharedWorkLease ours = owner("we");
        SharedWorkLease theirs = owner("they");
        assertPending(false, ours, "nothing is known");
        String first = acquire(ours, A, 1).token();
        assertPending(false, ours, "leased");
        ours.tryAcquire(A, 2);
        assertPending(false, ours, "leased, with a backlog");
        ours.succeed(A, first);
        assertPending(true, ours, "succeeded, with a backlog");
        String second = acquire(ours, A, 2).token();
        assertPending(false, ours, "the head is leased");
        ours.fail(A, second);
        assertPending(false, ours, "waits for its retry");
        endLeases();
        assertPending(true, ours, "leased past its time");
        ours.renew(A, second);
        assertPending(false, ours, "renewed");
        endLeases();
        ours.tryAcquire(A, 3);
        assertPending(true, ours, "queued behind a lease past its time");
        String taken = acquire(theirs, A, 2).token();
        assertPending(false, ours, "taken over");
        theirs.release(A, taken);
        assertPending(true, ours, "released");
        String again = acquire(theirs, A, 2).token();
        assertPending(false, ours, "acquired after a release");
        theirs.fail(A, again, new Failure(0, true, ""));
        assertPending(true, ours, "given up, with a backlog");
        ours.succeed(A, acquire(ours, A, 3).token());
        assertPending(false, ours, "nothing but a failure is left");
        ours.replay(A, 2);
        assertPending(true, ours, "replayed");
        acquire(ours, A, 2);
        assertPending(false, ours, "the replayed one is leased");
        endLeases();
        assertEquals(new AcquireResult.AlreadyFailed(), impatient().tryAcquire(A, 2));
        assertPending(false, ours, "given up by a take-over");
        String last = acquire(ours, A, 4).token();
        ours.replay(A, 2);
        assertPending(false, ours, "replayed behind a lease");
        ours.tryAcquire(A, 5);
        endLeases();
        assertEquals(new AcquireResult.AlreadyFailed(), impatient().tryAcquire(A, 4));
        assertPending(true, ours, "given up by a take-over, with a backlog");
        assertRefused(LeaseNotFoundException.class, ours, A, last);
        ours.succeed(A, acquire(ours, A, 2).token());
        ours.succeed(A, acquire(ours, A, 5).token());
        assertPending(false, ours, "all is done");
        ours.forget(A, 100);
        assertPending(false, ours, "forgotten");
    }

    private static void assertPending(boolean pending, SharedWorkLease lease, String state) {
        assertEquals(pending ? List.of(A) : List.of(), lease.pending(10, ""), state);
        assertEquals(pending ? List.of(A) : List.of(), lease.pending(10, ""), state + ", looked at again");
    }

    @Test
    @DisplayName("WL-30 it does not matter whether, and when, an owner has looked before")
    void pending_lookedAtBefore_isListed() {
        for (int looks = 0; looks < 32; looks++) {
            openStoreOnce(looks);
            SharedWorkLease lease = lease("looks " + looks, MAX_RETRIES, "we", LEASE);
            look(lease, looks, 1);
            String token = acquire(lease, A, 1).token();
            look(lease, looks, 2);
            lease.succeed(A, token);
            look(lease, looks, 4);
            token = acquire(lease, A, 2).token();
            look(lease, looks, 8);
            pass(LEASE.minusHours(2));
            lease.renew(A, token);
            look(lease, looks, 16);
            endLeases();
            assertEquals(List.of(A), lease.pending(10, ""), "looks: " + looks);
            lease.release(A, token);
            assertEquals(List.of(A), lease.pending(10, ""), "looks: " + looks);
        }
    }

    private void openStoreOnce(int round) {
        if (round == 0) {
            openStore();
        }
    }

    private static void look(SharedWorkLease lease, int looks, int bit) {
        if ((looks & bit) != 0) {
            assertEquals(List.of(), lease.pending(10, ""), "looks: " + looks);
        }
    }

    @Test
    @DisplayName("WL-30 a short lease after a long one is listed when it ends, also if an owner looked at the long one")
    void pending_shorterLease_isListedInTime() {
        openStore();
        SharedWorkLease lasting = lease(NAME, MAX_RETRIES, "lasting", LEASE.multipliedBy(10));
        SharedWorkLease brief = lease(NAME, MAX_RETRIES, "brief", LEASE);
        String token = acquire(lasting, A, 1).token();
        acquire(lasting, B, 1);
        String released = acquire(lasting, "C", 1).token();
        assertEquals(List.of(), brief.pending(10, ""));
        lasting.succeed(A, token);
        acquire(brief, A, 2);
        lasting.release("C", released);
        acquire(brief, "C", 1);
        endLeases();
        assertEquals(List.of(A, "C"), brief.pending(10, ""));
        pass(LEASE.multipliedBy(10));
        assertEquals(List.of(A, B, "C"), brief.pending(10, ""));
    }

    @Test
    @DisplayName("WL-30 in the order of the names' bytes, in pages of every size, each name for itself")
    void pending_pages_areInTheOrderOfBytes() {
        openStore();
        SharedWorkLease ours = owner("we");
        List<String> names = List.of(
                "a",
                "A",
                "b",
                "B",
                "aa",
                "aA",
                "Aa",
                "a ",
                " a",
                "a\t",
                "z",
                "Z",
                "ä",
                "Ä",
                "a\u0308",
                "e",
                "é",
                "_",
                "%",
                "日本",
                "\uFFFD",
                "\uE000",
                "\ud83d\ude80",
                "\ud83d\ude81",
                "\uD800\uDC00",
                "1",
                "10",
                "2",
                "{a}",
                "x".repeat(200));
        for (String name : names) {
            leaveQueued(ours, name);
        }
        leaveQueued(lease("another name", 0, "we", LEASE), "and its domain");
        List<String> expected = names.stream()
                .sorted((one, other) -> Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8)))
                .toList();
        for (int limit = 1; limit <= names.size() + 1; limit++) {
            assertEquals(expected, pages(ours, limit), "pages of " + limit);
        }
        assertEquals(expected, ours.pending(Integer.MAX_VALUE, ""));
        assertEquals(expected.subList(expected.indexOf("a") + 1, expected.size()), ours.pending(100, "a"));
        List<String> afterUnknown = expected.stream()
                .filter(name -> name.compareTo("aB") > 0 || isBeyondBasicPlane(name))
                .toList();
        assertEquals(afterUnknown, ours.pending(100, "aB"), "behind a name that is not there");
        assertEquals(List.of(), ours.pending(100, "\ud83d\ude81"));
    }

    private static boolean isBeyondBasicPlane(String name) {
        return name.codePointAt(0) > Character.MAX_VALUE;
    }

    @Test
    @DisplayName("WL-30 a thousand domains, in pages: those that are held are left out, wherever they are")
    void pending_thousand_areListed() {
        openStore();
        SharedWorkLease ours = owner("we");
        List<Offer> offers = manyOffers(1);
        List<String> domains = offers.stream().map(Offer::domainId).toList();
        List<Finish> leases = tokens(offers, ours.tryAcquireAll(offers));
        assertEquals(List.of(), ours.pending(MANY, ""));
        ours.tryAcquireAll(manyOffers(2));
        ours.succeedAll(leases);
        for (int limit : new int[] {100, MANY - 1, MANY, MANY + 1}) {
            assertEquals(domains, pages(ours, limit), "pages of " + limit);
        }
        List<Offer> odd = IntStream.range(0, MANY)
                .filter(i -> i % 2 == 1)
                .mapToObj(i -> new Offer(domains.get(i), 2))
                .toList();
        List<Finish> held = tokens(odd, ours.tryAcquireAll(odd));
        List<String> even = IntStream.range(0, MANY)
                .filter(i -> i % 2 == 0)
                .mapToObj(domains::get)
                .toList();
        assertEquals(even, pages(ours, 70));
        endLeases();
        assertEquals(domains, pages(ours, 300));
        ours.succeedAll(held);
        assertEquals(even, pages(ours, 300));
    }

    @Test
    @DisplayName("WL-30 all answers are right after any history of owners, names and ended leases")
    void script_anyOrder_answersAsTheReference() {
        openStore();
        Long one = Long.getLong("tidegate.seed");
        LongStream seeds =
                one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", scripts()));
        seeds.forEach(seed -> new SharedLeaseScript(seed, this::lease, this::pass).play());
    }

    @Test
    @DisplayName("WL-30 WL-11 after owners raced, all that was acknowledged is found by pending, and done")
    void pending_afterARace_findsAll() throws Exception {
        openStore();
        List<String> domains = List.of("d0", "d1", "d2");
        int threads = 4;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<Set<Offer>>> racers = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            SharedWorkLease lease = owner("owner-" + number);
            Random random = new Random(number);
            racers.add(executor.submit(() -> race(lease, domains, random)));
        }
        executor.shutdown();
        Set<Offer> acknowledged = new HashSet<>();
        for (Future<Set<Offer>> racer : racers) {
            acknowledged.addAll(racer.get());
        }
        endLeases();
        SharedWorkLease last = lease(NAME, Integer.MAX_VALUE, "last", LEASE);
        workOff(last);
        for (Offer offer : acknowledged) {
            String code = last.tryAcquire(offer.domainId(), offer.offset()).code();
            assertTrue(code.equals("ALREADY_PROCESSED") || code.equals("ALREADY_FAILED"), offer + ": " + code);
        }
        assertTrue(acknowledged.size() >= domains.size());
    }

    /** Does a random step of an owner, each independent of the others. Returns the acknowledged offers. */
    private static Set<Offer> race(SharedWorkLease lease, List<String> domains, Random random) {
        Set<Offer> acknowledged = new HashSet<>();
        Optional<Offer> head = Optional.empty();
        for (int step = 0; step < 60; step++) {
            Offer offer = head.orElse(new Offer(domains.get(random.nextInt(domains.size())), random.nextInt(30)));
            head = Optional.empty();
            try {
                AcquireResult answer = lease.tryAcquire(offer.domainId(), offer.offset());
                acknowledged.add(offer);
                if (answer instanceof AcquireResult.Acquired acquired) {
                    switch (random.nextInt(5)) {
                        case 0 -> lease.release(offer.domainId(), acquired.token());
                        case 1 -> lease.fail(offer.domainId(), acquired.token(), new Failure(1, true, ""));
                        case 2 -> lease.pending(2, "");
                        default -> lease.succeed(offer.domainId(), acquired.token());
                    }
                }
            } catch (BacklogOrderingException behind) {
                head = Optional.of(new Offer(behind.domainId(), behind.expected()));
            }
        }
        return acknowledged;
    }

    // What the tests share

    /** Works off everything, with knowledge of the pending domains only. */
    static void workOff(SharedWorkLease lease) {
        int done = 0;
        List<String> found = lease.pending(3, "");
        while (!found.isEmpty()) {
            for (String domainId : found) {
                lease.succeed(domainId, acquireNext(lease, domainId).token());
                done++;
            }
            assertTrue(done < MANY, "more work than there was");
            found = lease.pending(3, "");
        }
    }

    private static AcquireResult.Acquired acquireNext(SharedWorkLease lease, String domainId) {
        DomainSnapshot domain = snapshot(lease, domainId);
        long next = domain.lease()
                .map(LeaseRecord::currentOffset)
                .orElseGet(() -> domain.backlog().get(0));
        return acquire(lease, domainId, next);
    }

    private static AcquireResult.Acquired acquire(WorkLease lease, String domainId, long offset) {
        return assertInstanceOf(AcquireResult.Acquired.class, lease.tryAcquire(domainId, offset));
    }

    private static DomainSnapshot snapshot(WorkLease lease, String domainId) {
        return lease.inspect(domainId).orElseThrow(() -> new AssertionError("domain " + domainId + " is not known"));
    }

    private static LeaseRecord leaseOf(WorkLease lease, String domainId) {
        return snapshot(lease, domainId).lease().orElseThrow(() -> new AssertionError("nothing is leased"));
    }

    /** Returns when the offset was acquired. */
    private static long failForGood(SharedWorkLease lease, String domainId, long offset, String reason) {
        String token = acquire(lease, domainId, offset).token();
        long acquiredAt = leaseOf(lease, domainId).acquiredAtMillis();
        int number = 1;
        while (lease.fail(domainId, token, new Failure(number, false, reason)) instanceof FailResult.RetryScheduled) {
            number++;
        }
        return acquiredAt;
    }

    /** Leaves a domain in which 1 is done and 2 waits. */
    private static void leaveQueued(SharedWorkLease lease, String domainId) {
        String token = acquire(lease, domainId, 1).token();
        lease.tryAcquire(domainId, 2);
        lease.succeed(domainId, token);
    }

    private static void assertRefused(
            Class<? extends Throwable> expected, SharedWorkLease lease, String domainId, String token) {
        List<Finish> finish = List.of(new Finish(domainId, token));
        List<Executable> all = List.of(
                () -> lease.succeed(domainId, token),
                () -> lease.succeedAndTakeNext(domainId, token),
                () -> lease.fail(domainId, token),
                () -> lease.fail(domainId, token, 1),
                () -> lease.fail(domainId, token, new Failure(0, true, "refused")),
                () -> lease.renew(domainId, token),
                () -> lease.release(domainId, token),
                () -> lease.succeedAll(finish).get(0).orThrow(),
                () -> lease.renewAll(finish).get(0).orThrow());
        for (int i = 0; i < all.size(); i++) {
            assertThrows(expected, all.get(i), "operation " + i);
        }
    }

    private static <R> List<String> codes(List<BatchAnswer<R>> answers, Function<R, String> code) {
        return answers.stream().map(answer -> code(answer, code)).toList();
    }

    private static <R> String code(BatchAnswer<R> answer, Function<R, String> code) {
        if (answer.result().isPresent()) {
            return code.apply(answer.result().get());
        }
        return SharedLeaseScript.code(answer.refusal().orElseThrow());
    }

    private static List<Offer> manyOffers(long offset) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> new Offer(String.format(Locale.ROOT, "domain %04d", i), offset))
                .toList();
    }

    private static List<Finish> tokens(List<Offer> offers, List<BatchAnswer<AcquireResult>> answers) {
        return IntStream.range(0, offers.size())
                .mapToObj(i -> new Finish(
                        offers.get(i).domainId(),
                        assertInstanceOf(
                                        AcquireResult.Acquired.class,
                                        answers.get(i).orThrow())
                                .token()))
                .toList();
    }

    /** All pending domains, read page by page. */
    static List<String> pages(SharedWorkLease lease, int limit) {
        List<String> all = new ArrayList<>();
        List<String> page = lease.pending(limit, "");
        while (!page.isEmpty()) {
            assertTrue(page.size() <= limit, page.size() + " on a page of " + limit);
            all.addAll(page);
            assertEquals(all.size(), new HashSet<>(all).size(), "listed twice");
            page = lease.pending(limit, page.get(page.size() - 1));
        }
        return all;
    }
}
