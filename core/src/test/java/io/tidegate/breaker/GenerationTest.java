package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GenerationTest extends BreakerTest {
    /** Reports an outcome that must change nothing but the number of late outcomes. */
    private void tellLate(CircuitBreaker breaker, Outcome outcome, long stamp) {
        BreakerMetrics before = breaker.metrics();
        Diagnostics diagnosticsBefore = breaker.diagnostics();
        List<String> toldBefore = new ArrayList<>(told);

        outcome.tell(breaker, stamp);

        BreakerMetrics after = breaker.metrics();
        assertThat(after)
                .isEqualTo(new BreakerMetrics(
                        before.state(),
                        before.generation(),
                        before.counts(),
                        before.failureRate(),
                        before.slowCallRate(),
                        before.refused(),
                        before.late() + 1,
                        before.ignored(),
                        before.misused(),
                        before.lost(),
                        before.successesSinceStart(),
                        before.failuresSinceStart()));
        assertThat(breaker.diagnostics()).isEqualTo(diagnosticsBefore);
        assertThat(told).isEqualTo(toldBefore);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-9 an outcome from before the trip changes nothing in the open breaker, not even its clock")
    void late_open_changesNothing(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        long old = begin(breaker);
        open(breaker);
        ticker.advance(Duration.ofSeconds(30));

        tellLate(breaker, outcome, old);

        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofSeconds(30));
        ticker.advance(Duration.ofSeconds(30));
        probe(breaker);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "CB-9 an outcome from before the trip neither closes nor reopens the half-open breaker, nor frees its slot")
    void late_halfOpen_changesNothing(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        long old = begin(breaker);
        long probe = halfOpen(breaker);

        tellLate(breaker, outcome, old);

        assertRefused(breaker);
        breaker.onSuccess(probe);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-8 CB-9 many outcomes from before the trip turn one half-open slot into no second one")
    void late_manyInHalfOpen_addNoSlot(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        long[] old = new long[100];
        for (int i = 0; i < old.length; i++) {
            old[i] = begin(breaker);
        }
        halfOpen(breaker);

        for (long stamp : old) {
            tellLate(breaker, outcome, stamp);
            assertRefused(breaker);
        }

        assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-9 an outcome of an earlier closed period does not count in a later one")
    void late_closedAgain_changesNothing(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        long old = begin(breaker);
        breaker.onSuccess(halfOpen(breaker));

        tellLate(breaker, outcome, old);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-8 CB-9 a probe of an earlier half-open period neither frees nor takes a slot of a later one")
    void late_probe_changesNothing(Outcome outcome) {
        CircuitBreaker breaker = made(brittle().maxRequests(2));
        long old = halfOpen(breaker);
        breaker.onFailure(probe(breaker), FAILURE);
        tellLateInAnother(breaker, outcome, old);
    }

    private void tellLateInAnother(CircuitBreaker breaker, Outcome outcome, long old) {
        ticker.advance(TIMEOUT);
        long first = probe(breaker);
        assertThat(breaker.diagnostics().probesInFlight())
                .as("no slot inherited")
                .isEqualTo(1);

        tellLate(breaker, outcome, old);

        long second = probe(breaker);
        assertRefused(breaker);
        breaker.onSuccess(first);
        breaker.onSuccess(second);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-9 a probe that outlives its period is late in the open and in the closed state")
    void late_probeOpenOrClosed_changesNothing(Outcome outcome) {
        CircuitBreaker reopened = made(brittle().maxRequests(2));
        long first = halfOpen(reopened);
        reopened.onFailure(probe(reopened), FAILURE);
        tellLate(reopened, outcome, first);

        CircuitBreaker closed = made(brittle().maxRequests(2).successesToClose(1));
        long second = halfOpen(closed);
        closed.onSuccess(probe(closed));
        assertThat(closed.state()).isEqualTo(State.CLOSED);
        tellLate(closed, outcome, second);
    }

    @Test
    @DisplayName("CB-8 a half-open period starts with all its slots, whatever is left over of earlier ones")
    void halfOpen_leftOverProbes_allSlotsFree() {
        CircuitBreaker breaker = made(brittle().maxRequests(3));
        open(breaker);
        for (int period = 0; period < 50; period++) {
            ticker.advance(TIMEOUT);
            probe(breaker);
            probe(breaker);
            long last = probe(breaker);
            assertRefused(breaker);
            breaker.onFailure(last, FAILURE);
        }
        assertThat(breaker.metrics().generation()).isEqualTo(101);
    }

    @Test
    @DisplayName("CB-9 the caller of a late call gets its own result")
    void execute_late_returnsItsResult() throws Exception {
        CircuitBreaker breaker = made(brittle());

        String result = breaker.execute(() -> {
            open(breaker);
            return "mine";
        });

        assertThat(result).isEqualTo("mine");
        assertThat(thrownBy(() -> breaker.execute(() -> {
                    throw new AssertionError();
                })))
                .isInstanceOf(CircuitOpenException.class);
        assertThat(breaker.metrics().late()).isEqualTo(1);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-9 a call is late after any number of changes, a hundred thousand too")
    void late_callAfterManyChanges_isStillLate() {
        CircuitBreaker breaker = made(CircuitBreaker.builder("search").ticker(ticker));
        long old = begin(breaker);
        for (int changes = 2; changes <= 1 << 17; changes += 2) {
            breaker.forceOpen();
            breaker.reset();
            if (Integer.bitCount(changes) == 1) {
                breaker.onSuccess(old);
                assertThat(breaker.counts()).as("after %s changes", changes).isEqualTo(NOTHING);
            }
        }
        assertThat(breaker.metrics().late()).isEqualTo(17);
    }

    @Test
    @DisplayName("CB-8 CB-9 a probe is late after any number of changes, a hundred thousand too")
    void late_probeAfterManyChanges_isStillLate() {
        CircuitBreaker breaker = made(CircuitBreaker.builder("search")
                .ticker(ticker)
                .readyToTrip(counts -> true)
                .timeout(NANO));
        open(breaker);
        ticker.advance(NANO);
        long old = probe(breaker);
        breaker.onFailure(old, FAILURE);
        for (int changes = 2; changes <= 1 << 17; changes += 2) {
            ticker.advance(NANO);
            long probe = breaker.tryAcquire();
            if (Integer.bitCount(changes) == 1) {
                breaker.onSuccess(old);
                assertThat(breaker.state()).as("after %s changes", changes).isEqualTo(State.HALF_OPEN);
            }
            breaker.onFailure(probe, FAILURE);
        }
    }

    @Test
    @DisplayName("CB-8 the generation counts every change of state")
    void generation_eachChange_growsByOne() {
        CircuitBreaker breaker = made(brittle());
        assertThat(breaker.metrics().generation()).isZero();
        long probe = halfOpen(breaker);
        assertThat(breaker.metrics().generation()).isEqualTo(2);
        breaker.onSuccess(probe);
        breaker.forceOpen();
        breaker.reset();
        breaker.disable();
        breaker.reset();

        assertThat(breaker.metrics().generation()).isEqualTo(7);
        assertThat(told).hasSize(7);
    }
}
