package io.tidegate.breaker;

import static io.tidegate.breaker.ExpectedMetrics.metrics;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Force open, disable and reset. */
class OverrideTest extends BreakerTest {
    @Test
    @DisplayName("CB-18 forced open: every call is refused until reset, however long it takes")
    void forceOpen_refusesUntilReset() {
        CircuitBreaker breaker = made(builder());
        breaker.forceOpen();
        ticker.advance(Duration.ofDays(36_500));

        CallNotPermittedException refused = refusal(breaker);
        assertThat(refused).isExactlyInstanceOf(CircuitOpenException.class);
        assertThat(refused.state()).isEqualTo(State.FORCED_OPEN);
        assertThat(refused.breakerName()).isEqualTo("search");
        assertThat(refused.retryAfter()).isNotNull().isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(errorOf(breaker.executeAsync(() -> {
                    throw new AssertionError();
                })))
                .isInstanceOf(CircuitOpenException.class);
        assertThat(breaker.metrics().refused()).isEqualTo(2);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.state()).isEqualTo(State.FORCED_OPEN);

        breaker.reset();

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        succeed(breaker);
        assertThat(told).containsExactly("CLOSED -> FORCED_OPEN", "FORCED_OPEN -> CLOSED");
    }

    @Test
    @DisplayName("CB-18 disabled: every call runs, whatever it ends with, and nothing is counted")
    void disable_admitsAllAndCountsNothing() throws Exception {
        CircuitBreaker breaker = made(brittle());
        breaker.disable();

        fail(breaker, 100);
        assertThat(breaker.<String>execute(() -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> breaker.execute(() -> {
                    throw FAILURE;
                }))
                .isSameAs(FAILURE);
        breaker.onIgnored(begin(breaker));
        begin(breaker);

        assertThat(breaker.metrics())
                .isEqualTo(metrics(State.DISABLED, 1, NOTHING).made());
        assertThat(told).containsExactly("CLOSED -> DISABLED");
    }

    @Test
    @DisplayName("CB-18 a disabled breaker admits more calls than it has probe slots, from half-open too")
    void disable_halfOpen_admitsAll() {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);
        breaker.disable();
        for (int i = 0; i < 100; i++) {
            begin(breaker);
        }
        breaker.onFailure(probe, FAILURE);

        assertThat(breaker.state()).isEqualTo(State.DISABLED);
        assertThat(breaker.diagnostics().probesInFlight()).isZero();
    }

    static Stream<Consumer<CircuitBreaker>> overrides() {
        return Stream.of(CircuitBreaker::forceOpen, CircuitBreaker::disable, CircuitBreaker::reset);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-9 CB-18 a call admitted before forceOpen is late after it")
    void forceOpen_callRunning_isLate(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        long running = begin(breaker);
        breaker.forceOpen();

        outcome.tell(breaker, running);

        assertThat(breaker.metrics())
                .isEqualTo(metrics(State.FORCED_OPEN, 1, NOTHING).late(1).made());
        breaker.reset();
        long afterReset = begin(breaker);
        outcome.tell(breaker, running);
        breaker.onSuccess(afterReset);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-9 CB-18 a call admitted while disabled counts nothing after reset")
    void reset_callAdmittedWhileDisabled_countsNothing(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        breaker.disable();
        long running = begin(breaker);
        breaker.reset();

        outcome.tell(breaker, running);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @MethodSource("overrides")
    @DisplayName("CB-12 CB-18 each of them clears the counts")
    void override_closedWithCounts_clears(Consumer<CircuitBreaker> override) {
        CircuitBreaker breaker = made(builder());
        fail(breaker, 5);
        succeed(breaker);

        override.accept(breaker);

        assertThat(breaker.counts()).isEqualTo(NOTHING);
    }

    @Test
    @DisplayName("CB-18 reset closes an open breaker at once, and a half-open one; old probes are late")
    void reset_openOrHalfOpen_closes() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        breaker.reset();
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        succeed(breaker);

        long probe = halfOpen(breaker);
        breaker.reset();
        breaker.onFailure(probe, FAILURE);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().late()).isEqualTo(1);
        assertThat(told)
                .containsExactly(
                        "CLOSED -> OPEN",
                        "OPEN -> CLOSED",
                        "CLOSED -> OPEN",
                        "OPEN -> HALF_OPEN",
                        "HALF_OPEN -> CLOSED");
    }

    @Test
    @DisplayName("CB-11 CB-18 asked for the state it is in, a breaker changes nothing and tells nobody")
    void override_again_tellsNobody() {
        CircuitBreaker breaker = made(builder());
        breaker.forceOpen();
        breaker.forceOpen();
        assertThat(told).containsExactly("CLOSED -> FORCED_OPEN");
        breaker.disable();
        breaker.disable();
        assertThat(told).hasSize(2).endsWith("FORCED_OPEN -> DISABLED");
        breaker.reset();
        breaker.reset();

        assertThat(told).hasSize(3).endsWith("DISABLED -> CLOSED");
    }

    @Test
    @DisplayName("CB-18 a reset breaker is as good as new: it trips, opens for its time and probes")
    void reset_afterAll_worksAsNew() {
        CircuitBreaker breaker = made(builder());
        breaker.forceOpen();
        breaker.disable();
        breaker.reset();

        fail(breaker, 5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT);
        ticker.advance(TIMEOUT);
        breaker.onSuccess(probe(breaker));

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-18 forced open from open and half-open, and back")
    void forceOpen_fromOtherStates_works() {
        CircuitBreaker breaker = made(brittle());
        halfOpen(breaker);
        breaker.forceOpen();
        breaker.reset();
        open(breaker);
        breaker.forceOpen();
        ticker.advance(TIMEOUT);
        assertRefused(breaker);
        breaker.reset();

        assertThat(told)
                .containsExactly(
                        "CLOSED -> OPEN",
                        "OPEN -> HALF_OPEN",
                        "HALF_OPEN -> FORCED_OPEN",
                        "FORCED_OPEN -> CLOSED",
                        "CLOSED -> OPEN",
                        "OPEN -> FORCED_OPEN",
                        "FORCED_OPEN -> CLOSED");
    }
}
