package io.tidegate.testkit;

import static io.tidegate.testkit.LeaseRules.ENGINE;
import static io.tidegate.testkit.LeaseRules.IN_MEMORY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Short histories without overlap that no lease can have. The last operation is the impossible one. */
class ImpossibleHistoryTest {
    private static final String LEASED = "tryAcquire \"A\" 1 = ACQUIRED \"t1\" 1";
    private static final String LEASED_BY_ONE = "tryAcquire \"A\" 1 by \"one\" = ACQUIRED \"t1\" 1";
    private static final String SUCCEEDED = "succeed \"A\" \"t1\" = NO_BACKLOG";
    private static final String FAILED = "fail \"A\" \"t1\" = GIVE_UP_NO_BACKLOG";
    private static final String SECOND_WAITS = "tryAcquire \"A\" 2 = ENQUEUED";
    private static final String THIRD_WAITS = "tryAcquire \"A\" 3 = ENQUEUED";
    private static final String SECOND_IS_NEXT = "succeed \"A\" \"t1\" = NEXT_HINT 2";

    private static final String RELEASED = "release \"A\" \"t1\" = RELEASED";

    private static LeaseHistory history(List<String> operations) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            String[] parts = operations.get(i).split(" = ", 2);
            lines.add(2 * i + " \"p\" " + i + " " + parts[0]);
            lines.add(2 * i + 1 + " \"p\" " + i + " = " + parts[1]);
        }
        return LeaseHistory.read(lines);
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                impossible(IN_MEMORY, "nobody ever gets it", "tryAcquire \"A\" 1 = ENQUEUED"),
                impossible(IN_MEMORY, "held by nobody", "tryAcquire \"A\" 1 = HELD_ELSEWHERE \"x\" 9"),
                impossible(
                        IN_MEMORY,
                        "held elsewhere, without owners",
                        LEASED,
                        "tryAcquire \"A\" 1 = HELD_ELSEWHERE \"x\" 9"),
                impossible(
                        IN_MEMORY,
                        "failures that nobody reported",
                        LEASED,
                        SUCCEEDED,
                        "inspect \"A\" = SNAPSHOT 1 999"),
                impossible(IN_MEMORY, "a lease that is not shown", LEASED, "inspect \"A\" = SNAPSHOT 0 0"),
                impossible(IN_MEMORY, "a domain out of nothing", "inspect \"A\" = SNAPSHOT 0 0"),
                impossible(IN_MEMORY, "the leased offset waits", LEASED, "tryAcquire \"A\" 1 = ENQUEUED"),
                impossible(
                        IN_MEMORY,
                        "out of order while leased",
                        LEASED,
                        SECOND_WAITS,
                        "tryAcquire \"A\" 3 = BACKLOG_ORDERING 2"),
                impossible(
                        IN_MEMORY,
                        "the head is out of order",
                        LEASED,
                        SECOND_WAITS,
                        SECOND_IS_NEXT,
                        "tryAcquire \"A\" 2 = BACKLOG_ORDERING 2"),
                impossible(
                        IN_MEMORY,
                        "the head waits on an idle domain",
                        LEASED,
                        SECOND_WAITS,
                        SECOND_IS_NEXT,
                        "tryAcquire \"A\" 2 = ENQUEUED"),
                impossible(
                        IN_MEMORY,
                        "another waits on an idle domain",
                        LEASED,
                        SECOND_WAITS,
                        SECOND_IS_NEXT,
                        "tryAcquire \"A\" 3 = ENQUEUED"),
                impossible(
                        IN_MEMORY,
                        "refused for one that is not the head",
                        LEASED,
                        SECOND_WAITS,
                        THIRD_WAITS,
                        SECOND_IS_NEXT,
                        "tryAcquire \"A\" 9 = BACKLOG_ORDERING 3"),
                impossible(
                        IN_MEMORY,
                        "a hint at one that is not the head",
                        LEASED,
                        SECOND_WAITS,
                        THIRD_WAITS,
                        "succeed \"A\" \"t1\" = NEXT_HINT 3"),
                impossible(
                        IN_MEMORY,
                        "what waits is forgotten",
                        LEASED,
                        SECOND_WAITS,
                        "forget \"A\" 5 = FORGOTTEN",
                        "tryAcquire \"A\" 2 = ALREADY_PROCESSED"),
                impossible(IN_MEMORY, "a failure is not known", LEASED, FAILED, "replay \"A\" 1 = NOT_FAILED"),
                impossible(IN_MEMORY, "a success is replayed", LEASED, SUCCEEDED, "replay \"A\" 1 = REPLAYED"),
                impossible(
                        IN_MEMORY,
                        "a replayed offset waits behind nobody",
                        LEASED,
                        FAILED,
                        "replay \"A\" 1 = REPLAYED",
                        "tryAcquire \"A\" 1 = ENQUEUED"),
                impossible(IN_MEMORY, "another token than none", "succeed \"A\" \"x\" = TOKEN_MISMATCH"),
                impossible(IN_MEMORY, "no lease while there is one", LEASED, "succeed \"A\" \"x\" = LEASE_NOT_FOUND"),
                impossible(IN_MEMORY, "retries from nought", LEASED, "fail \"A\" \"t1\" = RETRY_SCHEDULED 0"),
                impossible(
                        IN_MEMORY,
                        "one offset has fewer retries than another",
                        LEASED,
                        "fail \"A\" \"t1\" = RETRY_SCHEDULED 1",
                        FAILED,
                        "tryAcquire \"A\" 2 = ACQUIRED \"t2\" 2",
                        "fail \"A\" \"t2\" = GIVE_UP_NO_BACKLOG"),
                impossible(IN_MEMORY, "a success that fails", LEASED, "succeed \"A\" \"t1\" = GIVE_UP_NO_BACKLOG"),
                impossible(IN_MEMORY, "a failure that succeeds", LEASED, "fail \"A\" \"t1\" = NO_BACKLOG"),
                impossible(IN_MEMORY, "an attempt that is finished", "tryAcquire \"A\" 1 = NO_BACKLOG"),
                impossible(IN_MEMORY, "a replay that is forgotten", LEASED, FAILED, "replay \"A\" 1 = FORGOTTEN"),
                impossible(ENGINE, "nobody ever gets it", "tryAcquire \"A\" 1 = ENQUEUED"),
                impossible(ENGINE, "held by nobody", "tryAcquire \"A\" 1 = HELD_ELSEWHERE \"x\" 9"),
                impossible(
                        ENGINE,
                        "held by another",
                        LEASED_BY_ONE,
                        "tryAcquire \"A\" 1 by \"two\" = HELD_ELSEWHERE \"three\" 9"),
                impossible(
                        ENGINE,
                        "held by oneself",
                        LEASED_BY_ONE,
                        "tryAcquire \"A\" 1 by \"one\" = HELD_ELSEWHERE \"one\" 9"),
                impossible(
                        ENGINE,
                        "a stranger sees the token",
                        LEASED_BY_ONE,
                        "tryAcquire \"A\" 1 by \"two\" = ALREADY_ACQUIRED \"t1\" 1"),
                impossible(
                        ENGINE,
                        "taken over from oneself",
                        LEASED_BY_ONE,
                        "tryAcquire \"A\" 1 by \"one\" = ACQUIRED \"t2\" 2"),
                impossible(
                        ENGINE,
                        "two ends of one lease",
                        LEASED_BY_ONE,
                        "renew \"A\" \"t1\" by \"one\" = RENEWED 50",
                        "tryAcquire \"A\" 1 by \"two\" = HELD_ELSEWHERE \"one\" 60"),
                impossible(
                        ENGINE,
                        "a finish repeated after another",
                        LEASED,
                        SUCCEEDED,
                        "tryAcquire \"A\" 2 = ACQUIRED \"t2\" 2",
                        "succeed \"A\" \"t2\" = NO_BACKLOG",
                        SUCCEEDED),
                impossible(ENGINE, "a failure repeated as a success", LEASED, FAILED, SUCCEEDED),
                impossible(
                        ENGINE,
                        "a take-over that does not count",
                        LEASED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2",
                        "fail \"A\" \"t2\" = RETRY_SCHEDULED 1"),
                impossible(
                        ENGINE,
                        "failed for good and given again",
                        LEASED,
                        FAILED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2"),
                impossible(
                        ENGINE,
                        "given up, and prolonged",
                        LEASED,
                        "tryAcquire \"A\" 1 = ALREADY_FAILED",
                        "renew \"A\" \"t1\" = RENEWED 9"),
                impossible(
                        ENGINE,
                        "a numbered failure counted twice",
                        LEASED,
                        "fail \"A\" \"t1\" 1 = RETRY_SCHEDULED 1",
                        "fail \"A\" \"t1\" 1 = RETRY_SCHEDULED 2"),
                impossible(IN_MEMORY, "retries before the first attempt", "tryAcquire \"A\" 1 = ACQUIRED \"t1\" 1 1"),
                impossible(
                        IN_MEMORY,
                        "other retries than were reported",
                        LEASED,
                        "fail \"A\" \"t1\" = RETRY_SCHEDULED 1",
                        "tryAcquire \"A\" 1 = ALREADY_ACQUIRED \"t1\" 1 0"),
                impossible(IN_MEMORY, "not prolonged, in memory", LEASED, "renew \"A\" \"t1\" = NOT_RENEWED"),
                impossible(
                        IN_MEMORY.withMaxRetries(3),
                        "a permanent failure that is retried",
                        LEASED,
                        "fail \"A\" \"t1\" permanent = RETRY_SCHEDULED 1"),
                impossible(
                        ENGINE,
                        "a take-over whose retry is not shown",
                        LEASED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2 0"),
                impossible(
                        ENGINE,
                        "released with a retry more",
                        LEASED,
                        RELEASED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2 1"),
                impossible(
                        ENGINE,
                        "released without its retries",
                        LEASED,
                        "fail \"A\" \"t1\" = RETRY_SCHEDULED 1",
                        RELEASED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2 0"),
                impossible(
                        ENGINE,
                        "released and dated anew",
                        LEASED,
                        "inspect \"A\" = SNAPSHOT \"t1\" 0 0 1 1 50 0",
                        RELEASED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2 0",
                        "inspect \"A\" = SNAPSHOT \"t2\" 0 0 1 2 60 0"),
                impossible(
                        ENGINE,
                        "released behind those who wait",
                        LEASED,
                        SECOND_WAITS,
                        RELEASED,
                        "tryAcquire \"A\" 2 = ACQUIRED \"t2\" 2 0"),
                impossible(ENGINE, "released, and finished", LEASED, RELEASED, SUCCEEDED),
                impossible(ENGINE, "released twice", LEASED, RELEASED, RELEASED),
                impossible(ENGINE, "released with another's token", LEASED, "release \"A\" \"x\" = RELEASED"),
                impossible(
                        ENGINE,
                        "released with the old fence",
                        LEASED,
                        RELEASED,
                        "tryAcquire \"A\" 1 = ACQUIRED \"t2\" 1 0"),
                impossible(
                        ENGINE.withMaxRetries(3),
                        "a permanent failure that is retried",
                        LEASED,
                        "fail \"A\" \"t1\" 1 permanent = RETRY_SCHEDULED 1"),
                impossible(
                        ENGINE.withMaxRetries(3),
                        "given up with retries left",
                        LEASED,
                        "fail \"A\" \"t1\" 1 = GIVE_UP_NO_BACKLOG"),
                impossible(ENGINE, "listed with nothing to do", LEASED, SUCCEEDED, "pending \"A\" = PENDING"),
                impossible(
                        ENGINE.withLeaseDuration(Duration.ofSeconds(1), Duration.ZERO),
                        "listed while it is held",
                        LEASED,
                        "pending \"A\" = PENDING"));
    }

    private static Arguments impossible(LeaseRules rules, String what, String... operations) {
        return Arguments.of(rules.onEngine ? "engine" : "in memory", what, rules, operations);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("impossible")
    void check_impossible_says(String where, String what, LeaseRules rules, String[] operations) {
        List<String> all = Arrays.asList(operations);
        assertThat(history(all.subList(0, all.size() - 1)).check(rules))
                .as("up to the last")
                .isEmpty();
        assertThat(history(all).check(rules)).isPresent();
    }
}
