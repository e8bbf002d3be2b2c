package io.tidegate.breaker;

import static io.tidegate.breaker.ExpectedMetrics.metrics;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProbeTest extends BreakerTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @Test
    @DisplayName("CB-7 a probe that ends gives its slot to the next one")
    void onSuccess_notTheLast_freesSlot() {
        CircuitBreaker breaker = made(brittle().maxRequests(2).successesToClose(10));
        long first = halfOpen(breaker);
        probe(breaker);
        assertRefused(breaker);

        breaker.onSuccess(first);

        assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
        probe(breaker);
        assertRefused(breaker);
    }

    @Test
    @DisplayName("CB-7 CB-14 an ignored probe gives its slot back and counts nothing")
    void onIgnored_probe_freesSlotAndCountsNothing() {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);

        for (int i = 1; i <= 100; i++) {
            breaker.onIgnored(probe);
            assertThat(breaker.metrics())
                    .isEqualTo(metrics(State.HALF_OPEN, 2, NOTHING)
                            .refused(i - 1)
                            .ignored(i)
                            .sinceStart(0, 1)
                            .made());
            probe = probe(breaker);
            assertRefused(breaker);
        }

        breaker.onSuccess(probe);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-10 a probe that never ends keeps its slot until probeTimeout, and then another may take it")
    void tryAcquire_probeHangs_takesItsSlotInTime() {
        CircuitBreaker breaker = made(brittle().probeTimeout(LIMIT));
        halfOpen(breaker);

        ticker.advance(LIMIT.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        long second = probe(breaker);
        assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
        assertRefused(breaker);
        breaker.onSuccess(second);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-10 probes that never end, one after the other, never wedge the breaker")
    void tryAcquire_everyProbeHangs_neverWedges() {
        CircuitBreaker breaker = made(brittle().maxRequests(2).probeTimeout(LIMIT));
        halfOpen(breaker);
        probe(breaker);
        for (int i = 0; i < 1_000; i++) {
            ticker.advance(LIMIT);
            probe(breaker);
            probe(breaker);
            assertRefused(breaker);
        }
        ticker.advance(LIMIT);
        long first = probe(breaker);
        breaker.onSuccess(probe(breaker));
        breaker.onSuccess(first);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-10 the default probeTimeout is the timeout")
    void probeTimeout_unset_isTimeout() {
        CircuitBreaker breaker = made(brittle().timeout(LIMIT));
        open(breaker);
        ticker.advance(LIMIT);
        probe(breaker);

        ticker.advance(LIMIT.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-10 the outcome of a probe whose slot was taken is late and leaves its successor alone")
    void outcome_slotTaken_isLate(Outcome outcome) {
        CircuitBreaker breaker = made(brittle().probeTimeout(LIMIT));
        long hung = halfOpen(breaker);
        ticker.advance(LIMIT);
        long successor = probe(breaker);

        outcome.tell(breaker, hung);

        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.metrics().late()).isEqualTo(1);
        assertThat(breaker.metrics().misused()).isZero();
        assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
        assertRefused(breaker);
        breaker.onSuccess(successor);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-10 only the slot of the probe that hangs can be taken")
    void tryAcquire_oneOfTwoHangs_takesOne() {
        CircuitBreaker breaker = made(brittle().maxRequests(2).probeTimeout(LIMIT));
        long hung = halfOpen(breaker);
        ticker.advance(LIMIT.minus(NANO));
        long young = probe(breaker);
        ticker.advance(NANO);

        long successor = probe(breaker);
        assertRefused(breaker);
        breaker.onFailure(hung, FAILURE);
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);

        breaker.onSuccess(young);
        breaker.onSuccess(successor);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().late()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-10 a free slot is taken before one whose probe hangs")
    void tryAcquire_freeAndHung_takesFree() {
        CircuitBreaker breaker =
                made(brittle().maxRequests(2).successesToClose(3).probeTimeout(LIMIT));
        long slow = halfOpen(breaker);
        ticker.advance(LIMIT.minus(NANO));
        breaker.onSuccess(probe(breaker));
        probe(breaker);

        breaker.onSuccess(slow);

        assertThat(breaker.counts().totalSuccesses()).isEqualTo(2);
        assertThat(breaker.metrics().late()).isZero();
    }

    @Test
    @DisplayName("CB-10 a slot given back in time is not taken from its next holder early")
    void probeTimeout_slotReused_startsAnew() {
        CircuitBreaker breaker = made(brittle().successesToClose(3).probeTimeout(LIMIT));
        long first = halfOpen(breaker);
        ticker.advance(LIMIT.minus(NANO));
        breaker.onSuccess(first);
        probe(breaker);

        ticker.advance(LIMIT.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
    }

    @Test
    @DisplayName("CB-10 a refused probe is told when the oldest slot can be taken at the latest")
    void refusal_halfOpen_retryAfterIsBounded() {
        CircuitBreaker breaker = made(brittle().probeTimeout(LIMIT));
        halfOpen(breaker);
        ticker.advance(Duration.ofSeconds(2));

        assertThat(refusal(breaker).retryAfter()).isBetween(Duration.ZERO, Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("CB-7 a refused probe is told a second at most while nothing is known of how long probes take")
    void retryAfter_nothingKnown_isASecond() {
        CircuitBreaker breaker = made(brittle());
        halfOpen(breaker);

        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofSeconds(1));
        ticker.advance(TIMEOUT.minus(NANO));
        assertThat(refusal(breaker).retryAfter()).as("until the slot is lost").isEqualTo(NANO);
    }

    @Test
    @DisplayName("CB-7 a refused probe is told what is left of the usual time of a probe, and then a second at most")
    void retryAfter_probesKnown_isWhatIsLeft() {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);
        for (int i = 0; i < 3; i++) {
            ticker.advance(Duration.ofMillis(50));
            breaker.onFailure(probe, FAILURE);
            ticker.advance(TIMEOUT);
            probe = probe(breaker);
        }

        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofMillis(50));
        ticker.advance(Duration.ofMillis(20));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofMillis(30));
        ticker.advance(Duration.ofMillis(30));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofSeconds(1));
        ticker.advance(TIMEOUT.minusMillis(60));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    @DisplayName("CB-7 the usual time follows the probes, and is never more than a second too long after a few")
    void retryAfter_probesGetQuicker_follows() {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);
        for (int i = 0; i < 20; i++) {
            ticker.advance(i == 0 ? Duration.ofSeconds(30) : Duration.ofMillis(10));
            breaker.onFailure(probe, FAILURE);
            ticker.advance(TIMEOUT);
            probe = probe(breaker);
        }

        assertThat(refusal(breaker).retryAfter()).isBetween(Duration.ofMillis(10), Duration.ofMillis(1_010));
    }

    @Test
    @DisplayName("CB-10 CB-17 a probe over a lowered limit that hangs is put out in its time; its outcome is late")
    void update_loweredProbeHangs_isLate() {
        CircuitBreaker breaker =
                made(brittle().maxRequests(2).successesToClose(1).probeTimeout(LIMIT));
        long first = halfOpen(breaker);
        long over = probe(breaker);
        breaker.update(change -> change.maxRequests(1));
        breaker.onIgnored(first);
        assertRefused(breaker);
        ticker.advance(LIMIT);

        long next = probe(breaker);
        breaker.onFailure(over, FAILURE);
        assertThat(breaker.metrics().late()).isEqualTo(1);
        breaker.onFailure(over, FAILURE);
        assertThat(breaker.metrics().misused()).isEqualTo(1);
        breaker.onSuccess(next);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
