package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Two threads that meet at the same instant, by the million or for as long as {@code tidegate.race.millis} allows. */
class GroupRaceTest {
    private static final long ROUNDS = 1_000_000;

    @ParameterizedTest
    @EnumSource(PermitsRace.class)
    @DisplayName(
            "GX-3 GX-7 GX-11 permits that two threads want: none too many, none lost, nobody left beside a free one")
    void permits_tidegate_areRight(PermitsRace race) {
        assertThat(Race.run(ROUNDS, Race.LIMIT, race.rounds(TrueGroups::new))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "END_AGAINST_ADMIT, LOOKS_THEN_WAITS",
        "END_AGAINST_WITHDRAW, LOOKS_THEN_LEAVES",
        "COME_AND_GO, LOOKS_THEN_TAKES"
    })
    @Tag("broken")
    @DisplayName("each race for permits catches what it is there for")
    void permits_broken_areCaught(PermitsRace race, BrokenPermits broken) {
        assertThat(Race.run(Long.MAX_VALUE, Race.UNTIL_CAUGHT, race.rounds(broken)))
                .isNotNull();
    }

    @ParameterizedTest
    @EnumSource(ExecutorRace.class)
    @DisplayName(
            "GX-10 GX-11 GX-15 GX-16 GX-17 a task that two threads decide about ends once, and leaves nothing behind")
    void executor_tidegate_isRight(ExecutorRace race) {
        assertThat(race.run(GroupExecutor::newVirtualThreadExecutor, ROUNDS, Race.LIMIT))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "CANCEL_AGAINST_START, INTERRUPTS_LATE",
        "CANCEL_AGAINST_START, CANCELS_HANDLE_ONLY",
        "EVICT_AGAINST_SUBMIT, FORGETS_BUSY_GROUP",
        "CLOSE_AGAINST_SUBMIT, LOOKS_THEN_ENTERS",
        "SHUTDOWN_GROUP_AGAINST_SUBMIT, REPLACES_GROUP"
    })
    @Tag("broken")
    @DisplayName("each race for a task catches what it is there for")
    void executor_broken_isCaught(ExecutorRace race, BrokenExecutor broken) {
        assertThat(race.run(broken, Long.MAX_VALUE, Race.UNTIL_CAUGHT)).isNotNull();
    }
}
