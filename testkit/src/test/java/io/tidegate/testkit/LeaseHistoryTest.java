package io.tidegate.testkit;

import static io.tidegate.testkit.LeasePromise.FENCE_RISES;
import static io.tidegate.testkit.LeasePromise.FIFO;
import static io.tidegate.testkit.LeasePromise.NOTHING_LOST;
import static io.tidegate.testkit.LeasePromise.ONE_HOLDER;
import static io.tidegate.testkit.LeasePromise.TERMINAL_ONCE;
import static io.tidegate.testkit.LeaseRules.ENGINE;
import static io.tidegate.testkit.LeaseRules.IN_MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import io.tidegate.lease.broken.BrokenLease;
import io.tidegate.lease.broken.LeaseFactory;
import io.tidegate.lease.broken.RacyLease;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LeaseHistoryTest {
    private static final LeaseFactory REFERENCE = ReferenceLease::new;

    // Histories by hand: an operation is "from-to what = answer", "from- what" if nothing is known of its end

    private static LeaseHistory history(String... operations) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < operations.length; i++) {
            String[] parts = operations[i].split(" ", 2);
            String[] times = parts[0].split("-", -1);
            String[] call = parts[1].split(" = ", 2);
            lines.add(times[0] + " \"p\" " + i + " " + call[0]);
            if (call.length > 1) {
                lines.add(times[1] + " \"p\" " + i + " = " + call[1]);
            }
        }
        Collections.shuffle(lines, new Random(1));
        return LeaseHistory.read(lines);
    }

    private static String ask(String times, long offset, String answer) {
        return times + " tryAcquire \"A\" " + offset + (answer.isEmpty() ? "" : " = " + answer);
    }

    private static String acquired(String times, long offset, int fence) {
        return ask(times, offset, "ACQUIRED \"t" + fence + "\" " + fence);
    }

    private static String succeed(String times, int fence, String answer) {
        return times + " succeed \"A\" \"t" + fence + "\"" + (answer.isEmpty() ? "" : " = " + answer);
    }

    private static String fail(String times, int fence, String answer) {
        return times + " fail \"A\" \"t" + fence + "\"" + (answer.isEmpty() ? "" : " = " + answer);
    }

    private static String renew(String times, int fence, String answer) {
        return times + " renew \"A\" \"t" + fence + "\"" + (answer.isEmpty() ? "" : " = " + answer);
    }

    private static String release(String times, int fence, String answer) {
        return times + " release \"A\" \"t" + fence + "\"" + (answer.isEmpty() ? "" : " = " + answer);
    }

    private static String replay(String times, long offset, String answer) {
        return times + " replay \"A\" " + offset + (answer.isEmpty() ? "" : " = " + answer);
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                broken(ONE_HOLDER, "two leases at once", acquired("0-1", 1, 1), acquired("2-3", 2, 2)),
                broken(ONE_HOLDER, "two leases at once, overlapping", acquired("0-3", 1, 1), acquired("1-2", 2, 2)),
                broken(
                        ONE_HOLDER,
                        "acquired before the end began",
                        acquired("0-1", 1, 1),
                        acquired("2-3", 2, 2),
                        succeed("4-5", 1, "NO_BACKLOG"),
                        succeed("6-7", 2, "NO_BACKLOG")),
                broken(
                        ONE_HOLDER,
                        "ended twice",
                        acquired("0-1", 1, 1),
                        succeed("2-5", 1, "NO_BACKLOG"),
                        succeed("3-4", 1, "NO_BACKLOG")),
                broken(
                        ONE_HOLDER,
                        "succeeded and failed",
                        acquired("0-1", 1, 1),
                        succeed("2-5", 1, "NO_BACKLOG"),
                        fail("3-4", 1, "GIVE_UP_NO_BACKLOG")),
                broken(
                        ONE_HOLDER,
                        "a token that was never given",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 9, "NO_BACKLOG")),
                broken(ONE_HOLDER, "a finish before its lease", succeed("0-1", 1, "NO_BACKLOG"), acquired("2-3", 1, 1)),
                broken(
                        ONE_HOLDER,
                        "the same token twice",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        ask("4-5", 2, "ACQUIRED \"t1\" 2")),
                broken(
                        ONE_HOLDER,
                        "a token shown for another offset",
                        acquired("0-1", 1, 1),
                        ask("2-3", 2, "ALREADY_ACQUIRED \"t1\" 1")),
                broken(ONE_HOLDER, "a lease out of nothing", ask("2-3", 2, "ALREADY_ACQUIRED \"t1\" 1")),
                broken(
                        TERMINAL_ONCE,
                        "a lease shown after its end",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "GIVE_UP_NO_BACKLOG"),
                        ask("4-5", 1, "ALREADY_ACQUIRED \"t1\" 1")),
                broken(
                        ONE_HOLDER,
                        "a retry after the end",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        fail("4-5", 1, "RETRY_SCHEDULED 1")),
                broken(
                        FENCE_RISES,
                        "a smaller fence later",
                        acquired("0-1", 1, 2),
                        succeed("2-3", 2, "NO_BACKLOG"),
                        acquired("4-5", 2, 1)),
                broken(
                        FENCE_RISES,
                        "the same fence twice",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        ask("4-5", 2, "ACQUIRED \"other\" 1")),
                broken(
                        TERMINAL_ONCE,
                        "run again after success",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        acquired("4-5", 1, 2)),
                broken(
                        TERMINAL_ONCE,
                        "run again after failure without a replay",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "GIVE_UP_NO_BACKLOG"),
                        acquired("4-5", 1, 2)),
                broken(
                        TERMINAL_ONCE,
                        "replayed only afterwards",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "GIVE_UP_NO_BACKLOG"),
                        acquired("4-5", 1, 2),
                        replay("6-7", 1, "REPLAYED")),
                broken(
                        TERMINAL_ONCE,
                        "replayed twice",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "GIVE_UP_NO_BACKLOG"),
                        replay("4-7", 1, "REPLAYED"),
                        replay("5-6", 1, "REPLAYED")),
                broken(
                        TERMINAL_ONCE,
                        "a processed offset is enqueued",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        acquired("4-5", 2, 2),
                        ask("6-7", 1, "ENQUEUED")),
                broken(
                        TERMINAL_ONCE,
                        "a failed offset is enqueued",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "GIVE_UP_NO_BACKLOG"),
                        acquired("4-5", 2, 2),
                        ask("6-7", 1, "ENQUEUED")),
                broken(
                        TERMINAL_ONCE,
                        "a head that nobody can take",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        ask("4-5", 2, "BACKLOG_ORDERING 1")),
                broken(
                        TERMINAL_ONCE,
                        "a forgotten offset is acquired",
                        "0-1 forget \"A\" 5 = FORGOTTEN",
                        acquired("2-3", 4, 1)),
                broken(
                        FIFO,
                        "overtaken",
                        acquired("0-1", 1, 1),
                        ask("2-3", 2, "ENQUEUED"),
                        ask("4-5", 3, "ENQUEUED"),
                        succeed("6-7", 1, "NEXT_HINT 3"),
                        acquired("8-9", 3, 2)),
                broken(
                        FIFO,
                        "another than the hint",
                        acquired("0-1", 1, 1),
                        ask("2-5", 2, "ENQUEUED"),
                        ask("3-4", 3, "ENQUEUED"),
                        succeed("6-7", 1, "NEXT_HINT 2"),
                        acquired("8-9", 3, 2)),
                broken(
                        FIFO,
                        "overtaken after a replay",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "GIVE_UP_NO_BACKLOG"),
                        acquired("4-5", 2, 2),
                        ask("6-7", 3, "ENQUEUED"),
                        replay("8-9", 1, "REPLAYED"),
                        succeed("10-11", 2, "NEXT_HINT 1"),
                        acquired("12-13", 1, 3)),
                broken(NOTHING_LOST, "a hint at nothing", acquired("0-1", 1, 1), succeed("6-7", 1, "NEXT_HINT 3")),
                broken(
                        NOTHING_LOST,
                        "an enqueued offset is gone",
                        acquired("0-1", 1, 1),
                        ask("2-3", 2, "ENQUEUED"),
                        succeed("4-5", 1, "NO_BACKLOG")),
                broken(
                        NOTHING_LOST,
                        "no finish hints at the offset that came during it",
                        acquired("0-1", 1, 1),
                        ask("2-5", 2, "ENQUEUED"),
                        succeed("3-4", 1, "NO_BACKLOG")),
                broken(
                        NOTHING_LOST,
                        "the same, and it is acquired later",
                        acquired("0-1", 1, 1),
                        ask("2-5", 2, "ENQUEUED"),
                        succeed("3-4", 1, "NO_BACKLOG"),
                        acquired("6-7", 2, 2)),
                broken(NOTHING_LOST, "a lease is gone", acquired("0-1", 1, 1), succeed("2-3", 1, "LEASE_NOT_FOUND")),
                broken(NOTHING_LOST, "processed by nobody", acquired("0-1", 1, 1), ask("2-3", 2, "ALREADY_PROCESSED")),
                broken(
                        NOTHING_LOST,
                        "processed while it is leased",
                        acquired("0-1", 1, 1),
                        "2-3 forget \"A\" 5 = FORGOTTEN",
                        ask("4-5", 1, "ALREADY_PROCESSED")),
                broken(NOTHING_LOST, "failed by nobody", acquired("0-1", 1, 1), ask("2-3", 1, "ALREADY_FAILED")),
                broken(
                        NOTHING_LOST,
                        "one of two failures",
                        acquired("0-1", 1, 1),
                        fail("2-5", 1, "RETRY_SCHEDULED 1"),
                        fail("3-4", 1, "RETRY_SCHEDULED 1")),
                broken(
                        NOTHING_LOST,
                        "one failure too many",
                        acquired("0-1", 1, 1),
                        fail("2-5", 1, "RETRY_SCHEDULED 2")),
                broken(
                        NOTHING_LOST,
                        "a success that is not counted",
                        acquired("0-1", 1, 1),
                        succeed("2-3", 1, "NO_BACKLOG"),
                        "4-5 inspect \"A\" = SNAPSHOT 0 0"),
                broken(NOTHING_LOST, "a success too many", acquired("0-1", 1, 1), "4-5 inspect \"A\" = SNAPSHOT 1 0"));
    }

    private static Arguments broken(LeasePromise promise, String what, String... operations) {
        return Arguments.of(promise, what, operations);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("broken")
    void check_brokenInMemory_says(LeasePromise promise, String what, String[] operations) {
        Optional<LeaseBreach> breach = history(operations).check(IN_MEMORY);
        assertThat(breach).isPresent();
        assertThat(breach.get().promise()).as(breach.get().toString()).isEqualTo(promise);
        assertThat(breach.get().step()).contains("\"A\"").contains("steps ");
    }

    @Test
    void check_brokenOnAnEngine_says() {
        assertThat(history(acquired("0-1", 1, 1), succeed("2-3", 1, "NO_BACKLOG"), acquired("4-5", 1, 2))
                        .check(ENGINE)
                        .map(LeaseBreach::promise))
                .contains(TERMINAL_ONCE);
        assertThat(history(acquired("0-1", 1, 1), acquired("2-3", 2, 2))
                        .check(ENGINE)
                        .map(LeaseBreach::promise))
                .contains(ONE_HOLDER);
        assertThat(history(
                                acquired("0-1", 1, 1),
                                acquired("2-3", 1, 2),
                                succeed("4-5", 1, "NO_BACKLOG"),
                                succeed("6-7", 2, "NO_BACKLOG"))
                        .check(ENGINE))
                .as("the old owner ended the lease of the new one")
                .isPresent();
        assertThat(history(
                                acquired("0-1", 1, 1),
                                ask("2-3", 2, "ENQUEUED"),
                                succeed("4-5", 1, "NEXT_HINT 2"),
                                succeed("6-7", 1, "NO_BACKLOG"))
                        .check(ENGINE)
                        .map(LeaseBreach::promise))
                .as("the finish was applied twice")
                .contains(ONE_HOLDER);
        assertThat(history(acquired("0-1", 1, 1), acquired("2-3", 1, 2), renew("4-5", 1, "RENEWED 9"))
                        .check(ENGINE)
                        .map(LeaseBreach::promise))
                .as("prolonged after a take-over")
                .contains(ONE_HOLDER);
        assertThat(history(acquired("0-1", 1, 1), succeed("2-3", 1, "NO_BACKLOG"), renew("4-5", 1, "RENEWED 9"))
                        .check(ENGINE)
                        .map(LeaseBreach::promise))
                .as("prolonged after its end")
                .contains(ONE_HOLDER);
        assertThat(history(acquired("0-5", 1, 1), ask("2-3", 1, "ACQUIRED \"other\" 1"))
                        .check(ENGINE.withLeaseDuration(Duration.ofNanos(100), Duration.ZERO))
                        .map(LeaseBreach::promise))
                .as("a fence for two, whoever was first")
                .contains(FENCE_RISES);
        assertThat(history(acquired("0-1", 1, 1), renew("2-3", 1, "TOKEN_MISMATCH"))
                        .check(ENGINE)
                        .map(LeaseBreach::promise))
                .as("refused, and nobody has it")
                .contains(NOTHING_LOST);
    }

    static Stream<Arguments> explained() {
        return Stream.of(
                explained(IN_MEMORY, "nothing"),
                explained(
                        IN_MEMORY,
                        "a finish and an acquisition that overlap",
                        acquired("0-1", 1, 1),
                        succeed("2-5", 1, "NO_BACKLOG"),
                        acquired("3-4", 2, 2)),
                explained(
                        IN_MEMORY,
                        "two who came at once, in either order",
                        acquired("0-1", 1, 1),
                        ask("2-5", 2, "ENQUEUED"),
                        ask("3-4", 3, "ENQUEUED"),
                        succeed("6-7", 1, "NEXT_HINT 2"),
                        acquired("8-9", 2, 2),
                        succeed("10-11", 2, "NEXT_HINT 3")),
                explained(
                        IN_MEMORY,
                        "a finish without answer that worked",
                        acquired("0-1", 1, 1),
                        succeed("2-", 1, ""),
                        acquired("4-5", 2, 2),
                        ask("6-7", 1, "ALREADY_PROCESSED")),
                explained(
                        IN_MEMORY,
                        "a finish without answer that did not",
                        acquired("0-1", 1, 1),
                        succeed("2-", 1, ""),
                        ask("4-5", 1, "ALREADY_ACQUIRED \"t1\" 1"),
                        succeed("6-7", 1, "NO_BACKLOG")),
                explained(
                        IN_MEMORY,
                        "a lease whose answer was lost",
                        ask("0-", 1, ""),
                        ask("2-3", 1, "ALREADY_ACQUIRED \"t1\" 1"),
                        ask("4-5", 2, "ENQUEUED"),
                        succeed("6-7", 1, "NEXT_HINT 2")),
                explained(
                        IN_MEMORY,
                        "a failure without answer, then a replay",
                        acquired("0-1", 1, 1),
                        fail("2-", 1, ""),
                        replay("4-5", 1, "REPLAYED"),
                        acquired("6-7", 1, 2)),
                explained(
                        IN_MEMORY,
                        "the next finish hints at the offset that came during this one",
                        acquired("0-1", 1, 1),
                        ask("2-9", 2, "ENQUEUED"),
                        succeed("3-4", 1, "NO_BACKLOG"),
                        acquired("5-6", 3, 2),
                        succeed("10-11", 2, "NEXT_HINT 2")),
                explained(
                        IN_MEMORY,
                        "of two snapshots the one called first is taken last",
                        acquired("0-1", 1, 1),
                        "10-30 inspect \"A\" = SNAPSHOT \"t1\" 0 0 1 1 5 0 9 3 2 4",
                        "11-20 inspect \"A\" = SNAPSHOT \"t1\" 0 0 1 1 5 0",
                        ask("21-22", 9, "ENQUEUED"),
                        ask("23-24", 3, "ENQUEUED"),
                        ask("25-26", 2, "ENQUEUED"),
                        ask("27-28", 4, "ENQUEUED")),
                explained(
                        IN_MEMORY,
                        "two looks at once, of which the first to be called is the last to happen",
                        acquired("0-1", 1, 1),
                        ask("2-3", 5, "ENQUEUED"),
                        ask("4-5", 4, "ENQUEUED"),
                        ask("6-7", 3, "ENQUEUED"),
                        "8-20 inspect \"A\" = SNAPSHOT \"t1\" 0 0 1 1 50 0 5 4 3 2",
                        "9-10 inspect \"A\" = SNAPSHOT \"t1\" 0 0 1 1 50 0 5 4 3",
                        ask("11-12", 2, "ENQUEUED")),
                explained(
                        ENGINE,
                        "a take-over, and the old owner too late",
                        acquired("0-1", 1, 1),
                        acquired("2-3", 1, 2),
                        succeed("4-5", 1, "TOKEN_MISMATCH"),
                        fail("6-7", 2, "RETRY_SCHEDULED 2"),
                        succeed("8-9", 2, "NO_BACKLOG")),
                explained(
                        ENGINE,
                        "prolonged, then taken over",
                        acquired("0-1", 1, 1),
                        renew("2-3", 1, "RENEWED 9"),
                        renew("4-", 1, ""),
                        renew("5-8", 1, "RENEWED 12"),
                        acquired("6-7", 1, 2),
                        renew("9-10", 1, "TOKEN_MISMATCH")),
                explained(
                        ENGINE,
                        "a take-over at the end of the retries",
                        acquired("0-1", 1, 1),
                        ask("2-3", 2, "ENQUEUED"),
                        ask("4-5", 1, "ALREADY_FAILED"),
                        acquired("6-7", 2, 2),
                        replay("8-9", 1, "REPLAYED")),
                explained(
                        ENGINE,
                        "given up by a take-over, replayed and run again",
                        acquired("0-1", 1, 1),
                        ask("2-3", 1, "ALREADY_FAILED"),
                        replay("4-5", 1, "REPLAYED"),
                        acquired("6-7", 1, 2),
                        succeed("8-9", 2, "NO_BACKLOG"),
                        acquired("10-11", 2, 3)),
                explained(
                        ENGINE,
                        "a finish repeated after its answer was lost",
                        acquired("0-1", 1, 1),
                        succeed("2-", 1, ""),
                        acquired("3-4", 2, 2),
                        succeed("5-6", 1, "NO_BACKLOG"),
                        ask("7-8", 2, "HELD_ELSEWHERE \"other\" 12")),
                explained(
                        ENGINE,
                        "released, and first in line again with its retries",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "RETRY_SCHEDULED 1"),
                        ask("4-5", 2, "ENQUEUED"),
                        release("6-7", 1, "RELEASED"),
                        ask("8-9", 2, "BACKLOG_ORDERING 1"),
                        ask("10-11", 1, "ACQUIRED \"t2\" 2 1"),
                        succeed("12-13", 2, "NEXT_HINT 2")),
                explained(
                        ENGINE,
                        "a release without answer that worked",
                        acquired("0-1", 1, 1),
                        release("2-", 1, ""),
                        succeed("4-5", 1, "LEASE_NOT_FOUND"),
                        ask("6-7", 1, "ACQUIRED \"t2\" 2 0")),
                explained(
                        ENGINE.withMaxRetries(5),
                        "a permanent failure, and a failure that is not numbered",
                        acquired("0-1", 1, 1),
                        fail("2-3", 1, "RETRY_SCHEDULED 1"),
                        "4-5 fail \"A\" \"t1\" 2 permanent = GIVE_UP_NO_BACKLOG",
                        "6-7 fail \"A\" \"t1\" 2 permanent = GIVE_UP_NO_BACKLOG"),
                explained(
                        ENGINE,
                        "permanent failures say nothing of the retries",
                        acquired("0-1", 1, 1),
                        "2-3 fail \"A\" \"t1\" permanent = GIVE_UP_NO_BACKLOG",
                        acquired("4-5", 2, 2),
                        fail("6-7", 2, "RETRY_SCHEDULED 1")),
                explained(
                        ENGINE,
                        "not prolonged, whatever the reason",
                        acquired("0-1", 1, 1),
                        renew("2-3", 1, "NOT_RENEWED"),
                        succeed("4-5", 1, "NO_BACKLOG"),
                        renew("6-7", 1, "NOT_RENEWED")),
                explained(
                        ENGINE.withLeaseDuration(Duration.ofNanos(10), Duration.ZERO),
                        "listed when it is over, and when it is free",
                        acquired("0-1", 1, 1),
                        "5-10 pending \"A\" = PENDING",
                        release("11-12", 1, "RELEASED"),
                        "13-14 pending \"A\" = PENDING"));
    }

    private static Arguments explained(LeaseRules rules, String what, String... operations) {
        return Arguments.of(rules, what, operations);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("explained")
    void check_explained_findsNothing(LeaseRules rules, String what, String[] operations) {
        assertThat(history(operations).check(rules)).isEmpty();
    }

    @Test
    @DisplayName(
            "what has more orders than can be tried is explained by one of those tried, or undecided, but never broken")
    void check_tooManyOrders_isUndecided() {
        List<String> operations = new ArrayList<>(List.of(acquired("0-1", 1, 1)));
        for (int offset = 2; offset < 14; offset++) {
            operations.add(ask("2-", offset, ""));
        }
        operations.add(succeed("4-5", 1, "NEXT_HINT 7"));
        assertThat(history(operations.toArray(new String[0])).check(IN_MEMORY)).isEmpty();
        operations.set(operations.size() - 1, succeed("4-5", 1, "NEXT_HINT 99"));
        assertThatThrownBy(() -> history(operations.toArray(new String[0])).check(IN_MEMORY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("undecided: ")
                .hasMessageContaining("NEXT_HINT 99");
    }

    @Test
    @DisplayName("more than 3,000 orders are tried before a history is undecided")
    void check_someThousandOrders_isDecided() {
        List<String> operations = new ArrayList<>(List.of(acquired("0-1", 1, 1)));
        for (int offset = 2; offset < 9; offset++) {
            operations.add(ask("2-", offset, ""));
        }
        operations.add(succeed("4-5", 1, "NEXT_HINT 99"));
        assertThat(history(operations.toArray(new String[0])).check(IN_MEMORY))
                .hasValueSatisfying(breach -> assertThat(breach.promise()).isEqualTo(LeasePromise.NOTHING_LOST));
    }

    @Test
    @DisplayName("lost asks for an offset that ends meanwhile count as lost, not as having happened")
    void check_lostAsksDieAtTheEnd_findsNothing() {
        List<String> operations = new ArrayList<>(List.of(acquired("0-1", 1, 1), ask("2-", 1, "")));
        for (int offset = 2; offset < 14; offset++) {
            operations.add(ask("2-", offset, ""));
        }
        operations.add(renew("3-20", 1, "RENEWED 50"));
        operations.add(succeed("4-15", 1, "NO_BACKLOG"));
        operations.add(renew("5-14", 1, "LEASE_NOT_FOUND"));
        assertThat(history(operations.toArray(new String[0])).check(ENGINE)).isEmpty();
    }

    @Test
    @DisplayName("renewals that all wait for one answer are not tried in every order")
    void check_manyRenewalsAtOnce_findsNothing() {
        List<String> operations = new ArrayList<>(List.of(acquired("0-1", 1, 1)));
        for (int renewal = 0; renewal < 40; renewal++) {
            operations.add(renew((2 + renewal) + "-" + (60 + renewal), 1, "RENEWED " + (500 + renewal % 7)));
        }
        operations.add(ask("200-201", 1, "HELD_ELSEWHERE \"p\" 503"));
        LeaseRules rules = ENGINE.withLeaseDuration(Duration.ofNanos(400), Duration.ZERO);
        assertThat(history(operations.toArray(new String[0])).check(rules)).isEmpty();
        operations.set(operations.size() - 1, ask("200-201", 1, "HELD_ELSEWHERE \"p\" 520"));
        assertThat(history(operations.toArray(new String[0])).check(rules))
                .hasValueSatisfying(breach -> assertThat(breach.promise()).isEqualTo(LeasePromise.ONE_HOLDER));
    }

    private record Renewed(int called, int returned) {}

    /**
     * A lease, overlapping renewals, and an owner that finds the lease over or not: the renewals that can have come
     * last decide what is possible.
     */
    @Test
    @DisplayName("WL-21 however renewals overlap, when a lease may be over is judged by those that can have come last")
    void check_anyRenewals_isJudgedByTheirTimes() {
        int duration = 60;
        LeaseRules rules = ENGINE.withLeaseDuration(Duration.ofNanos(duration), Duration.ZERO);
        int[] verdicts = new int[2];
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            List<Renewed> renewals = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                int called = 2 + random.nextInt(60);
                renewals.add(new Renewed(called, Math.max(called + 1, 30 + random.nextInt(60))));
            }
            int lastCall = renewals.stream().mapToInt(Renewed::called).max().orElse(0);
            List<Renewed> last = renewals.isEmpty()
                    ? List.of(new Renewed(0, 1))
                    : renewals.stream()
                            .filter(each -> each.returned >= lastCall)
                            .toList();
            int lastReturn = last.stream().mapToInt(Renewed::returned).max().orElseThrow();
            int asked = lastReturn + 1 + random.nextInt(100);
            int answered = asked + 1 + random.nextInt(20);
            boolean takenOver = random.nextBoolean();
            boolean possible = takenOver
                    ? last.stream().anyMatch(each -> answered - each.called >= duration)
                    : asked - lastReturn < duration;
            List<String> operations = new ArrayList<>(List.of(acquired("0-1", 1, 1)));
            renewals.forEach(each -> operations.add(renew(each.called + "-" + each.returned, 1, "RENEWED 777")));
            String times = asked + "-" + answered;
            operations.add(takenOver ? acquired(times, 1, 2) : ask(times, 1, "HELD_ELSEWHERE \"p\" 777"));
            assertThat(history(operations.toArray(new String[0])).check(rules).isEmpty())
                    .as(() -> String.join("\n", operations))
                    .isEqualTo(possible);
            verdicts[possible ? 1 : 0]++;
        }
        assertThat(List.of(verdicts[0], verdicts[1]))
                .as("impossible and possible ones")
                .allMatch(times -> times > 500);
    }

    @Test
    @DisplayName("a refusal shows no end that no renewal can have given")
    void check_endOfNoRenewal_says() {
        LeaseHistory history = history(
                acquired("0-1", 1, 1),
                renew("2-3", 1, "RENEWED 50"),
                ask("4-5", 1, "HELD_ELSEWHERE \"p\" " + Long.MIN_VALUE));
        assertThat(history.check(ENGINE)).isPresent();
    }

    @Test
    @DisplayName("WL-33 a lost answer to a success that takes the next along may have taken it, and nothing else")
    void check_nextTakenInVain_isExplained() {
        String[] taken = {
            acquired("0-1", 1, 1),
            ask("2-3", 2, "ENQUEUED"),
            ask("4-5", 3, "ENQUEUED"),
            succeed("6-", 1, ""),
            "6- takeNext \"A\"",
            "8-9 succeed \"A\" \"t1\" = NEXT_HINT 2",
            ask("8-9", 2, "ALREADY_ACQUIRED \"t2\" 2"),
            "8-9 takeNext \"A\" = TOLD",
            succeed("10-11", 2, "NEXT_HINT 3")
        };
        assertThat(history(taken).check(ENGINE)).isEmpty();
        taken[4] = "6-7 takeNext \"A\" = TOLD";
        assertThat(history(taken).check(ENGINE))
                .hasValueSatisfying(breach -> assertThat(breach.promise()).isEqualTo(LeasePromise.ONE_HOLDER));
        taken[4] = "6- takeNext \"A\"";
        taken[6] = ask("8-9", 3, "ALREADY_ACQUIRED \"t2\" 2");
        assertThat(history(taken).check(ENGINE)).isPresent();
    }

    @Test
    void recording_nextTaken_isAnOperationOfItsOwn() {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(WorkLease.inMemory(0));
        String token = ((AcquireResult.Acquired) lease.tryAcquire("A", 1)).token();
        lease.tryAcquire("A", 2);
        String next = ((AcquireResult.Acquired)
                        lease.succeedAndTakeNext("A", token).next().orElseThrow())
                .token();
        lease.succeedAndTakeNext("A", next);
        assertThatThrownBy(() -> lease.succeedAndTakeNext("A", next)).isInstanceOf(LeaseNotFoundException.class);

        assertThat(history.lines().stream()
                        .map(line -> line.replace(token, "T").replace(next, "N"))
                        .skip(4))
                .containsExactly(
                        "4 \"local\" 2 succeed \"A\" \"T\"",
                        "5 \"local\" 3 takeNext \"A\"",
                        "5 \"local\" 4 tryAcquire \"A\" 2",
                        "6 \"local\" 2 = NEXT_HINT 2",
                        "7 \"local\" 4 = ACQUIRED \"N\" 2 0",
                        "8 \"local\" 3 = TOLD",
                        "9 \"local\" 5 succeed \"A\" \"N\"",
                        "10 \"local\" 6 takeNext \"A\"",
                        "11 \"local\" 5 = NO_BACKLOG",
                        "12 \"local\" 6 = TOLD",
                        "13 \"local\" 7 succeed \"A\" \"N\"",
                        "14 \"local\" 8 takeNext \"A\"",
                        "15 \"local\" 7 = LEASE_NOT_FOUND",
                        "16 \"local\" 8 = TOLD");
        assertThat(history.check(IN_MEMORY)).isEmpty();
        assertThat(LeaseHistory.read(history.lines()).check(IN_MEMORY)).isEmpty();
    }

    // Histories of one thread, spread out in time

    private static LeaseHistory recorded(WorkLease lease, long seed, int steps) {
        LeaseHistory history = new LeaseHistory();
        CarelessWorker.run(history.recording(lease), List.of("A", "b c"), seed, steps);
        return history;
    }

    /** Makes operations overlap, drops answers, and adds calls without effect. The history stays true. */
    private static LeaseHistory spread(LeaseHistory history, long seed) {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (String line : history.lines()) {
            String[] words = line.split(" ", 2);
            boolean isReturn = words[1].contains(" = ");
            long time = 100 * (Long.parseLong(words[0]) / 2) + (isReturn ? random.nextInt(900) : -random.nextInt(900));
            if (!isReturn || random.nextInt(40) > 0) {
                lines.add(time + " " + words[1]);
            }
            if (random.nextInt(50) == 0) {
                String call = words[1].substring(words[1].indexOf(' ', words[1].indexOf(' ') + 1) + 1);
                if (!isReturn) {
                    lines.add(time + " \"dead\" " + lines.size() + " " + call);
                }
            }
        }
        return LeaseHistory.read(lines);
    }

    @Test
    @DisplayName("what some order explains is not reported: overlaps, lost answers, calls that came to nothing")
    void check_spread_findsNothing() {
        for (int seed = 0; seed < 30; seed++) {
            LeaseHistory history = recorded(REFERENCE.create(seed % 3), seed, 200);
            assertThat(history.check(IN_MEMORY)).as("seed " + seed).isEmpty();
            assertThat(spread(history, seed).check(IN_MEMORY))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("nor with take-overs and repeated finishes on an engine")
    void check_spreadTakeOvers_findsNothing() {
        for (int seed = 0; seed < 30; seed++) {
            LeaseHistory history = recorded(new TakeOverLease(seed % 3, seed), seed, 200);
            assertThat(history.check(ENGINE)).as("seed " + seed).isEmpty();
            assertThat(spread(history, seed).check(ENGINE)).as("seed " + seed).isEmpty();
        }
    }

    @Test
    @DisplayName("the story of a breach is what it takes to see it")
    void check_broken_showsAShortStory() {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(REFERENCE.create(0));
        CarelessWorker.run(lease, List.of("b c"), 1, 100);
        for (long offset = 1; offset < 50; offset++) {
            lease.succeed("A", acquire(lease, offset));
        }
        String token = acquire(lease, 50);
        lease.tryAcquire("A", 51);
        lease.tryAcquire("A", 52);
        lease.succeed("A", token);
        List<String> lines = new ArrayList<>(history.lines());
        lines.add(lines.remove(lines.size() - 1).replace("NEXT_HINT 51", "NO_BACKLOG"));

        LeaseBreach breach = LeaseHistory.read(lines).check(IN_MEMORY).orElseThrow();
        assertThat(breach.why()).isEqualTo("expected NEXT_HINT 51");
        assertThat(breach.story()).hasSize(3);
        assertThat(breach.story().get(0)).startsWith("tryAcquire \"A\" 50 = ACQUIRED");
        assertThat(breach.story().get(1)).startsWith("tryAcquire \"A\" 51 = ENQUEUED");
        assertThat(breach.story().get(2)).isEqualTo(breach.step()).contains("NO_BACKLOG");
        assertThat(breach.toString()).contains(breach.step(), "NOTHING_LOST", "\n  tryAcquire \"A\" 51 = ENQUEUED");
    }

    @Test
    void check_longBacklog_itsBeginningIsShown() {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(WorkLease.inMemory(0));
        for (int offset = 0; offset < DomainSnapshot.MOST_BACKLOG + 5; offset++) {
            lease.tryAcquire("A", offset);
        }
        assertThat(lease.inspect("A").orElseThrow().backlog()).hasSize(DomainSnapshot.MOST_BACKLOG);
        assertThat(history.check(IN_MEMORY)).isEmpty();
    }

    // Histories of many threads

    private static LeaseHistory ofManyThreads(WorkLease lease, long seed, int threads, int steps)
            throws InterruptedException {
        LeaseHistory history = new LeaseHistory();
        WorkLease recording = history.recording(lease);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long own = seed * threads + i;
            workers.add(new Thread(() -> CarelessWorker.run(recording, List.of("A", "B"), own, steps)));
        }
        workers.forEach(Thread::start);
        for (Thread worker : workers) {
            worker.join();
        }
        return history;
    }

    @Test
    @DisplayName("WL-11 what many threads did to Tidegate's leases is explained")
    void check_manyThreads_findsNothing() throws InterruptedException {
        for (int seed = 0; seed < 4; seed++) {
            LeaseHistory history = ofManyThreads(WorkLease.inMemory(seed % 3), seed, 8, 1_000);
            assertThat(history.check(IN_MEMORY)).as("seed " + seed).isEmpty();
            assertThat(LeaseHistory.read(history.lines()).check(IN_MEMORY)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("what many threads did to a lease that only threads can break is refused")
    void check_racy_says(RacyLease racy) throws InterruptedException {
        Optional<LeaseBreach> breach = Optional.empty();
        for (int seed = 0; seed < 1_000 && breach.isEmpty(); seed++) {
            breach = ofManyThreads(racy.create(1), seed, 4, 200).check(IN_MEMORY);
        }
        assertThat(breach).isPresent();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "FAILED_OFFSET_ENQUEUED",
                "PROCESSED_OFFSET_ENQUEUED",
                "FENCE_RESET_BY_FORGET",
                "FORGOTTEN_RUNS_AGAIN",
                "FAILURE_FORGOTTEN",
                "BACKLOG_BY_NUMBER",
                "BACKLOG_WITH_DUPLICATES",
                "REFUSED_IS_ENQUEUED",
                "REPLAY_AT_THE_HEAD",
                "STALE_TOKEN_AFTER_REPLAY"
            })
    @DisplayName("what one thread did to a broken lease is refused")
    void check_brokenLease_says(BrokenLease broken) {
        Optional<LeaseBreach> breach = Optional.empty();
        for (int seed = 0; seed < 1_000 && breach.isEmpty(); seed++) {
            breach = recorded(broken.create(0), seed, 400).check(IN_MEMORY);
        }
        assertThat(breach).isPresent();
    }

    @Test
    void check_aHundredThousandSteps_isDone() {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(WorkLease.inMemory(0));
        long offset = 0;
        String token = acquire(lease, offset);
        for (int i = 0; i < 20_000; i++) {
            lease.tryAcquire("A", offset + 1);
            lease.forget("A", offset - 10);
            if (i % 2 == 0) {
                assertThat(lease.succeed("A", token)).isEqualTo(new SucceedResult.NextHint(++offset));
            } else {
                assertThat(lease.fail("A", token)).isEqualTo(new FailResult.GiveUpNextHint(++offset));
                lease.replay("A", offset - 1);
            }
            token = acquire(lease, offset);
            if (i % 2 == 1) {
                lease.succeed("A", token);
                token = acquire(lease, offset++ - 1);
            }
        }
        assertThat(history.check(IN_MEMORY)).isEmpty();
    }

    private static String acquire(WorkLease lease, long offset) {
        AcquireResult answer = lease.tryAcquire("A", offset);
        assertThat(answer).as("offset " + offset).isInstanceOf(AcquireResult.Acquired.class);
        return ((AcquireResult.Acquired) answer).token();
    }

    // Text

    @Test
    void lines_severalProcesses_areReadTogether() {
        AtomicLong time = new AtomicLong();
        List<String> lines = new ArrayList<>();
        WorkLease lease = REFERENCE.create(0);
        LeaseHistory one = new LeaseHistory("one two", time::getAndIncrement, lines::add);
        LeaseHistory other = new LeaseHistory("\"ü\n", time::getAndIncrement, lines::add);
        AcquireResult.Acquired acquired =
                (AcquireResult.Acquired) one.recording(lease).tryAcquire(" \\\"\n", Long.MIN_VALUE);
        other.recording(lease).tryAcquire(" \\\"\n", 2);
        other.recording(lease).succeed(" \\\"\n", acquired.token());
        assertThatThrownBy(() -> other.recording(lease).tryAcquire(" \\\"\n", 3))
                .isInstanceOf(BacklogOrderingException.class);

        List<String> both = new ArrayList<>(other.lines());
        both.addAll(one.lines());
        LeaseHistory read = LeaseHistory.read(both);
        assertThat(read.lines()).isEqualTo(lines);
        assertThat(read.check(IN_MEMORY)).isEmpty();
        assertThat(LeaseHistory.read(other.lines()).check(IN_MEMORY))
                .as("without the other process")
                .isPresent();
    }

    /** One owner's leases, which never end by themselves, with batches one by one. */
    private static final class OneOwner extends ReferenceLease implements SharedWorkLease {
        OneOwner() {
            super(1, Clock.systemUTC(), (domainId, offset, fence) -> "t" + fence);
        }

        @Override
        public String owner() {
            return "me";
        }

        @Override
        public Duration leaseDuration() {
            return Duration.ofDays(1);
        }

        @Override
        public long renew(String domainId, String token) {
            if (token.isEmpty()) {
                throw new TokenMismatchException(domainId);
            }
            return 7;
        }

        @Override
        public FailResult fail(String domainId, String token, int failure) {
            return fail(domainId, token);
        }

        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            return leases.stream()
                    .map(finish -> BatchAnswer.of(() -> renew(finish.domainId(), finish.token()) - 7))
                    .toList();
        }

        @Override
        public void release(String domainId, String token) {
            throw new TokenMismatchException(domainId);
        }

        @Override
        public List<String> pending(int limit, String afterDomain) {
            return List.of("A");
        }

        @Override
        public long forgetAll(long upToOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long deleteIdle(Duration idle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long deleteFailed(Duration olderThan) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
            return offers.stream()
                    .map(offer -> BatchAnswer.of(() -> tryAcquire(offer.domainId(), offer.offset())))
                    .toList();
        }

        @Override
        public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
            return finishes.stream()
                    .map(finish -> BatchAnswer.of(() -> succeed(finish.domainId(), finish.token())))
                    .toList();
        }
    }

    @Test
    void recording_shared_hasBatchesAndRenewals() {
        LeaseHistory history = new LeaseHistory();
        SharedWorkLease lease = history.recording(new OneOwner());
        String token = ((AcquireResult.Acquired) lease.tryAcquireAll(
                                List.of(new SharedWorkLease.Offer("A", 1), new SharedWorkLease.Offer("A", 2)))
                        .get(0)
                        .orThrow())
                .token();
        assertThat(lease.renew("A", token)).isEqualTo(7);
        assertThatThrownBy(() -> lease.renew("A", "")).isInstanceOf(TokenMismatchException.class);
        lease.fail("A", token, 1);
        lease.succeedAll(List.of(new SharedWorkLease.Finish("A", token), new SharedWorkLease.Finish("A", "x")));
        assertThatThrownBy(() -> lease.tryAcquireAll(List.of(new SharedWorkLease.Offer("A", 3)))
                        .get(0)
                        .orThrow())
                .isInstanceOf(BacklogOrderingException.class);
        assertThat(lease.owner()).isEqualTo("me");
        assertThat(lease.leaseDuration()).isEqualTo(Duration.ofDays(1));

        assertThat(history.lines().stream().map(line -> line.replace(token, "T")))
                .containsExactly(
                        "0 \"local\" 0 tryAcquire \"A\" 1 by \"me\"",
                        "1 \"local\" 1 tryAcquire \"A\" 2 by \"me\"",
                        "2 \"local\" 0 = ACQUIRED \"T\" 1 0",
                        "3 \"local\" 1 = ENQUEUED",
                        "4 \"local\" 2 renew \"A\" \"T\" by \"me\"",
                        "5 \"local\" 2 = RENEWED 7",
                        "6 \"local\" 3 renew \"A\" \"\" by \"me\"",
                        "7 \"local\" 3 = TOKEN_MISMATCH",
                        "8 \"local\" 4 fail \"A\" \"T\" 1 by \"me\"",
                        "9 \"local\" 4 = RETRY_SCHEDULED 1",
                        "10 \"local\" 5 succeed \"A\" \"T\" by \"me\"",
                        "11 \"local\" 6 succeed \"A\" \"x\" by \"me\"",
                        "12 \"local\" 5 = NEXT_HINT 2",
                        "13 \"local\" 6 = LEASE_NOT_FOUND",
                        "14 \"local\" 7 tryAcquire \"A\" 3 by \"me\"",
                        "15 \"local\" 7 = BACKLOG_ORDERING 2");
        assertThat(LeaseHistory.read(history.lines()).lines()).isEqualTo(history.lines());
        assertThat(history.check(ENGINE)).isEmpty();
    }

    @Test
    void recording_shared_hasWhatTheRunnerAsks() {
        LeaseHistory history = new LeaseHistory();
        SharedWorkLease lease = history.recording(new OneOwner());
        String token = ((AcquireResult.Acquired) lease.tryAcquire("A", 1)).token();
        lease.renewAll(List.of(new SharedWorkLease.Finish("A", token), new SharedWorkLease.Finish("B", "")));
        assertThatThrownBy(() -> lease.release("A", "x")).isInstanceOf(TokenMismatchException.class);
        lease.fail("A", token, new Failure(0, false, "why"));
        lease.pending(2, "");
        lease.fail("A", token, new Failure(2, true, "why"));

        assertThat(history.lines().stream().map(line -> line.replace(token, "T")))
                .containsExactly(
                        "0 \"local\" 0 tryAcquire \"A\" 1 by \"me\"",
                        "1 \"local\" 0 = ACQUIRED \"T\" 1 0",
                        "2 \"local\" 1 renew \"A\" \"T\" by \"me\"",
                        "3 \"local\" 2 renew \"B\" \"\" by \"me\"",
                        "4 \"local\" 1 = NOT_RENEWED",
                        "5 \"local\" 2 = TOKEN_MISMATCH",
                        "6 \"local\" 3 release \"A\" \"x\" by \"me\"",
                        "7 \"local\" 3 = TOKEN_MISMATCH",
                        "8 \"local\" 4 fail \"A\" \"T\" by \"me\"",
                        "9 \"local\" 4 = RETRY_SCHEDULED 1",
                        "10 \"local\" 5 pending \"A\" by \"me\"",
                        "11 \"local\" 5 = PENDING",
                        "12 \"local\" 6 fail \"A\" \"T\" 2 permanent by \"me\"",
                        "13 \"local\" 6 = GIVE_UP_NO_BACKLOG");
        assertThat(LeaseHistory.read(history.lines()).lines()).isEqualTo(history.lines());
    }

    @Test
    void recording_strangeException_hasNoReturn() {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(WorkLease.builder(0)
                .tokens((domainId, offset, fence) -> {
                    throw new UnsupportedOperationException();
                })
                .build());
        assertThatThrownBy(() -> lease.tryAcquire("A", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> lease.tryAcquire(null, 1)).isInstanceOf(NullPointerException.class);
        assertThat(history.lines()).containsExactly("0 \"local\" 0 tryAcquire \"A\" 1");
    }

    @Test
    void read_unreadable_saysWhere() {
        for (String line : Arrays.asList(
                "", "x", "1 \"p\" 0 tryAcquire A 1", "1 \"p\" 0 acquire \"A\" 1", "1 \"p\" 0 fail \"A\" t")) {
            assertThatThrownBy(() -> LeaseHistory.read(List.of("0 \"p\" 7 inspect \"A\"", line)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("line 2: '" + line + "'");
        }
        assertThatThrownBy(() -> LeaseHistory.read(List.of("1 \"p\" 0 = ENQUEUED")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a call before it");
    }
}
