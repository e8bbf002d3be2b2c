package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks that wrap, stand still or go back. */
class ClockTest extends BreakerTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                -1,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE - 30_000_000_000L,
                Long.MAX_VALUE - 59_999_999_999L,
                Long.MAX_VALUE - 60_000_000_000L,
                Long.MAX_VALUE - 90_000_000_000L,
                -30_000_000_000L,
                -60_000_000_000L
            })
    @DisplayName("CB-21 a whole life is the same wherever the clock starts, across its wrap and across zero")
    void life_anyStart_isTheSame(long start) {
        ticker.set(start);
        CircuitBreaker breaker = made(brittle());
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        open(breaker);
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT);
        for (int i = 0; i < 3; i++) {
            ticker.advance(TIMEOUT.minus(NANO));
            assertThat(refusal(breaker).retryAfter()).isEqualTo(NANO);
            ticker.advance(NANO);
            probe(breaker);
            ticker.advance(TIMEOUT.minus(NANO));
            assertRefused(breaker);
            ticker.advance(NANO);
            breaker.onFailure(probe(breaker), FAILURE);
        }
        ticker.advance(TIMEOUT);
        breaker.onSuccess(probe(breaker));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 5_000_000_000L})
    @DisplayName("CB-21 interval, window by time and slow calls are the same wherever the clock starts")
    void windows_anyStart_areTheSame(long start) {
        ticker.set(start);
        CircuitBreaker interval = made(builder().interval(TEN));
        CircuitBreaker span = made(tough().slidingWindow(Duration.ofSeconds(32)));
        CircuitBreaker slow = made(builder().slowCalls(TEN, 0.5));
        fail(interval, 5);
        fail(span, 5);
        long running = begin(slow);

        ticker.advance(TEN.minus(NANO));
        assertThat(interval.diagnostics().oneMoreFailureTrips()).isTrue();
        ticker.advance(NANO);
        fail(interval);
        assertThat(interval.state()).isEqualTo(State.CLOSED);
        slow.onSuccess(running);
        assertThat(slow.state()).isEqualTo(State.CLOSED);
        ticker.advance(Duration.ofSeconds(21));
        assertThat(span.counts().totalFailures()).isEqualTo(5);
        ticker.advance(Duration.ofSeconds(2));
        assertThat(span.counts().totalFailures()).isZero();
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-21 a frozen clock changes nothing by itself")
    void frozen_anyState_staysThere(WindowKind window) {
        CircuitBreaker breaker = made(window.on(builder()));
        fail(breaker, 5);
        succeed(breaker, 20);
        assertThat(breaker.counts().totalFailures()).isEqualTo(5);
        breaker.update(change -> change.failureRate(0.1, 1));
        open(breaker);
        for (int i = 0; i < 1_000; i++) {
            assertRefused(breaker);
        }
        ticker.advance(TIMEOUT);
        probe(breaker);
        for (int i = 0; i < 1_000; i++) {
            assertRefused(breaker);
        }
        assertThat(told).containsExactly("CLOSED -> OPEN", "OPEN -> HALF_OPEN");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName(
            "CB-21 a clock that steps back ends no open time early, and a probe comes when the time is really over")
    void stepBack_open_staysOpen(long step) {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofSeconds(30));
        ticker.advance(Duration.ofNanos(-step));

        for (int i = 0; i < 10; i++) {
            assertRefused(breaker);
        }
        assertThat(refusal(breaker).retryAfter()).isPositive();
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isPositive();
        ticker.advance(Duration.ofNanos(step));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(Duration.ofSeconds(30));
        ticker.advance(Duration.ofSeconds(30));

        probe(breaker);
    }

    @ParameterizedTest
    @ValueSource(longs = {60_000_000_001L, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName("CB-6 CB-21 a clock that stays back does not make the open time longer: it is counted from there")
    void stayBack_open_waitsForTheOpenTime(long step) {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofNanos(-step));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT);

        ticker.advance(TIMEOUT.minus(NANO));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(NANO);
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isEqualTo(NANO);
        assertThat(breaker.metrics().generation()).isEqualTo(1);
        ticker.advance(NANO);

        probe(breaker);
        assertThat(told).containsExactly("CLOSED -> OPEN", "OPEN -> HALF_OPEN");
    }

    @Test
    @DisplayName("CB-21 a clock that steps back again and again: the open time is counted from the earliest")
    void stepBack_openTwice_countsFromTheEarliest() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofHours(-1));
        assertRefused(breaker);
        ticker.advance(TEN);
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT.minus(TEN));
        ticker.advance(Duration.ofHours(-1));
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT);
        ticker.advance(TIMEOUT);

        probe(breaker);
    }

    @Test
    @DisplayName("CB-2 CB-21 reading while the clock is back does not count the open time from there: a call does")
    void stayBack_reads_changeNothing() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofHours(-1));
        breaker.diagnostics();
        breaker.metrics();
        ticker.advance(TIMEOUT);

        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT);
        ticker.advance(TIMEOUT);
        probe(breaker);
    }

    @Test
    @DisplayName("CB-17 CB-21 a changed timeout restarts the open time where the clock is, back or not")
    void stayBack_update_restartsThere() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(Duration.ofHours(-1));
        assertRefused(breaker);

        breaker.update(change -> change.timeout(TEN));
        ticker.advance(TEN.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName("CB-21 a clock that steps back takes no probe's slot")
    void stepBack_halfOpen_takesNoSlot(long step) {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);
        ticker.advance(Duration.ofNanos(-step));

        for (int i = 0; i < 10; i++) {
            assertRefused(breaker);
        }
        breaker.onSuccess(probe);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().late()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName("CB-21 a clock that steps back clears no interval")
    void stepBack_interval_clearsNothing(long step) {
        CircuitBreaker breaker = made(builder().interval(TEN));
        fail(breaker, 3);
        ticker.advance(Duration.ofNanos(-step));
        fail(breaker, 2);
        assertThat(breaker.counts()).isEqualTo(new Counts(5, 0, 5, 0, 5));

        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000, 3_600_000_000_000L, 10_800_000_000_000L, 2_592_000_000_000_000L})
    @DisplayName("CB-21 a clock that steps back makes no call slow")
    void stepBack_slowCalls_areNotSlow(long step) {
        CircuitBreaker breaker = made(builder().slowCalls(TEN, 0.1));
        long stamp = begin(breaker);
        ticker.advance(Duration.ofNanos(-step));

        breaker.onSuccess(stamp);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().slowCallRate()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000, 40_000_000_000L, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName("CB-21 a clock that steps back brings no forgotten failure back into a window by time")
    void stepBack_windowByTime_doesNotTrip(long step) {
        CircuitBreaker breaker =
                made(builder().slidingWindow(Duration.ofSeconds(32)).failureRate(0.5, 4));
        fail(breaker, 3);
        ticker.advance(Duration.ofSeconds(40));
        succeed(breaker, 10);
        ticker.advance(Duration.ofNanos(-step));

        fail(breaker, 3);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertConsistent(breaker.counts());
    }

    @Test
    @DisplayName("CB-21 a window by time still works after any step back: new failures trip")
    void stepBack_windowByTime_stillTrips() {
        CircuitBreaker breaker =
                made(builder().slidingWindow(Duration.ofSeconds(32)).failureRate(0.5, 4));
        succeed(breaker);
        ticker.advance(Duration.ofDays(-365));

        for (int i = 0; i < 100 && breaker.state() == State.CLOSED; i++) {
            fail(breaker);
        }

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-21 under a clock that jumps anywhere, successes never trip and the counts stay consistent")
    void jumps_random_noSpuriousTransition(WindowKind window) {
        Random random = new Random(3);
        CircuitBreaker closed = made(window.on(builder()));
        for (int i = 0; i < 20_000; i++) {
            ticker.set(random.nextLong());
            long stamp = begin(closed);
            if (random.nextInt(3) == 0) {
                closed.onIgnored(stamp);
            } else if (window != WindowKind.SLOW_CALLS) {
                ticker.set(random.nextLong());
                closed.onSuccess(stamp);
            } else {
                closed.onSuccess(stamp);
            }
            assertConsistent(closed.counts());
        }

        assertThat(closed.state()).isEqualTo(State.CLOSED);
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {60_000_000_001L, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName("CB-10 CB-21 half-open: a clock that stays back costs one more probe time at most")
    void stayBack_halfOpen_waitsForTheProbeTime(long step) {
        CircuitBreaker breaker = made(brittle().probeTimeout(TEN));
        halfOpen(breaker);
        ticker.advance(Duration.ofNanos(-step));
        assertRefused(breaker);

        ticker.advance(TEN.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
        assertRefused(breaker);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000, 3_600_000_000_000L, 31_536_000_000_000_000L})
    @DisplayName("CB-10 CB-21 half-open: a clock that goes back and is put right takes no slot before its time")
    void backAndRight_halfOpen_keepsItsTime(long step) {
        CircuitBreaker breaker = made(brittle().probeTimeout(TEN));
        halfOpen(breaker);
        ticker.advance(Duration.ofSeconds(4));
        ticker.advance(Duration.ofNanos(-step));
        assertRefused(breaker);
        ticker.advance(Duration.ofNanos(step));
        assertRefused(breaker);

        ticker.advance(Duration.ofSeconds(6).minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
    }

    @Test
    @DisplayName("CB-10 CB-21 half-open: a probe that begins while the clock is back has its own time")
    void beginsBack_halfOpen_hasItsTime() {
        CircuitBreaker breaker = made(brittle().maxRequests(2).probeTimeout(TEN));
        halfOpen(breaker);
        ticker.advance(Duration.ofHours(-1));
        long second = probe(breaker);
        ticker.advance(TEN.minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);

        probe(breaker);
        breaker.onSuccess(second);
        assertThat(breaker.metrics().late()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, Long.MAX_VALUE - 5_000_000_000L, Long.MIN_VALUE + 5_000_000_000L, -1})
    @DisplayName("CB-10 CB-21 half-open: probe times are the same across the clock's wrap, jumps ahead included")
    void wrap_halfOpen_isTheSame(long probeAt) {
        ticker.set(probeAt - TIMEOUT.toNanos());
        CircuitBreaker breaker = made(brittle().maxRequests(2).probeTimeout(TEN));
        halfOpen(breaker);
        ticker.advance(Duration.ofSeconds(3));
        probe(breaker);

        ticker.advance(Duration.ofSeconds(7).minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);
        probe(breaker);
        assertRefused(breaker);
        ticker.advance(Duration.ofDays(300));
        probe(breaker);
        probe(breaker);
        assertRefused(breaker);
    }

    @Test
    @DisplayName("CB-19 CB-21 a clock that steps back makes no probe slow")
    void stepBack_slowProbe_isNotSlow() {
        CircuitBreaker breaker = made(brittle().slowCalls(TEN, 0.1));
        long probe = halfOpen(breaker);
        ticker.advance(Duration.ofHours(-1));

        breaker.onSuccess(probe);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
