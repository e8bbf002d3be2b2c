package io.tidegate.breaker;

import static io.tidegate.breaker.ExpectedMetrics.metrics;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AsyncTest extends BreakerTest {
    @Test
    @DisplayName("CB-15 the outcome is recorded when the operation's stage ends, not when it is returned")
    void executeAsync_pending_recordsAtItsEnd() {
        CircuitBreaker breaker = made(builder());
        CompletableFuture<String> operation = new CompletableFuture<>();

        CompletionStage<String> returned = breaker.executeAsync(() -> operation);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 0, 0, 0));
        assertThat(returned.toCompletableFuture()).isNotDone();
        operation.complete("done");

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        assertThat(returned.toCompletableFuture()).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("CB-3 CB-15 value, null and error reach the caller as they are, pending or already done")
    void executeAsync_ends_passesResultOn() {
        CircuitBreaker breaker = made(builder());
        IOException failure = new IOException();

        assertThat(breaker.executeAsync(() -> CompletableFuture.completedFuture("done"))
                        .toCompletableFuture())
                .isCompletedWithValue("done");
        assertThat(breaker.executeAsync(() -> CompletableFuture.completedFuture(null))
                        .toCompletableFuture())
                .isCompletedWithValue(null);
        assertThat(errorOf(breaker.executeAsync(() -> CompletableFuture.failedFuture(failure))))
                .isSameAs(failure);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletionStage<String> returned = breaker.executeAsync(() -> pending);
        pending.completeExceptionally(failure);

        assertThat(errorOf(returned)).isSameAs(failure);
        assertThat(breaker.counts()).isEqualTo(new Counts(4, 2, 2, 0, 2));
    }

    @Test
    @DisplayName("CB-15 the outcome is recorded before the returned stage is seen as done")
    void executeAsync_ends_recordsBeforeItShows() {
        CircuitBreaker breaker = made(brittle());
        CompletableFuture<String> operation = new CompletableFuture<>();
        List<State> seen = new ArrayList<>();
        breaker.executeAsync(() -> operation).whenComplete((value, error) -> seen.add(breaker.state()));

        operation.completeExceptionally(FAILURE);

        assertThat(seen).containsExactly(State.OPEN);
    }

    @Test
    @DisplayName("CB-15 a refusal is a stage too, failed with the exception itself, and the supplier does not run")
    void executeAsync_refused_returnsFailedStage() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        AtomicInteger runs = new AtomicInteger();

        CompletionStage<Integer> open =
                breaker.executeAsync(() -> CompletableFuture.completedFuture(runs.incrementAndGet()));
        ticker.advance(TIMEOUT);
        probe(breaker);
        CompletionStage<Integer> full =
                breaker.executeAsync(() -> CompletableFuture.completedFuture(runs.incrementAndGet()));

        assertThat(errorOf(open)).isInstanceOfSatisfying(CircuitOpenException.class, error -> {
            assertThat(error.breakerName()).isEqualTo("search");
            assertThat(error.state()).isEqualTo(State.OPEN);
            assertThat(error.retryAfter()).isEqualTo(TIMEOUT);
        });
        assertThat(errorOf(full)).isInstanceOf(TooManyRequestsException.class);
        assertThat(runs).hasValue(0);
        assertThat(breaker.metrics().refused()).isEqualTo(2);
        assertThat(breaker.counts().requests()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("io.tidegate.breaker.PredicateTest#anythingThrowable")
    @DisplayName("CB-14 CB-15 a supplier that throws anything is a failure, in a stage")
    void executeAsync_supplierThrows_isFailure(Throwable thrown) {
        CircuitBreaker breaker = made(builder());

        CompletionStage<String> stage = breaker.executeAsync(() -> {
            throw sneaky(thrown);
        });

        assertThat(errorOf(stage)).isSameAs(thrown);
        if (!(thrown instanceof CancellationException)) {
            assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
        }
        Thread.interrupted();
    }

    @Test
    @DisplayName("CB-15 a supplier that returns null is a failure, in a stage")
    void executeAsync_supplierReturnsNull_isFailure() {
        CircuitBreaker breaker = made(builder());

        CompletionStage<String> stage = breaker.executeAsync(() -> null);

        assertThat(errorOf(stage)).isInstanceOf(NullPointerException.class);
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
    }

    @Test
    @DisplayName("CB-15 a probe whose supplier throws or returns null reopens")
    void executeAsync_probeWithoutStage_reopens() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(TIMEOUT);
        breaker.executeAsync(() -> null);
        assertThat(breaker.state()).isEqualTo(State.OPEN);

        ticker.advance(TIMEOUT);
        breaker.executeAsync(() -> {
            throw new AssertionError();
        });

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(told).hasSize(5);
    }

    static Stream<Throwable> cancellations() {
        return Stream.of(new CancellationException(), new CompletionException(new CancellationException()));
    }

    @ParameterizedTest
    @MethodSource("cancellations")
    @DisplayName("CB-15 a cancelled operation is ignored and gives its slot back")
    void executeAsync_operationCancelled_isIgnored(Throwable cancellation) {
        CircuitBreaker breaker = made(brittle());
        CompletableFuture<String> closed = new CompletableFuture<>();
        breaker.executeAsync(() -> closed);
        closed.completeExceptionally(cancellation);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        open(breaker);
        ticker.advance(TIMEOUT);
        CompletableFuture<String> probe = new CompletableFuture<>();
        CompletionStage<String> returned = breaker.executeAsync(() -> probe);
        assertRefused(breaker);
        probe.completeExceptionally(cancellation);

        assertThat(errorOf(returned)).isSameAs(cancellation);
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.metrics().ignored()).isEqualTo(2);
        probe(breaker);
    }

    @Test
    @DisplayName("CB-15 an operation cancelled by its own future, before or after it was handed over, is ignored")
    void executeAsync_operationFutureCancelled_isIgnored() {
        CircuitBreaker breaker = made(brittle());
        CompletableFuture<String> before = new CompletableFuture<>();
        CompletableFuture<String> after = new CompletableFuture<>();
        before.cancel(true);

        CompletionStage<String> first = breaker.executeAsync(() -> before);
        CompletionStage<String> second = breaker.executeAsync(() -> after);
        after.cancel(true);

        assertThat(errorOf(first)).isInstanceOf(CancellationException.class);
        assertThat(errorOf(second)).isInstanceOf(CancellationException.class);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.metrics().ignored()).isEqualTo(2);
    }

    @Test
    @DisplayName("CB-15 a cancellation deeper than the direct cause is a failure")
    void executeAsync_deepCancellation_isFailure() {
        CircuitBreaker breaker = made(builder());

        breaker.executeAsync(() -> CompletableFuture.failedFuture(new IOException(new CancellationException())));
        breaker.executeAsync(() -> CompletableFuture.failedFuture(
                new CompletionException(new CompletionException(new CancellationException()))));

        assertThat(breaker.counts().totalFailures()).isEqualTo(2);
    }

    @Test
    @DisplayName("CB-15 cancelling the returned stage is not passed on and records nothing")
    void executeAsync_returnedCancelled_recordsNothing() {
        CircuitBreaker breaker = made(brittle().maxRequests(1));
        open(breaker);
        ticker.advance(TIMEOUT);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned =
                breaker.executeAsync(() -> operation).toCompletableFuture();

        returned.cancel(true);

        assertThat(operation).isNotDone();
        assertThat(breaker.metrics())
                .isEqualTo(metrics(State.HALF_OPEN, 2, new Counts(1, 0, 0, 0, 0))
                        .sinceStart(0, 1)
                        .made());
        assertRefused(breaker);
        operation.complete("done");
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().misused()).isZero();
    }

    @Test
    @DisplayName("CB-15 completing the returned stage by hand records nothing: the operation's own end does")
    void executeAsync_returnedCompletedByHand_recordsNothing() {
        CircuitBreaker breaker = made(builder());
        CompletableFuture<String> operation = new CompletableFuture<>();
        breaker.executeAsync(() -> operation).toCompletableFuture().complete("by hand");
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 0, 0, 0));

        operation.completeExceptionally(FAILURE);

        assertThat(breaker.counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
    }

    @Test
    @DisplayName("CB-15 nothing done to the returned stage reaches the operation, even when it is already done")
    void executeAsync_returnedTamperedWith_operationIsUnchanged() {
        CircuitBreaker breaker = made(builder());
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned =
                breaker.executeAsync(() -> operation).toCompletableFuture();
        returned.obtrudeValue("obtruded");
        operation.complete("done");

        assertThat(operation).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("CB-15 a stage that signals twice, or signals and then throws, is recorded once")
    void executeAsync_hostileStage_recordsOnce() {
        CircuitBreaker breaker = made(tough());

        CompletionStage<String> twice = breaker.executeAsync(() -> new HostileStage<String>(hook -> {
            hook.accept("done", null);
            hook.accept(null, FAILURE);
        }));
        CompletionStage<String> thenThrows = breaker.executeAsync(() -> new HostileStage<String>(hook -> {
            hook.accept("done", null);
            throw new IllegalStateException();
        }));
        CompletionStage<String> onlyThrows = breaker.executeAsync(() -> new HostileStage<String>(hook -> {
            throw sneaky(FAILURE);
        }));

        assertThat(twice.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(thenThrows.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(errorOf(onlyThrows)).isSameAs(FAILURE);
        assertThat(breaker.counts()).isEqualTo(new Counts(3, 2, 1, 0, 1));
        assertThat(breaker.metrics().misused()).isZero();
    }

    @Test
    @DisplayName("CB-14 CB-15 the predicates are asked about the operation's error as the stage gives it")
    void executeAsync_predicates_areAsked() {
        CircuitBreaker breaker = made(brittle()
                .ignore(error -> error instanceof IOException)
                .isSuccessful(error -> !(error instanceof IllegalStateException)));

        breaker.executeAsync(() -> CompletableFuture.failedFuture(new IOException()));
        assertThat(breaker.metrics().ignored()).isEqualTo(1);
        breaker.executeAsync(() -> CompletableFuture.failedFuture(new IllegalArgumentException()));
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        breaker.executeAsync(() -> CompletableFuture.failedFuture(FAILURE));

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-14 CB-15 a predicate or listener that throws leaves the returned stage as it is")
    void executeAsync_predicatesThrow_resultIsUnchanged() {
        CircuitBreaker breaker = made(brittle()
                .isSuccessful(error -> {
                    throw new StackOverflowError();
                })
                .onStateChange((name, from, to) -> {
                    throw new StackOverflowError();
                }));
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletionStage<String> returned = breaker.executeAsync(() -> operation);

        operation.complete("done");

        assertThat(returned.toCompletableFuture()).isCompletedWithValue("done");
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-9 CB-15 a late operation changes nothing, and its caller gets its own result")
    void executeAsync_late_passesResultOn() {
        CircuitBreaker breaker = made(brittle());
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletionStage<String> returned = breaker.executeAsync(() -> operation);
        halfOpen(breaker);

        operation.complete("mine");

        assertThat(returned.toCompletableFuture()).isCompletedWithValue("mine");
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.metrics().late()).isEqualTo(1);
    }

    @Test
    @DisplayName("CB-15 an async probe closes a half-open breaker when its operation ends")
    void executeAsync_probe_closes() {
        CircuitBreaker breaker = made(brittle());
        open(breaker);
        ticker.advance(TIMEOUT);
        CompletableFuture<String> operation = new CompletableFuture<>();
        breaker.executeAsync(() -> operation);
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);

        operation.complete("done");

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
