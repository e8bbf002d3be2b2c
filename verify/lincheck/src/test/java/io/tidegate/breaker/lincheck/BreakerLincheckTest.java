package io.tidegate.breaker.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static io.tidegate.lincheck.Strategy.STRESS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.broken.BreakerFactory;
import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.lincheck.Strategy;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BreakerLincheckTest {
    private static final int FAILURES_TO_TRIP = 2;
    private static final BreakerFactory TIDEGATE = (maxRequests, ticker, listener) -> CircuitBreaker.builder("lincheck")
            .maxRequests(maxRequests)
            .timeout(BreakerFactory.TIMEOUT)
            .probeTimeout(Duration.ofDays(1))
            .readyToTrip(counts -> counts.totalFailures() >= FAILURES_TO_TRIP)
            .ticker(ticker)
            .onStateChange(listener)
            .build();

    @ParameterizedTest
    @CsvSource({
        "MODEL_CHECKING, CLOSED, 1",
        "MODEL_CHECKING, TIME_IS_OVER, 1",
        "MODEL_CHECKING, HALF_OPEN, 1",
        "MODEL_CHECKING, HALF_OPEN, 2",
        "MODEL_CHECKING, LATE_PROBE, 2",
        "STRESS, HALF_OPEN, 1",
        "STRESS, LATE_PROBE, 2"
    })
    @DisplayName("CB-5 CB-6 CB-7 CB-8 CB-9 calls and their outcomes are linearizable")
    void calls_tidegate_linearizable(Strategy strategy, Start start, int maxRequests) {
        checkTidegate(strategy, Calls.class, start, maxRequests);
    }

    @ParameterizedTest
    @CsvSource({
        "MODEL_CHECKING, CLOSED, 1",
        "MODEL_CHECKING, HALF_OPEN, 1",
        "STRESS, CLOSED, 1",
        "STRESS, HALF_OPEN, 1",
        "STRESS, LATE_PROBE, 2"
    })
    @DisplayName(
            "CB-6 CB-8 CB-9 CB-11 CB-12 CB-13 and so they are while time passes, and all is reported and counted once")
    void timedCalls_tidegate_linearizable(Strategy strategy, Start start, int maxRequests) {
        checkTidegate(strategy, TimedCalls.class, start, maxRequests);
    }

    @Test
    @DisplayName(
            "CB-7 CB-8 no call is refused for a slot that no call gets, or gets a slot that was free after the end")
    void calls_probeBeginsAsPeriodEnds_linearizable() {
        checkProbeBeginsAsPeriodEnds(new Setting(TIDEGATE, 2, FAILURES_TO_TRIP, 2, Start.ONE_PROBE));
    }

    @ParameterizedTest
    @CsvSource({
        "BOTH_FAULTS, CLOSED, 1",
        "BOTH_FAULTS, TIME_IS_OVER, 1",
        "BOTH_FAULTS, HALF_OPEN, 1",
        "FIRST_PROBE_TAKES_SLOT, CLOSED, 1",
        "TIME_BEFORE_STATE, TIME_IS_OVER, 1",
        "NEITHER_FAULT, HALF_OPEN, 1",
        "NEITHER_FAULT, LATE_PROBE, 2"
    })
    @Tag("broken")
    @DisplayName("CB-6 CB-7 CB-8 CB-9 the early probe, the probe too many and the late outcome are caught")
    void calls_broken_caught(SeparateAtomicsBreaker broken, Start start, int maxRequests) {
        assertCaught(MODEL_CHECKING, Calls.class, broken, start, maxRequests);
    }

    @Test
    @Tag("broken")
    @DisplayName("CB-7 CB-8 a slot that was free after the end of the period is caught")
    void calls_brokenProbeBeginsAsPeriodEnds_caught() {
        Setting setting = new Setting(SeparateAtomicsBreaker.NEITHER_FAULT, 2, 1, 1, Start.ONE_PROBE);
        assertCaught(() -> checkProbeBeginsAsPeriodEnds(setting));
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(
            value = SeparateAtomicsBreaker.class,
            names = {"NEITHER_FAULT", "CHECK_THEN_SET"})
    @DisplayName("CB-11 CB-12 CB-13 a change that is reported twice and counts that outlive one are caught")
    void timedCalls_broken_caught(SeparateAtomicsBreaker broken) {
        assertCaught(MODEL_CHECKING, TimedCalls.class, broken, Start.CLOSED, 1);
    }

    @Test
    @Tag("broken")
    @DisplayName("CB-9 stress, too, compares with the specification")
    void calls_brokenUnderStress_caught() {
        assertCaught(STRESS, Calls.class, SeparateAtomicsBreaker.BOTH_FAULTS, Start.HALF_OPEN, 1);
    }

    private static void checkTidegate(Strategy strategy, Class<?> subject, Start start, int maxRequests) {
        Setting.current = new Setting(TIDEGATE, maxRequests, FAILURES_TO_TRIP, maxRequests, start);
        strategy.check(subject, CallsSpecification.class, true);
    }

    /**
     * One probe is under way and there is room for one more: two callers ask for that room, and the first probe fails.
     */
    private static void checkProbeBeginsAsPeriodEnds(Setting setting) {
        Setting.current = setting;
        List<List<Actor>> threads = List.of(List.of(call("begin", 1), call("fail", 0)), List.of(call("begin", 2)));
        MODEL_CHECKING.check(Calls.class, CallsSpecification.class, threads);
    }

    private static Actor call(String operation, int caller) {
        try {
            return new Actor(Calls.class.getMethod(operation, int.class), List.of(caller));
        } catch (NoSuchMethodException missing) {
            throw new IllegalArgumentException(missing);
        }
    }

    private static void assertCaught(
            Strategy strategy, Class<?> subject, SeparateAtomicsBreaker broken, Start start, int maxRequests) {
        Setting.current = new Setting(broken, maxRequests, 1, 1, start);
        assertCaught(() -> strategy.check(subject, CallsSpecification.class, false));
    }

    private static void assertCaught(ThrowingCallable check) {
        assertThatThrownBy(check)
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }
}
