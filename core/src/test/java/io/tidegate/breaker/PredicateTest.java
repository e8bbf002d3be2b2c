package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PredicateTest extends BreakerTest {
    static Stream<Throwable> anythingThrowable() {
        return Stream.of(
                new IllegalStateException(),
                new IOException(),
                new AssertionError(),
                new StackOverflowError(),
                new OutOfMemoryError(),
                new Throwable(),
                new InterruptedException(),
                new CancellationException());
    }

    private static void assertThrows(CircuitBreaker breaker, Throwable thrown) {
        assertThatThrownBy(() -> breaker.execute(() -> {
                    throw sneaky(thrown);
                }))
                .isSameAs(thrown);
    }

    @ParameterizedTest
    @MethodSource("anythingThrowable")
    @DisplayName("CB-14 anything thrown is a failure and is rethrown, the same instance")
    void execute_throwsAnything_isFailure(Throwable thrown) {
        CircuitBreaker breaker = made(builder());

        assertThrows(breaker, thrown);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
    }

    @ParameterizedTest
    @MethodSource("anythingThrowable")
    @DisplayName("CB-14 whatever a probe throws gives its slot back and reopens")
    void execute_probeThrowsAnything_reopens(Throwable thrown) {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(TIMEOUT);

        assertThrows(breaker, thrown);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.diagnostics().probesInFlight()).isZero();
    }

    @Test
    @DisplayName("CB-14 isSuccessful can call an exception a success; the caller still gets it")
    void isSuccessful_exception_isSuccess() {
        CircuitBreaker breaker = made(brittle().isSuccessful(error -> error == null || error instanceof IOException));

        assertThrows(breaker, new IOException());
        breaker.onFailure(begin(breaker), new IOException());
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 2, 0, 2, 0));
        assertThrows(breaker, new IllegalStateException());

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName(
            "CB-14 isSuccessful is given null on a normal return, and can call it a failure; the caller still gets it")
    void isSuccessful_normalReturn_canBeFailure() throws Exception {
        List<Throwable> asked = new ArrayList<>();
        CircuitBreaker breaker = made(tough().isSuccessful(error -> {
            asked.add(error);
            return false;
        }));

        assertThat(breaker.<String>execute(() -> "done")).isEqualTo("done");

        assertThat(asked).containsExactly((Throwable) null);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
    }

    @Test
    @DisplayName("CB-14 an exception that is a success closes a half-open breaker")
    void isSuccessful_probe_closes() {
        CircuitBreaker breaker = made(brittle().isSuccessful(error -> error instanceof IOException));
        open(breaker);
        ticker.advance(TIMEOUT);

        assertThrows(breaker, new IOException());

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-14 ignore is asked first, and only about exceptions")
    void ignore_exception_isAskedFirst() throws Exception {
        List<String> asked = new ArrayList<>();
        CircuitBreaker breaker = made(brittle()
                .isSuccessful(error -> {
                    asked.add("isSuccessful " + error);
                    return error == null;
                })
                .ignore(error -> {
                    asked.add("ignore " + error.getMessage());
                    return error instanceof IOException;
                }));

        breaker.execute(() -> "done");
        assertThrows(breaker, new IOException("io"));
        assertThat(asked).containsExactly("isSuccessful null", "ignore io");
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        asked.clear();
        assertThrows(breaker, FAILURE);

        assertThat(asked).containsExactly("ignore failed", "isSuccessful " + FAILURE);
        assertThat(breaker.metrics().ignored()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-14 an ignored exception of a probe gives the slot back, again and again, and changes no state")
    void ignore_probe_freesSlot() {
        CircuitBreaker breaker = made(brittle().ignore(error -> error instanceof IOException));
        open(breaker);
        ticker.advance(TIMEOUT);

        for (int i = 0; i < 10; i++) {
            assertThrows(breaker, new IOException());
            assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
            assertThat(breaker.diagnostics().probesInFlight()).isZero();
        }

        assertThat(breaker.counts()).isEqualTo(NOTHING);
        probe(breaker);
        assertRefused(breaker);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("CB-14 isSuccessful that throws means failure; the caller's result is unchanged")
    void isSuccessful_throws_isFailure(boolean error) throws Exception {
        CircuitBreaker breaker = made(tough().isSuccessful(ignored -> {
            throw sneaky(error ? new StackOverflowError() : new IOException());
        }));

        assertThat(breaker.<String>execute(() -> "done")).isEqualTo("done");
        assertThrows(breaker, FAILURE);

        assertThat(breaker.counts()).isEqualTo(new Counts(2, 0, 2, 0, 2));
        assertThat(FAILURE.getSuppressed()).isEmpty();
    }

    @Test
    @DisplayName("CB-14 isSuccessful that throws about a probe reopens")
    void isSuccessful_throwsAboutProbe_reopens() throws Exception {
        Predicate<Throwable> throwing = ignored -> {
            throw new IllegalArgumentException();
        };
        CircuitBreaker breaker = made(brittle().isSuccessful(throwing));
        open(breaker);
        ticker.advance(TIMEOUT);

        assertThat(breaker.<String>execute(() -> "done")).isEqualTo("done");

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("CB-14 readyToTrip that throws means no trip; the caller's result is unchanged")
    void readyToTrip_throws_doesNotTrip(boolean error) {
        CircuitBreaker breaker = made(builder().readyToTrip(counts -> {
            throw sneaky(error ? new StackOverflowError() : new IOException());
        }));

        for (int i = 0; i < 10; i++) {
            assertThrows(breaker, FAILURE);
        }

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts()).isEqualTo(new Counts(10, 0, 10, 0, 10));
        assertThat(breaker.diagnostics().oneMoreFailureTrips()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CB-4 CB-14 a rule that throws does not keep the others from tripping")
    void readyToTrip_throws_othersAreAsked(boolean throwingFirst) {
        Predicate<Counts> throwing = counts -> {
            throw new IllegalStateException();
        };
        CircuitBreaker breaker = made(
                throwingFirst
                        ? builder().readyToTrip(throwing).readyToTrip(counts -> true)
                        : builder().readyToTrip(counts -> true).readyToTrip(throwing));
        CircuitBreaker byRate = made(builder().readyToTrip(throwing).failureRate(0.5, 1));

        fail(breaker);
        fail(byRate);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(byRate.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-14 ignore that throws ignores nothing; the slot comes back and the caller's result is unchanged")
    void ignore_throws_countsAsUsual() {
        CircuitBreaker breaker = made(brittle().ignore(error -> {
            throw new IllegalArgumentException();
        }));

        assertThrows(breaker, FAILURE);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        ticker.advance(TIMEOUT);
        assertThrows(breaker, FAILURE);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.metrics().ignored()).isZero();
    }

    @Test
    @DisplayName("CB-14 predicates are run with nothing held: they may call back in")
    void predicates_callBackIn_work() {
        CircuitBreaker[] breaker = new CircuitBreaker[1];
        breaker[0] = made(builder()
                .ignore(error -> {
                    succeed(breaker[0]);
                    return false;
                })
                .isSuccessful(error -> {
                    breaker[0].counts();
                    return error == null;
                })
                .readyToTrip(counts -> breaker[0].metrics().counts().totalFailures() >= 2));

        assertThrows(breaker[0], FAILURE);
        assertThat(breaker[0].counts().totalSuccesses()).isEqualTo(1);
        assertThrows(breaker[0], FAILURE);

        assertThat(breaker[0].state()).isEqualTo(State.OPEN);
    }
}
