package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingWindowTest extends BreakerTest {
    private static final Duration SPAN = Duration.ofSeconds(32);

    /** By how much a window by time may differ from an exact one. */
    private static final Duration SLOT = Duration.ofSeconds(1);

    @Test
    @DisplayName("CB-19 CB-13 by count: the counts are those of the last n calls")
    void byCount_moreCallsThanWindow_forgetsTheOldest() {
        CircuitBreaker breaker = made(tough().slidingWindow(4));

        fail(breaker, 3);
        assertThat(breaker.counts()).isEqualTo(new Counts(3, 0, 3, 0, 3));
        succeed(breaker, 2);
        assertThat(breaker.counts()).isEqualTo(new Counts(4, 2, 2, 2, 0));
        succeed(breaker, 1);
        assertThat(breaker.counts()).isEqualTo(new Counts(4, 3, 1, 3, 0));
        succeed(breaker, 5);
        assertThat(breaker.counts().totalSuccesses()).isEqualTo(4);
        assertThat(breaker.counts().totalFailures()).isZero();
        assertThat(breaker.counts().requests()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 63, 64, 65, 100, 127, 128, 129, 1_000})
    @DisplayName("CB-19 by count: exact for any size, over many turns of the window")
    void byCount_anySize_isExact(int size) {
        CircuitBreaker breaker = made(tough().slidingWindow(size));
        boolean[] outcomes = new boolean[5 * size + 7];
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = (i * 31 + i / 7) % 3 != 0;
            if (outcomes[i]) {
                succeed(breaker);
            } else {
                fail(breaker);
            }
            int from = Math.max(0, i + 1 - size);
            int successes = 0;
            for (int j = from; j <= i; j++) {
                successes += outcomes[j] ? 1 : 0;
            }
            Counts counts = breaker.counts();
            assertThat(counts.totalSuccesses()).isEqualTo(successes);
            assertThat(counts.totalFailures()).isEqualTo(i + 1 - from - successes);
        }
    }

    @Test
    @DisplayName("CB-19 by count: a failure that left the window does not help to trip")
    void byCount_oldFailures_doNotTrip() {
        CircuitBreaker breaker = made(builder().slidingWindow(10).failureRate(0.4, 10));

        fail(breaker, 4);
        succeed(breaker, 6);
        fail(breaker, 4);
        assertThat(breaker.state()).as("4 of the last 10").isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-13 CB-19 by count: an ignored call takes no place in the window")
    void byCount_ignored_takesNoPlace() {
        CircuitBreaker breaker = made(tough().slidingWindow(3));
        fail(breaker, 3);

        for (int i = 0; i < 10; i++) {
            breaker.onIgnored(begin(breaker));
        }

        assertThat(breaker.counts()).isEqualTo(new Counts(3, 0, 3, 0, 3));
    }

    @Test
    @DisplayName("CB-12 CB-19 by count: the window starts empty after each change of state")
    void byCount_closedAgain_startsEmpty() {
        CircuitBreaker breaker = made(builder().slidingWindow(10).failureRate(0.5, 4));
        fail(breaker, 4);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        ticker.advance(TIMEOUT);
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(NOTHING);

        fail(breaker, 3);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-19 by count: the largest window works")
    void byCount_largeWindow_works() {
        CircuitBreaker breaker = made(tough().slidingWindow(1_000_000));

        succeed(breaker, 3);
        fail(breaker, 2);

        assertThat(breaker.counts()).isEqualTo(new Counts(5, 3, 2, 0, 2));
    }

    @Test
    @DisplayName("CB-19 CB-13 by time: the counts are those of the last span, to one slot")
    void byTime_spanOver_forgets() {
        CircuitBreaker breaker = made(tough().slidingWindow(SPAN));
        fail(breaker, 3);
        ticker.advance(SPAN.minus(SLOT));
        succeed(breaker);
        assertThat(breaker.counts()).isEqualTo(new Counts(4, 1, 3, 1, 0));

        ticker.advance(SLOT.multipliedBy(2));
        succeed(breaker);

        Counts counts = breaker.counts();
        assertThat(counts.totalFailures()).isZero();
        assertThat(counts.totalSuccesses()).isEqualTo(2);
        assertThat(counts.requests()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 31, 32, 33, 100, 1_000, 1_000_000_007L, 3_600_000_000_000L})
    @DisplayName("CB-19 by time: exact to one slot for any span")
    void byTime_anySpan_isExactToASlot(long nanos) {
        Duration span = Duration.ofNanos(nanos);
        Duration slot = Duration.ofNanos(nanos / 32 + 1);
        CircuitBreaker breaker = made(tough().slidingWindow(span));
        for (int i = 0; i < 100; i++) {
            fail(breaker);
            ticker.advance(span.minus(slot));
            assertThat(breaker.counts().totalFailures()).as("inside").isEqualTo(1);
            ticker.advance(slot.multipliedBy(2));
            assertThat(breaker.counts().totalFailures()).as("outside").isZero();
            ticker.advance(Duration.ofNanos(i));
        }
    }

    @Test
    @DisplayName("CB-2 CB-19 by time: reading moves the window but changes nothing")
    void byTime_read_changesNothing() {
        CircuitBreaker breaker = made(tough().slidingWindow(SPAN));
        fail(breaker, 2);
        ticker.advance(SPAN.multipliedBy(2));
        assertThat(breaker.counts().totalFailures()).isZero();

        ticker.advance(SPAN.multipliedBy(-2));

        assertThat(breaker.counts().totalFailures()).isEqualTo(2);
    }

    @Test
    @DisplayName("CB-19 by time: failures that left the window do not help to trip")
    void byTime_oldFailures_doNotTrip() {
        CircuitBreaker breaker = made(builder().slidingWindow(SPAN).failureRate(0.5, 4));
        for (int i = 0; i < 50; i++) {
            fail(breaker, 3);
            ticker.advance(SPAN.plus(SLOT));
        }
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        fail(breaker, 4);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-19 by time: a steady stream keeps the rate of the last span, over a hundred spans")
    void byTime_steadyStream_keepsItsCount() {
        CircuitBreaker breaker = made(tough().slidingWindow(SPAN));
        Duration step = SPAN.dividedBy(64);
        for (int i = 0; i < 6_400; i++) {
            if (i % 4 == 0) {
                fail(breaker);
            } else {
                succeed(breaker);
            }
            ticker.advance(step);
            if (i > 64) {
                Counts counts = breaker.counts();
                assertThat(counts.totalSuccesses() + counts.totalFailures()).isBetween(62L, 66L);
                assertThat(counts.totalFailures()).isBetween(15L, 17L);
            }
        }
    }

    @Test
    @DisplayName("CB-12 CB-19 by time: a call counts where it ends, however long it took")
    void byTime_longCall_countsWhereItEnds() {
        CircuitBreaker breaker = made(tough().slidingWindow(SPAN));
        long slow = begin(breaker);
        ticker.advance(SPAN.multipliedBy(3));

        breaker.onFailure(slow, FAILURE);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
        ticker.advance(SPAN.minus(SLOT));
        assertThat(breaker.counts().totalFailures()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-13 CB-19 by time: an ignored call is taken out again")
    void byTime_ignored_isTakenOut() {
        CircuitBreaker breaker = made(tough().slidingWindow(SPAN));
        fail(breaker);
        long stamp = begin(breaker);
        ticker.advance(SLOT.multipliedBy(3));

        breaker.onIgnored(stamp);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
        assertThat(breaker.metrics().ignored()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-12 CB-19 by time: the window starts empty after each change of state")
    void byTime_closedAgain_startsEmpty() {
        CircuitBreaker breaker =
                made(builder().slidingWindow(SPAN).failureRate(0.5, 4).timeout(NANO));
        fail(breaker, 4);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        ticker.advance(NANO);
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(NOTHING);

        fail(breaker, 3);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts().totalFailures()).isEqualTo(3);
    }

    @Test
    @DisplayName("CB-4 CB-19 readyToTrip is given the counts of the window")
    void readyToTrip_window_isGivenItsCounts() {
        CircuitBreaker breaker = made(builder().slidingWindow(3).readyToTrip(counts -> counts.totalFailures() == 3));

        fail(breaker, 2);
        succeed(breaker);
        fail(breaker, 2);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-4 CB-19 the default rule works over a window")
    void defaultRule_window_trips() {
        for (CircuitBreaker.Builder builder : new CircuitBreaker.Builder[] {
            builder().slidingWindow(10), builder().slidingWindow(SPAN)
        }) {
            CircuitBreaker breaker = made(builder);
            fail(breaker, 5);
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
            fail(breaker);
            assertThat(breaker.state()).isEqualTo(State.OPEN);
        }
    }

    @Test
    @DisplayName("CB-22 failures in a row count in a row though the window holds fewer calls")
    void defaultRule_fewerCallsInWindow_trips() {
        CircuitBreaker breaker = made(builder().slidingWindow(3));

        fail(breaker, 5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(new Counts(3, 0, 3, 0, 5));
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-22 failures in a row count in a row though the first of them have left the window by time")
    void defaultRule_failuresFarApart_trips() {
        CircuitBreaker breaker = made(builder().slidingWindow(Duration.ofSeconds(10)));
        for (int i = 0; i < 5; i++) {
            fail(breaker);
            ticker.advance(Duration.ofSeconds(3));
        }
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts().consecutiveFailures()).isEqualTo(5);

        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-22 readyToTrip is given failures in a row, more than the window holds")
    void readyToTrip_runLongerThanWindow_trips() {
        CircuitBreaker breaker =
                made(builder().slidingWindow(3).readyToTrip(counts -> counts.consecutiveFailures() > 10));

        fail(breaker, 10);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-13 CB-22 a success ends the run in every sliding window, and successes in a row count likewise")
    void runs_slidingWindow_areThoseOfThePeriod() {
        for (CircuitBreaker.Builder builder :
                new CircuitBreaker.Builder[] {tough().slidingWindow(2), tough().slidingWindow(NANO)}) {
            CircuitBreaker breaker = made(builder);
            fail(breaker, 5);
            succeed(breaker, 7);
            ticker.advance(SPAN);
            assertThat(breaker.counts().consecutiveSuccesses()).isEqualTo(7);
            assertThat(breaker.counts().consecutiveFailures()).isZero();
            fail(breaker);
            assertThat(breaker.counts().consecutiveSuccesses()).isZero();
            assertThat(breaker.counts().consecutiveFailures()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("CB-20 CB-22 one more failure trips: told of a run longer than the window")
    void diagnostics_runLongerThanWindow_tellsThatOneMoreTrips() {
        CircuitBreaker byCount = made(builder().slidingWindow(3));
        CircuitBreaker byTime = made(builder().slidingWindow(Duration.ofSeconds(10)));
        for (int i = 0; i < 4; i++) {
            fail(byCount);
            fail(byTime);
            ticker.advance(SPAN);
        }
        assertThat(byCount.diagnostics().oneMoreFailureTrips()).isFalse();
        assertThat(byTime.diagnostics().oneMoreFailureTrips()).isFalse();

        fail(byCount);
        fail(byTime);

        assertThat(byCount.diagnostics().oneMoreFailureTrips()).isTrue();
        assertThat(byTime.diagnostics().oneMoreFailureTrips()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000001S", "PT0.001S", "PT0.1S", "PT1S", "PT60S"})
    @DisplayName("CB-19 by time: failures count and trip after any time without one")
    void byTime_longWithoutFailure_stillCounts(Duration span) {
        for (String idle : new String[] {"PT1H", "PT3H", "P1D", "P15D", "P150D", "P3650D", "P36500D"}) {
            CircuitBreaker breaker = made(builder().slidingWindow(span).failureRate(0.5, 4));
            fail(breaker);
            ticker.advance(Duration.parse(idle));

            fail(breaker, 2);
            assertThat(breaker.counts()).as("after %s", idle).isEqualTo(new Counts(2, 0, 2, 0, 3));
            fail(breaker, 2);

            assertThat(breaker.state()).as("after %s", idle).isEqualTo(State.OPEN);
        }
    }
}
