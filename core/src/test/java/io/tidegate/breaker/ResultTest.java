package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bookkeeping that throws. */
class ResultTest extends BreakerTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    static Stream<Throwable> anythingThrowable() {
        return Stream.of(new IllegalStateException(), new InternalError(), new StackOverflowError(), new Exception());
    }

    /** Settings with which each outcome needs the time. */
    private CircuitBreaker timed() {
        return made(builder().interval(TEN));
    }

    @ParameterizedTest
    @MethodSource("anythingThrowable")
    @DisplayName("CB-23 execute returns the value or throws the call's own exception, though the ticker throws")
    void execute_tickerThrows_resultArrives(Throwable thrown) throws Exception {
        CircuitBreaker breaker = timed();

        assertThat(breaker.<String>execute(() -> {
                    ticker.breakWith(thrown);
                    return "done";
                }))
                .isEqualTo("done");
        ticker.mend();
        assertThatThrownBy(() -> breaker.execute(() -> {
                    ticker.breakWith(thrown);
                    throw FAILURE;
                }))
                .isSameAs(FAILURE);
        ticker.mend();

        assertThat(breaker.metrics().lost()).isEqualTo(2);
        assertThat(breaker.counts()).as("neither counted nor running").isEqualTo(NOTHING);
        assertThat(FAILURE.getSuppressed()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("anythingThrowable")
    @DisplayName("CB-15 CB-23 executeAsync's stage ends with the operation's result, though the ticker throws")
    void executeAsync_tickerThrows_stageEnds(Throwable thrown) {
        CircuitBreaker breaker = timed();
        CompletableFuture<String> good = new CompletableFuture<>();
        CompletableFuture<String> bad = new CompletableFuture<>();
        CompletionStage<String> goodEnd = breaker.executeAsync(() -> good);
        CompletionStage<String> badEnd = breaker.executeAsync(() -> bad);

        ticker.breakWith(thrown);
        good.complete("done");
        bad.completeExceptionally(FAILURE);
        ticker.mend();

        assertThat(goodEnd).isCompletedWithValue("done");
        assertThat(errorOf(badEnd)).isSameAs(FAILURE);
        Supplier<CompletionStage<String>> doneAtOnce = () -> {
            ticker.breakWith(thrown);
            return CompletableFuture.completedFuture("at once");
        };
        assertThat(breaker.executeAsync(doneAtOnce)).isCompletedWithValue("at once");
        ticker.mend();
        Supplier<CompletionStage<String>> throwing = () -> {
            ticker.breakWith(thrown);
            throw sneaky(FAILURE);
        };
        assertThat(errorOf(breaker.executeAsync(throwing))).isSameAs(FAILURE);
        ticker.mend();
        assertThat(breaker.metrics().lost()).isEqualTo(4);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-23 an outcome told by hand throws nothing, though the ticker does")
    void outcome_tickerThrows_throwsNothing(Outcome outcome) {
        CircuitBreaker breaker = timed();
        long stamp = begin(breaker);

        ticker.breakWith(new IllegalStateException());
        outcome.tell(breaker, stamp);
        ticker.mend();

        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.metrics().lost() + breaker.metrics().ignored()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-10 CB-23 a probe whose outcome is lost gives its slot back and decides nothing")
    void probe_tickerThrows_slotComesBack(Outcome outcome) {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);

        ticker.breakWith(new InternalError());
        outcome.tell(breaker, probe);
        ticker.mend();

        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.diagnostics().probesInFlight()).isZero();
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.metrics().lost()).isEqualTo(outcome == Outcome.IGNORED ? 0 : 1);
        outcome.tell(breaker, probe);
        assertThat(breaker.metrics().misused()).isEqualTo(1);
        breaker.onSuccess(probe(breaker));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-23 a trip for which there is no time is left to the next failure")
    void trip_tickerThrows_nextFailureTrips() {
        CircuitBreaker breaker = made(builder());
        fail(breaker, 5);
        long sixth = begin(breaker);

        ticker.breakWith(new IllegalStateException());
        breaker.onFailure(sixth, FAILURE);
        ticker.mend();
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().lost()).isEqualTo(1);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-23 a call that needs the time to be admitted is not run if there is none, and nothing is taken")
    void tryAcquire_tickerThrows_nothingIsTaken() {
        IllegalStateException thrown = new IllegalStateException();
        CircuitBreaker closed = timed();
        CircuitBreaker halfOpen = made(brittle().maxRequests(2));
        CircuitBreaker open = made(brittle());
        open(open);
        long probe = halfOpen(halfOpen);

        ticker.breakWith(thrown);
        for (CircuitBreaker breaker : new CircuitBreaker[] {closed, halfOpen, open}) {
            assertThatThrownBy(breaker::tryAcquire).isSameAs(thrown);
            assertThatThrownBy(() -> breaker.execute(() -> "not run")).isSameAs(thrown);
            assertThat(errorOf(breaker.executeAsync(CompletableFuture::new))).isSameAs(thrown);
        }
        ticker.mend();

        assertThat(closed.counts()).isEqualTo(NOTHING);
        assertThat(halfOpen.diagnostics().probesInFlight()).isEqualTo(1);
        assertThat(open.state()).isEqualTo(State.OPEN);
        probe(open);
        probe(halfOpen);
        assertRefused(halfOpen);
        halfOpen.onIgnored(probe);
    }

    @Test
    @DisplayName(
            "CB-2 CB-23 reads and changes for which there is no time throw what the ticker throws, and change nothing")
    void reads_tickerThrows_throw() {
        IllegalStateException thrown = new IllegalStateException();
        CircuitBreaker breaker = timed();
        fail(breaker);
        BreakerMetrics before = breaker.metrics();

        ticker.breakWith(thrown);
        assertThatThrownBy(breaker::counts).isSameAs(thrown);
        assertThatThrownBy(breaker::metrics).isSameAs(thrown);
        assertThatThrownBy(breaker::diagnostics).isSameAs(thrown);
        assertThatThrownBy(breaker::forceOpen).isSameAs(thrown);
        assertThatThrownBy(breaker::disable).isSameAs(thrown);
        assertThatThrownBy(breaker::reset).isSameAs(thrown);
        assertThatThrownBy(() -> breaker.update(change -> change.interval(Duration.ZERO)))
                .isSameAs(thrown);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        ticker.mend();

        assertThat(breaker.metrics()).isEqualTo(before);
    }

    private static final class Causeless extends CompletionException {
        private static final long serialVersionUID = 1L;

        Causeless() {
            super("failed", null);
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("has no cause");
        }
    }

    @Test
    @DisplayName("CB-14 CB-23 an error that throws when it is asked for its cause is a failure, in every form of call")
    void outcome_causeThrows_isFailure() {
        Causeless error = new Causeless();
        CircuitBreaker breaker = made(builder());

        breaker.onFailure(begin(breaker), error);
        CompletionStage<String> stage = breaker.executeAsync(() -> CompletableFuture.failedFuture(error));
        assertThatThrownBy(() -> breaker.execute(() -> {
                    throw error;
                }))
                .isSameAs(error);

        assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
        assertThat(breaker.counts()).isEqualTo(new Counts(3, 0, 3, 0, 3));
        assertThat(breaker.metrics().lost()).isZero();

        CircuitBreaker probed = made(brittle());
        probed.onFailure(halfOpen(probed), error);
        assertThat(probed.state()).isEqualTo(State.OPEN);
    }
}
