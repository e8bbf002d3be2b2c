package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedTest extends BreakerTest {
    @Test
    @DisplayName("CB-3 value, null and exception reach the caller as they are")
    void execute_closed_passesResultOn() throws Exception {
        CircuitBreaker breaker = made(builder());
        Object value = new Object();
        IOException checked = new IOException();

        assertThat(breaker.<Object>execute(() -> value)).isSameAs(value);
        assertThat(breaker.<Object>execute(() -> null)).isNull();
        assertThatThrownBy(() -> breaker.execute(() -> {
                    throw checked;
                }))
                .isSameAs(checked);
        assertThat(checked.getSuppressed()).isEmpty();
        assertThat(breaker.counts()).isEqualTo(new Counts(3, 2, 1, 0, 1));
    }

    @Test
    @DisplayName("CB-3 a null call is misuse and counts nothing, in every state")
    void execute_null_throws() {
        CircuitBreaker breaker = made(brittle());

        assertThatThrownBy(() -> breaker.execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> breaker.executeAsync(null)).isInstanceOf(NullPointerException.class);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        open(breaker);
        assertThatThrownBy(() -> breaker.execute(null)).isInstanceOf(NullPointerException.class);
        assertThat(breaker.metrics().refused()).isZero();
    }

    @Test
    @DisplayName("CB-4 by default five consecutive failures do not trip and the sixth does")
    void defaultRule_sixthFailure_trips() {
        CircuitBreaker breaker = made(builder());

        fail(breaker, 5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(told).containsExactly("CLOSED -> OPEN");
    }

    @Test
    @DisplayName("CB-4 by default a success among the failures starts the run over")
    void defaultRule_successBetween_startsOver() {
        CircuitBreaker breaker = made(builder());

        fail(breaker, 5);
        succeed(breaker);
        fail(breaker, 5);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(new Counts(11, 1, 10, 0, 5));
    }

    @Test
    @DisplayName("CB-4 readyToTrip is asked once after each failure, not after a success, with counts that include it")
    void readyToTrip_eachFailure_isAskedWithItsCounts() {
        List<Counts> asked = new ArrayList<>();
        CircuitBreaker breaker = made(builder().readyToTrip(counts -> {
            asked.add(counts);
            return counts.totalFailures() == 3;
        }));

        succeed(breaker, 2);
        fail(breaker);
        long running = begin(breaker);
        fail(breaker);
        succeed(breaker);
        breaker.onIgnored(running);
        fail(breaker);

        assertThat(asked)
                .containsExactly(new Counts(3, 2, 1, 0, 1), new Counts(5, 2, 2, 0, 2), new Counts(6, 3, 3, 0, 1));
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-4 readyToTrip is a matter of the closed state: not asked in any other")
    void readyToTrip_otherStates_isNotAsked() {
        List<Counts> asked = new ArrayList<>();
        CircuitBreaker breaker = made(builder().readyToTrip(counts -> {
            asked.add(counts);
            return true;
        }));
        long late = begin(breaker);
        breaker.onFailure(halfOpen(breaker), FAILURE);
        breaker.onFailure(late, FAILURE);
        breaker.disable();
        fail(breaker);

        assertThat(asked).hasSize(1);
    }

    @Test
    @DisplayName("CB-4 an explicit rule replaces the default")
    void readyToTrip_set_replacesDefault() {
        CircuitBreaker byRule = made(tough());
        CircuitBreaker byRate = made(builder().failureRate(0.5, 1_000));

        for (CircuitBreaker breaker : List.of(byRule, byRate)) {
            fail(breaker, 100);
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
        }
    }

    @Test
    @DisplayName("CB-4 several rules are joined by or")
    void rules_several_eachTrips() {
        for (int consecutive : new int[] {2, 3, 4}) {
            CircuitBreaker breaker = made(builder()
                    .readyToTrip(counts -> consecutive == 2 && counts.consecutiveFailures() == 2)
                    .failureRate(0.5, consecutive == 3 ? 3 : 1_000)
                    .readyToTrip(counts -> consecutive == 4 && counts.consecutiveFailures() == 4));

            fail(breaker, consecutive - 1);
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
            fail(breaker);
            assertThat(breaker.state()).isEqualTo(State.OPEN);
        }
    }

    @ParameterizedTest
    @CsvSource({"9, 0.5, CLOSED", "10, 0.5, OPEN", "10, 0.95, OPEN", "1, 0.5, CLOSED"})
    @DisplayName("CB-4 failureRate trips only from the minimum on")
    void failureRate_onlyFailures_tripsAtMinimum(int failures, double threshold, State expected) {
        CircuitBreaker breaker = made(builder().failureRate(threshold, 10));

        fail(breaker, failures);

        assertThat(breaker.state()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"5, 5, 0.5, CLOSED", "4, 6, 0.5, OPEN", "1, 2, 0.5, CLOSED", "7, 3, 0.3, CLOSED", "6, 4, 0.3, OPEN"})
    @DisplayName("CB-4 failureRate trips strictly above its threshold")
    void failureRate_atThreshold_doesNotTrip(int successes, int failures, double threshold, State expected) {
        CircuitBreaker breaker = made(builder().failureRate(threshold, 10));

        succeed(breaker, successes);
        fail(breaker, failures);

        assertThat(breaker.state()).isEqualTo(expected);
    }

    @Test
    @DisplayName(
            "CB-4 failureRate counts completed calls only: running ones neither reach the minimum nor dilute the rate")
    void failureRate_runningCalls_areLeftOut() {
        CircuitBreaker breaker = made(builder().failureRate(0.5, 3));
        for (int i = 0; i < 100; i++) {
            begin(breaker);
        }

        fail(breaker, 2);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-4 failureRate is asked after failures: a success that reaches the minimum does not trip")
    void failureRate_minimumReachedBySuccess_waitsForFailure() {
        CircuitBreaker breaker = made(builder().failureRate(0.4, 10));

        fail(breaker, 5);
        succeed(breaker, 5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-13 requests counts admissions, and an ignored call is taken out again")
    void counts_runningAndIgnored_areRequestsUntilIgnored() {
        CircuitBreaker breaker = made(builder());
        long first = begin(breaker);
        long second = begin(breaker);
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 0, 0, 0, 0));

        breaker.onIgnored(first);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 0, 0, 0));
        breaker.onSuccess(second);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        assertThat(breaker.metrics().ignored()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-13 an ignored call leaves the runs as they are")
    void counts_ignoredBetween_runGoesOn() {
        CircuitBreaker breaker = made(builder());

        fail(breaker, 3);
        breaker.onIgnored(begin(breaker));
        fail(breaker, 2);
        assertThat(breaker.counts()).isEqualTo(new Counts(5, 0, 5, 0, 5));
        breaker.onIgnored(begin(breaker));
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSFS", "FFSF", "SFSFSF", "FFFFS", "SSSSS"})
    @DisplayName("CB-13 the counts follow the outcomes, and only one run is positive")
    void counts_mixedOutcomes_follow(String outcomes) {
        CircuitBreaker breaker = made(builder());
        long successes = 0;
        long failures = 0;
        long run = 0;
        char last = 0;
        for (int i = 0; i < outcomes.length(); i++) {
            char outcome = outcomes.charAt(i);
            run = outcome == last ? run + 1 : 1;
            last = outcome;
            if (outcome == 'S') {
                successes++;
                succeed(breaker);
            } else {
                failures++;
                fail(breaker);
            }
            assertThat(breaker.counts())
                    .isEqualTo(new Counts(
                            successes + failures, successes, failures, last == 'S' ? run : 0, last == 'F' ? run : 0));
        }
    }

    @Test
    @DisplayName("CB-12 counts are cleared on every transition")
    void counts_eachTransition_areCleared() {
        CircuitBreaker breaker = made(builder().readyToTrip(counts -> counts.totalFailures() == 2));
        succeed(breaker);
        fail(breaker, 2);
        assertThat(breaker.counts()).as("after the trip").isEqualTo(NOTHING);

        ticker.advance(TIMEOUT);
        long probe = probe(breaker);
        assertThat(breaker.counts()).as("the probe alone").isEqualTo(new Counts(1, 0, 0, 0, 0));
        breaker.onFailure(probe, FAILURE);
        assertThat(breaker.counts()).as("after the reopening").isEqualTo(NOTHING);

        ticker.advance(TIMEOUT);
        breaker.onSuccess(probe(breaker));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).as("after the closing").isEqualTo(NOTHING);
    }
}
