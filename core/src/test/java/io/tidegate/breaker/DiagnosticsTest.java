package io.tidegate.breaker;

import static io.tidegate.breaker.ExpectedMetrics.metrics;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Diagnostics and metrics. */
class DiagnosticsTest extends BreakerTest {
    private static boolean oneMoreTrips(CircuitBreaker breaker) {
        return breaker.diagnostics().oneMoreFailureTrips();
    }

    @Test
    @DisplayName("CB-20 one more failure trips after five of the default rule's six, and not before")
    void diagnostics_defaultRule_saysWhenOneMoreTrips() {
        CircuitBreaker breaker = made(builder());
        for (int i = 0; i < 5; i++) {
            assertThat(oneMoreTrips(breaker)).isFalse();
            fail(breaker);
        }
        assertThat(oneMoreTrips(breaker)).isTrue();

        succeed(breaker);

        assertThat(oneMoreTrips(breaker)).isFalse();
    }

    @Test
    @DisplayName("CB-20 asking changes nothing, though it asks the rule")
    void diagnostics_asked_changesNothing() {
        CircuitBreaker breaker = made(brittle());
        for (int i = 0; i < 10; i++) {
            assertThat(oneMoreTrips(breaker)).isTrue();
        }

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-20 what it says about one more failure comes true, in every window kind")
    void diagnostics_random_comesTrue(WindowKind window) {
        Random random = new Random(11);
        int trips = 0;
        for (int round = 0; round < 300; round++) {
            CircuitBreaker breaker =
                    made(window.on(builder()).failureRate(0.3 + random.nextInt(6) / 10.0, 1 + random.nextInt(100)));
            for (int i = 0; i < 150 && breaker.state() == State.CLOSED; i++) {
                ticker.advance(Duration.ofSeconds(random.nextInt(100)));
                if (random.nextBoolean()) {
                    succeed(breaker);
                    continue;
                }
                boolean said = oneMoreTrips(breaker);
                fail(breaker);
                assertThat(breaker.state()).isEqualTo(said ? State.OPEN : State.CLOSED);
                trips += said ? 1 : 0;
            }
        }
        assertThat(trips).as("rounds that tripped").isGreaterThan(50);
    }

    @Test
    @DisplayName("CB-20 an interval that is over is taken into account: one more failure would start a new one")
    void diagnostics_intervalOver_saysNoTrip() {
        CircuitBreaker breaker = made(builder().interval(Duration.ofSeconds(10)));
        fail(breaker, 5);
        assertThat(oneMoreTrips(breaker)).isTrue();

        ticker.advance(Duration.ofSeconds(10));

        assertThat(oneMoreTrips(breaker)).isFalse();
        fail(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-20 half-open: one failed probe trips; open, forced and disabled: nothing to trip")
    void diagnostics_otherStates_sayWhetherOneMoreTrips() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        assertThat(oneMoreTrips(breaker)).isFalse();
        ticker.advance(TIMEOUT);
        probe(breaker);
        assertThat(oneMoreTrips(breaker)).isTrue();
        breaker.forceOpen();
        assertThat(oneMoreTrips(breaker)).isFalse();
        breaker.disable();
        assertThat(oneMoreTrips(breaker)).isFalse();
    }

    @Test
    @DisplayName("CB-20 the time until half-open counts down to zero, and is zero in every other state")
    void diagnostics_open_countsDown() {
        CircuitBreaker breaker = made(brittle());
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isZero();
        open(breaker);
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isEqualTo(TIMEOUT);
        ticker.advance(TIMEOUT.minus(NANO));
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isEqualTo(NANO);
        ticker.advance(NANO);
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isZero();
        ticker.advance(TIMEOUT);
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isZero();
        probe(breaker);
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isZero();
    }

    @Test
    @DisplayName("CB-20 the settings in force are those given")
    void diagnostics_settings_areThoseInForce() {
        CircuitBreaker breaker = made(builder()
                .maxRequests(3)
                .successesToClose(7)
                .timeout(Duration.ofSeconds(11))
                .interval(Duration.ofSeconds(13)));

        assertThat(breaker.diagnostics())
                .isEqualTo(new Diagnostics(
                        State.CLOSED, false, Duration.ZERO, 0, Duration.ofSeconds(11), Duration.ofSeconds(13), 3, 7));
    }

    @Test
    @DisplayName("CB-9 CB-13 the metrics count refused, late, ignored and misused over the breaker's whole life")
    void metrics_wholeLife_addsUp() {
        CircuitBreaker breaker = made(brittle());
        long late = begin(breaker);
        breaker.onIgnored(begin(breaker));
        open(breaker);
        assertRefused(breaker);
        refusal(breaker);
        breaker.onSuccess(late);
        ticker.advance(TIMEOUT);
        long probe = probe(breaker);
        breaker.onIgnored(probe);
        breaker.onIgnored(probe);
        breaker.onSuccess(probe(breaker));
        succeed(breaker);

        assertThat(breaker.metrics())
                .isEqualTo(metrics(State.CLOSED, 3, new Counts(1, 1, 0, 1, 0))
                        .refused(2)
                        .late(1)
                        .ignored(2)
                        .misused(1)
                        .sinceStart(2, 1)
                        .made());
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-4 the failure rate in the metrics is over completed calls, zero without any")
    void metrics_failureRate_isOverCompleted(WindowKind window) {
        CircuitBreaker breaker = made(window.on(tough()));
        assertThat(breaker.metrics().failureRate()).isZero();
        begin(breaker);
        assertThat(breaker.metrics().failureRate()).isZero();
        fail(breaker);
        assertThat(breaker.metrics().failureRate()).isEqualTo(1);
        succeed(breaker, 3);

        assertThat(breaker.metrics().failureRate()).isEqualTo(0.25);
        assertThat(breaker.metrics().counts()).isEqualTo(breaker.counts());
    }

    @Test
    @DisplayName("CB-19 CB-20 a slow-call rate that only waits to be asked is taken into account")
    void diagnostics_slowCallRateAbove_saysTrip() {
        CircuitBreaker breaker = made(builder().slowCalls(NANO, 0.5).failureRate(0.9, 4));
        for (int i = 0; i < 3; i++) {
            long stamp = begin(breaker);
            ticker.advance(Duration.ofSeconds(1));
            breaker.onSuccess(stamp);
        }
        succeed(breaker);

        assertThat(oneMoreTrips(breaker)).isTrue();
        fail(breaker);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }
}
