package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UpdateTest extends BreakerTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    static Stream<Consumer<SettingsUpdate>> badChanges() {
        return Stream.of(
                change -> change.maxRequests(0),
                change -> change.maxRequests(65),
                change -> change.successesToClose(0),
                change -> change.timeout(Duration.ZERO),
                change -> change.probeTimeout(Duration.ZERO),
                change -> change.interval(NANO.negated()),
                change -> change.failureRate(1.1, 1),
                change -> change.failureRate(Double.NaN, 1),
                change -> change.failureRate(0.5, 0));
    }

    @ParameterizedTest
    @MethodSource("badChanges")
    @DisplayName("CB-17 CB-1 one bad value and nothing changes, whether it comes first or last")
    void update_oneBad_changesNothing(Consumer<SettingsUpdate> bad) {
        CircuitBreaker breaker = made(builder().interval(TEN));
        fail(breaker, 2);
        Diagnostics before = breaker.diagnostics();
        Consumer<SettingsUpdate> good = change -> change.timeout(TEN)
                .interval(Duration.ofSeconds(1))
                .maxRequests(7)
                .successesToClose(9)
                .probeTimeout(TEN)
                .failureRate(0.5, 1);

        assertThatThrownBy(() -> breaker.update(good.andThen(bad)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("\\w+: .+ \\(expected: .+\\)");
        assertThatThrownBy(() -> breaker.update(bad.andThen(good))).isInstanceOf(IllegalArgumentException.class);

        assertThat(breaker.diagnostics()).isEqualTo(before);
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 0, 2, 0, 2));
        fail(breaker);
        assertThat(breaker.state()).as("the rate was not taken over").isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @MethodSource("badChanges")
    @DisplayName("CB-17 a bad value whose exception the caller swallows still changes nothing")
    void update_badSwallowed_doesNotApplyIt(Consumer<SettingsUpdate> bad) {
        CircuitBreaker breaker = made(builder().interval(TEN));
        Diagnostics before = breaker.diagnostics();

        breaker.update(change -> assertThatThrownBy(() -> bad.accept(change)).isNotNull());

        assertThat(breaker.diagnostics()).isEqualTo(before);
    }

    @Test
    @DisplayName("CB-17 a change that throws half-way changes nothing")
    void update_changeThrows_changesNothing() {
        CircuitBreaker breaker = made(builder());
        Diagnostics before = breaker.diagnostics();

        assertThatThrownBy(() -> breaker.update(change -> {
                    change.timeout(TEN).maxRequests(3);
                    throw sneaky(FAILURE);
                }))
                .isSameAs(FAILURE);
        assertThatThrownBy(() -> breaker.update(null)).isInstanceOf(NullPointerException.class);

        assertThat(breaker.diagnostics()).isEqualTo(before);
    }

    @Test
    @DisplayName("CB-17 a change kept and used after the update does nothing")
    void update_changeEscapes_doesNothing() {
        CircuitBreaker breaker = made(builder());
        AtomicReference<SettingsUpdate> escaped = new AtomicReference<>();
        breaker.update(escaped::set);
        Diagnostics before = breaker.diagnostics();

        thrownBy(() -> escaped.get().timeout(TEN).maxRequests(3));

        assertThat(breaker.diagnostics()).isEqualTo(before);
    }

    @Test
    @DisplayName("CB-17 CB-20 any subset changes, and the rest stays")
    void update_subset_leavesTheRest() {
        CircuitBreaker breaker =
                made(builder().maxRequests(2).successesToClose(3).interval(TEN));

        breaker.update(change -> change.timeout(TEN));
        assertThat(breaker.diagnostics())
                .isEqualTo(new Diagnostics(State.CLOSED, false, Duration.ZERO, 0, TEN, TEN, 2, 3));
        breaker.update(change -> change.maxRequests(5).successesToClose(4).interval(Duration.ZERO));
        assertThat(breaker.diagnostics())
                .isEqualTo(new Diagnostics(State.CLOSED, false, Duration.ZERO, 0, TEN, Duration.ZERO, 5, 4));
        breaker.update(change -> {});
        assertThat(breaker.diagnostics())
                .isEqualTo(new Diagnostics(State.CLOSED, false, Duration.ZERO, 0, TEN, Duration.ZERO, 5, 4));
        assertThat(told).isEmpty();
    }

    @Test
    @DisplayName("CB-17 closed: state and counts stay, running calls still count, nobody is told")
    void update_closed_keepsCounts() {
        CircuitBreaker breaker = made(builder());
        fail(breaker, 5);
        long running = begin(breaker);

        breaker.update(change -> change.timeout(TEN).maxRequests(3).probeTimeout(TEN));
        assertThat(breaker.counts()).isEqualTo(new Counts(6, 0, 5, 0, 5));
        breaker.onFailure(running, FAILURE);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TEN);
        assertThat(breaker.metrics().late()).isZero();
        assertThat(told).hasSize(1);
    }

    @Test
    @DisplayName(
            "CB-17 CB-12 closed: a changed interval starts with an empty window; running calls count where they end")
    void update_intervalClosed_clears() {
        CircuitBreaker breaker = made(builder().interval(TEN));
        fail(breaker, 3);
        long running = begin(breaker);
        ticker.advance(Duration.ofSeconds(9));

        breaker.update(change -> change.interval(Duration.ofSeconds(5)));

        assertThat(breaker.counts().totalFailures()).isZero();
        assertThat(breaker.counts().consecutiveFailures()).isZero();
        breaker.onFailure(running, FAILURE);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
        ticker.advance(Duration.ofSeconds(5).minus(NANO));
        fail(breaker);
        assertThat(breaker.counts().totalFailures()).isEqualTo(2);
        ticker.advance(NANO);
        fail(breaker);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
        assertThat(breaker.metrics().late()).isZero();
        assertThat(breaker.metrics().generation()).isZero();
    }

    @Test
    @DisplayName("CB-17 closed: an interval can be switched on and off")
    void update_intervalOnAndOff_works() {
        CircuitBreaker breaker = made(builder());
        fail(breaker, 3);
        breaker.update(change -> change.interval(TEN));
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        fail(breaker, 3);
        ticker.advance(TEN);
        fail(breaker);
        assertThat(breaker.counts().totalFailures()).isEqualTo(1);

        breaker.update(change -> change.interval(Duration.ZERO));
        fail(breaker, 3);
        ticker.advance(TEN.multipliedBy(100));
        fail(breaker);

        assertThat(breaker.counts().totalFailures()).isEqualTo(4);
    }

    @Test
    @DisplayName("CB-17 an interval and a timeout set to what they were are not changed ones")
    void update_sameValues_clearAndRestartNothing() {
        CircuitBreaker breaker = made(builder().interval(TEN));
        fail(breaker, 3);
        breaker.update(change -> change.interval(TEN).timeout(TIMEOUT));
        assertThat(breaker.counts()).isEqualTo(new Counts(3, 0, 3, 0, 3));
        fail(breaker, 3);
        ticker.advance(TEN);

        breaker.update(change -> change.timeout(TIMEOUT));

        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT.minus(TEN));
    }

    @Test
    @DisplayName("CB-17 open: a changed timeout restarts it, without a change of state")
    void update_timeoutOpen_restarts() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofSeconds(50));

        breaker.update(change -> change.timeout(Duration.ofSeconds(30)));

        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofSeconds(30));
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isEqualTo(Duration.ofSeconds(30));
        ticker.advance(Duration.ofSeconds(30).minus(NANO));
        assertRefused(breaker);
        assertThat(told).hasSize(1);
        assertThat(breaker.metrics().generation()).isEqualTo(1);
        ticker.advance(NANO);
        probe(breaker);
    }

    @Test
    @DisplayName("CB-17 open: any other change leaves its clock alone")
    void update_othersOpen_restartNothing() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofSeconds(50));

        breaker.update(change -> change.interval(TEN)
                .maxRequests(2)
                .successesToClose(1)
                .probeTimeout(TEN)
                .failureRate(0.5, 10));

        assertThat(refusal(breaker).retryAfter()).isEqualTo(TEN);
        ticker.advance(TEN);
        probe(breaker);
        probe(breaker);
        assertRefused(breaker);
    }

    @Test
    @DisplayName("CB-17 half-open: running probes keep their slots, counts stay, and a larger limit holds at once")
    void update_maxRequestsRaised_admitsMore() {
        CircuitBreaker breaker = made(brittle().successesToClose(4));
        breaker.onSuccess(halfOpen(breaker));
        long running = probe(breaker);

        breaker.update(change -> change.maxRequests(3));

        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 1, 0, 1, 0));
        assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
        long second = probe(breaker);
        long third = probe(breaker);
        assertRefused(breaker);
        breaker.onSuccess(running);
        breaker.onSuccess(second);
        breaker.onSuccess(third);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-17 half-open: a smaller limit lets running probes end and admits none above it")
    void update_maxRequestsLowered_drains() {
        CircuitBreaker breaker = made(brittle().maxRequests(3).successesToClose(10));
        long first = halfOpen(breaker);
        long second = probe(breaker);
        long third = probe(breaker);

        breaker.update(change -> change.maxRequests(1));

        for (long running : new long[] {first, second}) {
            assertRefused(breaker);
            breaker.onSuccess(running);
        }
        assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
        assertRefused(breaker);
        breaker.onSuccess(third);
        probe(breaker);
        assertRefused(breaker);
        assertThat(breaker.counts()).isEqualTo(new Counts(4, 3, 0, 3, 0));
    }

    @Test
    @DisplayName("CB-17 half-open: a lower successesToClose holds for the next success")
    void update_successesToCloseLowered_closesAtNextSuccess() {
        CircuitBreaker breaker = made(brittle().successesToClose(10));
        breaker.onSuccess(halfOpen(breaker));
        breaker.onSuccess(probe(breaker));

        breaker.update(change -> change.successesToClose(2));
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        breaker.onSuccess(probe(breaker));

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-10 CB-17 half-open: a changed probeTimeout holds for the next probe")
    void update_probeTimeout_holds() {
        CircuitBreaker breaker = made(brittle());
        long first = halfOpen(breaker);
        breaker.update(change -> change.probeTimeout(TEN));
        breaker.onIgnored(first);
        probe(breaker);

        ticker.advance(TEN.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
    }

    @Test
    @DisplayName("CB-4 CB-17 a changed failure rate holds for the next failure, with the counts so far")
    void update_failureRate_holds() {
        CircuitBreaker breaker = made(builder().failureRate(0.9, 100));
        fail(breaker, 5);

        breaker.update(change -> change.failureRate(0.5, 6));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-17 an update in the middle of an update works, and the outer one is applied last")
    void update_insideUpdate_bothApply() {
        CircuitBreaker breaker = made(builder());

        breaker.update(outer -> {
            outer.timeout(TEN);
            breaker.update(inner -> inner.maxRequests(5).timeout(TIMEOUT.plus(TEN)));
        });

        assertThat(breaker.diagnostics().timeout()).isEqualTo(TEN);
        assertThat(breaker.diagnostics().maxRequests()).isEqualTo(5);
    }

    @Test
    @DisplayName("CB-17 forced open and disabled stay as they are")
    void update_forcedOrDisabled_keepsState() {
        CircuitBreaker breaker = made(builder());
        breaker.forceOpen();
        breaker.update(change -> change.timeout(NANO).interval(TEN).maxRequests(2));
        ticker.advance(TEN);
        assertRefused(breaker);
        assertThat(breaker.state()).isEqualTo(State.FORCED_OPEN);
        breaker.disable();
        breaker.update(change -> change.timeout(TEN).interval(Duration.ZERO));

        assertThat(breaker.state()).isEqualTo(State.DISABLED);
        assertThat(told).containsExactly("CLOSED -> FORCED_OPEN", "FORCED_OPEN -> DISABLED");
    }

    @Test
    @DisplayName("CB-10 CB-17 half-open: with a smaller limit, probes that never end do not wedge the breaker either")
    void update_maxRequestsLoweredProbesHang_doesNotWedge() {
        CircuitBreaker breaker = made(brittle().maxRequests(3).successesToClose(1));
        halfOpen(breaker);
        probe(breaker);
        ticker.advance(TEN);
        probe(breaker);
        breaker.update(change -> change.maxRequests(1));

        ticker.advance(TIMEOUT.minus(TEN));
        assertRefused(breaker);
        ticker.advance(TEN);
        long probe = probe(breaker);
        assertRefused(breaker);

        breaker.onSuccess(probe);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
