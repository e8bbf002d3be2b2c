package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tumbling window. */
class IntervalTest extends BreakerTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    @Test
    @DisplayName("CB-12 without an interval counts are never cleared")
    void interval_unset_neverClears() {
        CircuitBreaker breaker = made(builder());
        fail(breaker, 5);

        ticker.advance(Duration.ofDays(36_500));
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-12 counts are cleared by the first call at or after the interval, runs too")
    void tryAcquire_intervalOver_clears() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        fail(breaker, 5);
        ticker.advance(INTERVAL.minus(NANO));
        succeed(breaker);
        assertThat(breaker.counts()).isEqualTo(new Counts(6, 1, 5, 1, 0));

        ticker.advance(NANO);
        succeed(breaker);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        assertThat(told).isEmpty();
        assertThat(breaker.metrics().generation()).isZero();
    }

    @Test
    @DisplayName("CB-12 failures of two intervals do not add up to a trip")
    void fail_acrossIntervals_doesNotTrip() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        for (int i = 0; i < 10; i++) {
            fail(breaker, 5);
            ticker.advance(INTERVAL);
        }

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-2 CB-12 reading after the interval clears nothing: a call does")
    void reads_intervalOver_clearNothing() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        fail(breaker, 2);
        ticker.advance(INTERVAL.multipliedBy(3));

        assertThat(breaker.counts()).isEqualTo(breaker.counts());
        breaker.metrics();
        breaker.diagnostics();
        succeed(breaker);
        ticker.advance(INTERVAL.minus(NANO));
        succeed(breaker);

        assertThat(breaker.counts()).isEqualTo(new Counts(2, 2, 0, 2, 0));
    }

    @Test
    @DisplayName("CB-12 the next interval starts at the call that cleared")
    void interval_next_startsAtTheClearingCall() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        ticker.advance(INTERVAL.plusSeconds(7));
        succeed(breaker);

        ticker.advance(INTERVAL.minus(NANO));
        succeed(breaker);
        assertThat(breaker.counts().requests()).isEqualTo(2);
        ticker.advance(NANO);
        succeed(breaker);

        assertThat(breaker.counts().requests()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-12 a call that spans an interval counts, request and outcome, where it ends")
    void call_spansInterval_countsWhereItEnds() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        long slow = begin(breaker);
        succeed(breaker);
        ticker.advance(INTERVAL);
        succeed(breaker);

        breaker.onFailure(slow, FAILURE);

        assertThat(breaker.counts()).isEqualTo(new Counts(2, 1, 1, 0, 1));
        assertThat(breaker.metrics().late()).isZero();
    }

    @Test
    @DisplayName("CB-12 slow calls are never lost: spanning failures trip where they end")
    void failures_spanIntervals_trip() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        long[] slow = new long[6];
        for (int i = 0; i < slow.length; i++) {
            slow[i] = begin(breaker);
            ticker.advance(INTERVAL);
        }
        breaker.onIgnored(begin(breaker));

        for (long stamp : slow) {
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
            breaker.onFailure(stamp, FAILURE);
        }

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-12 an end that finds the interval over counts in the next one, which starts there")
    void end_findsIntervalOver_clearsFirst() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        fail(breaker, 5);
        long slow = begin(breaker);
        ticker.advance(INTERVAL.plusSeconds(3));

        breaker.onFailure(slow, FAILURE);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
        ticker.advance(INTERVAL.minus(NANO));
        fail(breaker);
        assertThat(breaker.counts().totalFailures()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "CB-12 CB-13 a call that begins after the interval clears the counts and is the first request of the next")
    void begin_intervalOver_clears() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        fail(breaker, 2);
        ticker.advance(INTERVAL);

        long stamp = begin(breaker);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 0, 0, 0));
        breaker.onSuccess(stamp);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
    }

    @Test
    @DisplayName("CB-12 CB-13 a spanning call that is ignored takes nothing out of the new interval")
    void ignored_spansInterval_takesNothingOut() {
        CircuitBreaker breaker = made(builder().interval(INTERVAL));
        long slow = begin(breaker);
        ticker.advance(INTERVAL);
        succeed(breaker, 2);

        breaker.onIgnored(slow);

        assertThat(breaker.counts()).isEqualTo(new Counts(2, 2, 0, 2, 0));
        assertThat(breaker.metrics().ignored()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-12 the interval is a matter of the closed state: probes are not cleared by it")
    void interval_halfOpen_isOff() {
        CircuitBreaker breaker = made(brittle().interval(INTERVAL).successesToClose(3));
        breaker.onSuccess(halfOpen(breaker));
        ticker.advance(INTERVAL);
        breaker.onSuccess(probe(breaker));
        ticker.advance(INTERVAL);
        breaker.onSuccess(probe(breaker));

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-12 a closed period starts its own interval")
    void interval_closedAgain_startsAnew() {
        CircuitBreaker breaker = made(brittle().interval(INTERVAL));
        long probe = halfOpen(breaker);
        ticker.advance(Duration.ofSeconds(3));
        breaker.onSuccess(probe);
        succeed(breaker);

        ticker.advance(INTERVAL.minus(NANO));
        succeed(breaker);
        assertThat(breaker.counts().requests()).isEqualTo(2);
        ticker.advance(NANO);
        succeed(breaker);

        assertThat(breaker.counts().requests()).isEqualTo(1);
    }
}
