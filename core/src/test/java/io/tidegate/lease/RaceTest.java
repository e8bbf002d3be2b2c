package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.broken.RacyLease;
import io.tidegate.race.Race;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("hot")
class RaceTest {
    private static final Map<RacyLease, LeaseRace> CAUGHT_BY = Map.of(
            RacyLease.ACQUIRES_WITHOUT_A_SECOND_LOOK, LeaseRace.ACQUIRE_AGAINST_ACQUIRE,
            RacyLease.FINISHES_IN_TWO_STEPS, LeaseRace.SUCCEED_AGAINST_SUCCEED,
            RacyLease.ENQUEUES_IN_TWO_STEPS, LeaseRace.ACQUIRE_AGAINST_SUCCEED);

    @ParameterizedTest
    @EnumSource
    @DisplayName("WL-2 WL-6 WL-9 WL-11 hold when two threads meet")
    void race_tidegate_isRight(LeaseRace race) {
        assertThat(race.run(WorkLease.inMemory(1), 200_000, Race.LIMIT)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("broken")
    @DisplayName("the races catch every lease that only threads can break")
    void race_broken_isCaught(RacyLease broken) {
        assertThat(CAUGHT_BY.get(broken).run(broken.create(1), Long.MAX_VALUE, Race.UNTIL_CAUGHT))
                .isNotNull();
    }
}
