package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.tidegate.testkit.LeaseBreach;
import io.tidegate.testkit.LeaseHistory;
import io.tidegate.testkit.LeaseRules;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Several owners at once: all their answers must have an explanation, and with a fault in the scripts they must have
 * none.
 */
@Timeout(600)
class RedisHistoryTest {
    private static final Duration RUNS_OUT = Duration.ofMillis(2);
    private static final Duration DOES_NOT_RUN_OUT = Duration.ofHours(1);
    private static final int STEPS = 250;
    private static final int SEEDS = 3;
    private static final int MOST_SEEDS = 1_000;

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @Test
    @DisplayName("WL-11 WL-20 … WL-23 owners whose leases run out all the time: the history has nothing wrong with it")
    void manyOwners_leasesRunOut_nothingWrong() {
        Set<String> notYetReported = new HashSet<>(Set.of("HELD_ELSEWHERE", "TOKEN_MISMATCH"));
        for (int seed = 0; seed < SEEDS || (seed < MOST_SEEDS && !notYetReported.isEmpty()); seed++) {
            LeaseHistory history = play(connection.async(), RUNS_OUT, seed);
            assertThat(history.check(LeaseRules.ENGINE)).as("seed %d", seed).isEmpty();
            List<String> lines = history.lines();
            notYetReported.removeIf(code -> lines.stream().anyMatch(line -> line.contains(code)));
        }
        assertThat(notYetReported).as("leases met and ran out").isEmpty();
    }

    @Test
    @DisplayName("WL-21 owners whose leases do not run out: nothing is taken over, as in memory")
    void manyOwners_leasesStay_nothingTakenOver() {
        for (int seed = 0; seed < SEEDS; seed++) {
            LeaseHistory history = play(connection.async(), DOES_NOT_RUN_OUT, seed);
            assertThat(history.check(LeaseRules.IN_MEMORY)).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CLIENT_CLOCK")
    @DisplayName("a fault in the scripts is found")
    void manyOwners_brokenScripts_areCaught(BrokenScripts broken) {
        assertThat(broken.fits()).isTrue();
        assertThat(firstBreach(broken, RUNS_OUT, LeaseRules.ENGINE)).isPresent();
    }

    @Test
    @DisplayName("WL-21 a client whose own clock counts is found: it takes over what has not run out")
    void manyOwners_clientClock_isCaught() {
        assertThat(BrokenScripts.CLIENT_CLOCK.fits()).isTrue();
        assertThat(firstBreach(BrokenScripts.CLIENT_CLOCK, DOES_NOT_RUN_OUT, LeaseRules.IN_MEMORY))
                .isPresent();
    }

    private static Optional<LeaseBreach> firstBreach(BrokenScripts broken, Duration leaseDuration, LeaseRules rules) {
        Optional<LeaseBreach> breach = Optional.empty();
        for (int seed = 0; seed < MOST_SEEDS && breach.isEmpty(); seed++) {
            breach = play(broken.in(connection.async()), leaseDuration, seed).check(rules);
        }
        return breach;
    }

    private static LeaseHistory play(
            RedisScriptingAsyncCommands<String, String> commands, Duration leaseDuration, long seed) {
        return new Owners(commands, "store" + stores++, leaseDuration, leaseDuration.equals(RUNS_OUT), () -> {})
                .work(seed, STEPS);
    }
}
