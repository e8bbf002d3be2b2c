package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.broken.BreakerFactory;
import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.race.Race;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("hot")
class RaceTest {
    private static final long ROUNDS = 1_000_000;

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-6 CB-7 CB-8 CB-9 CB-11 hold when two threads meet, a million times over")
    void race_tidegate_isRight(BreakerRace race) {
        assertThat(race.run(BreakerFactory.TIDEGATE, ROUNDS, Race.LIMIT)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-7 CB-9 CB-10 CB-11 CB-12 CB-16 CB-17 CB-18 hold when two threads meet, a million times over")
    void race_own_isRight(OwnRace race) {
        assertThat(Race.run(ROUNDS, Race.LIMIT, race::round)).isNull();
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-13 a snapshot taken beside outcomes is consistent, a million times over")
    void race_snapshotAgainstOutcomes_isConsistent(WindowKind window) {
        assertThat(Race.run(ROUNDS, Race.LIMIT, () -> new SnapshotRound(window)))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "BOTH_FAULTS, TRIP_AGAINST_CALLS",
        "BOTH_FAULTS, CALLS_AGAINST_CALLS_WHEN_TIME_IS_OVER",
        "BOTH_FAULTS, LATE_SUCCESS_AGAINST_FIRST_PROBE",
        "FIRST_PROBE_TAKES_SLOT, TRIP_AGAINST_CALLS",
        "FIRST_PROBE_TAKES_SLOT, LATE_PROBE_AGAINST_NEW_PROBE",
        "TIME_BEFORE_STATE, CALLS_AGAINST_CALLS_WHEN_TIME_IS_OVER",
        "NEITHER_FAULT, LATE_PROBE_AGAINST_NEW_PROBE",
        "NEITHER_FAULT, LATE_SUCCESS_AGAINST_FIRST_PROBE"
    })
    @Tag("broken")
    @DisplayName("the races catch the early probe, the extra probe and the late outcome of separate atomics")
    void race_broken_isCaught(SeparateAtomicsBreaker broken, BreakerRace race) {
        Duration turn = Duration.ofMillis(500); // then anew: threads may fall into a step
        Optional<String> verdict = LongStream.range(0, Race.UNTIL_CAUGHT.dividedBy(turn))
                .mapToObj(number -> race.run(broken, Long.MAX_VALUE, turn))
                .filter(Objects::nonNull)
                .findFirst();

        assertThat(verdict).isPresent();
    }

    /** Outcomes from one thread, reads from another, on a window that is just filling. */
    private static final class SnapshotRound implements Race.Round {
        private final CircuitBreaker breaker;
        private @Nullable Counts wrong;

        SnapshotRound(WindowKind window) {
            breaker = window.on(CircuitBreaker.builder("race").readyToTrip(counts -> false))
                    .build();
        }

        @Override
        public void first() {
            for (int i = 0; i < 4; i++) {
                Counts counts = breaker.counts();
                if (!isConsistent(counts)) {
                    wrong = counts;
                }
            }
        }

        private static boolean isConsistent(Counts counts) {
            long successes = counts.totalSuccesses();
            long failures = counts.totalFailures();
            return successes >= 0
                    && failures >= 0
                    && successes + failures <= counts.requests()
                    && (counts.consecutiveSuccesses() == 0 || counts.consecutiveFailures() == 0)
                    && counts.consecutiveSuccesses() <= successes
                    && counts.consecutiveFailures() <= failures;
        }

        @Override
        public void second() {
            breaker.onFailure(breaker.tryAcquire(), BreakerTest.FAILURE);
            breaker.onFailure(breaker.tryAcquire(), BreakerTest.FAILURE);
            breaker.onSuccess(breaker.tryAcquire());
            breaker.onFailure(breaker.tryAcquire(), BreakerTest.FAILURE);
        }

        @Override
        public @Nullable String verdict() {
            boolean right = wrong == null && breaker.counts().equals(new Counts(4, 1, 3, 0, 1));
            return right ? null : "saw " + wrong + ", in the end " + breaker.counts();
        }
    }
}
