package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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

    @Test
    @DisplayName("CB-14 several ignore rules are joined, and one that throws does not silence the other")
    void ignore_several_areJoined() {
        CircuitBreaker breaker = made(brittle()
                .ignore(error -> error instanceof IOException)
                .ignore(error -> {
                    throw new IllegalStateException();
                })
                .ignore(error -> error instanceof CancellationException));

        assertThrows(breaker, new IOException());
        assertThrows(breaker, new CancellationException());

        assertThat(breaker.metrics().ignored()).isEqualTo(2);
        assertThrows(breaker, FAILURE);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-24 failsOn is asked about errors only: those it names are failures, all others successes")
    void failsOn_errors_areJudged() throws Exception {
        List<Throwable> asked = new ArrayList<>();
        IOException io = new IOException();
        CircuitBreaker breaker = made(tough().failsOn(error -> {
                    asked.add(error);
                    return error.getClass() == IOException.class;
                })
                .failsOn(error -> error instanceof AssertionError));

        breaker.execute(() -> null);
        breaker.onSuccess(begin(breaker));
        assertThat(asked).isEmpty();
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 2, 0, 2, 0));
        assertThrows(breaker, io);
        breaker.onFailure(begin(breaker), new AssertionError());
        assertThat(breaker.counts()).isEqualTo(new Counts(4, 2, 2, 0, 2));
        assertThrows(breaker, FAILURE);

        assertThat(breaker.counts()).isEqualTo(new Counts(5, 3, 2, 1, 0));
        assertThat(asked).contains(io, FAILURE);
    }

    @Test
    @DisplayName("CB-24 failsOnResult is asked about values only, null included; the caller still gets them")
    void failsOnResult_values_areJudged() throws Exception {
        List<Object> asked = new ArrayList<>();
        CircuitBreaker breaker = made(tough().failsOnResult(value -> {
                    asked.add(value);
                    return "bad".equals(value);
                })
                .failsOnResult(value -> Integer.valueOf(500).equals(value)));

        assertThat(breaker.<String>execute(() -> "bad")).isEqualTo("bad");
        assertThat(breaker.<Integer>execute(() -> 500)).isEqualTo(500);
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 0, 2, 0, 2));
        assertThat(breaker.<String>execute(() -> null)).isNull();
        assertThrows(breaker, FAILURE);
        breaker.onSuccess(begin(breaker));

        assertThat(breaker.counts()).isEqualTo(new Counts(5, 2, 3, 1, 0));
        assertThat(asked).containsExactly("bad", 500, null);
    }

    @Test
    @DisplayName(
            "CB-15 CB-24 failsOnResult and failsOn judge asynchronous calls, done or not, and leave their stages alone")
    void failsOnResult_async_isJudged() {
        CircuitBreaker breaker =
                made(tough().failsOnResult("bad"::equals).failsOn(error -> error instanceof IOException));
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletionStage<String> returned = breaker.executeAsync(() -> pending);
        pending.complete("bad");
        assertThat(returned).isCompletedWithValue("bad");
        assertThat(breaker.executeAsync(() -> CompletableFuture.completedFuture("bad")))
                .isCompletedWithValue("bad");
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 0, 2, 0, 2));
        breaker.executeAsync(() -> CompletableFuture.completedFuture("good"));
        breaker.executeAsync(() -> CompletableFuture.failedFuture(FAILURE));
        breaker.executeAsync(() -> {
            throw new IllegalArgumentException("thrown");
        });

        assertThat(breaker.counts()).isEqualTo(new Counts(5, 3, 2, 3, 0));
    }

    @Test
    @DisplayName("CB-24 a call fails if any rule says so: isSuccessful no, failsOn yes or failsOnResult yes")
    void rules_several_anyFails() throws Exception {
        CircuitBreaker breaker = made(tough().isSuccessful(error -> error == null || error instanceof IOException)
                .failsOn(error -> error.getMessage() != null)
                .failsOnResult("bad"::equals));

        assertThrows(breaker, new IOException());
        breaker.execute(() -> "good");
        assertThat(breaker.counts()).isEqualTo(new Counts(2, 2, 0, 2, 0));
        assertThrows(breaker, new IOException("named"));
        assertThrows(breaker, new IllegalStateException());
        breaker.execute(() -> "bad");

        assertThat(breaker.counts()).isEqualTo(new Counts(5, 2, 3, 0, 3));
    }

    @Test
    @DisplayName("CB-24 a rule that throws says nothing: an error stays a failure, a value a success")
    void rules_throw_defaultHolds() throws Exception {
        CircuitBreaker breaker = made(tough().failsOn(error -> {
                    throw new IllegalStateException();
                })
                .failsOnResult(value -> value.hashCode() == 0));

        breaker.execute(() -> null);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        assertThrows(breaker, FAILURE);

        assertThat(breaker.counts()).isEqualTo(new Counts(2, 1, 1, 0, 1));
    }

    @Test
    @DisplayName(
            "CB-24 the rules see the cause inside one CompletionException, in every form of call; the caller the whole")
    void rules_completionException_seeCause() {
        List<Throwable> asked = new ArrayList<>();
        IOException cause = new IOException();
        CompletionException inner = new CompletionException(cause);
        CompletionException bare = new CompletionException("bare", null);
        CircuitBreaker breaker = made(tough().ignore(error -> !asked.add(error))
                .failsOn(error -> !asked.add(error))
                .isSuccessful(error -> asked.add(error)));

        assertThrows(breaker, new CompletionException(cause));
        breaker.onFailure(begin(breaker), new CompletionException(cause));
        CompletionException wrapped = new CompletionException(cause);
        assertThat(errorOf(breaker.executeAsync(() -> CompletableFuture.failedFuture(wrapped))))
                .isSameAs(wrapped);
        assertThat(asked).hasSize(9).containsOnly(cause);
        asked.clear();
        assertThrows(breaker, new CompletionException(inner));
        assertThat(asked).hasSize(3).containsOnly(inner);
        asked.clear();
        assertThrows(breaker, bare);

        assertThat(asked).hasSize(3).containsOnly(bare);
    }
}
