package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Backoff;
import io.tidegate.Overload;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries of calls and operations; each test runs both ways. */
class RetryTest extends GuardTest {
    private final List<String> pauses = new ArrayList<>();
    private int attempts;

    private Guard guard(UnaryOperator<Retry.Builder> settings) {
        return built(builder()
                .bulkhead(bulkhead("outer", 9))
                .retry(settings.apply(Retry.builder().backoff(Backoff.fixed(millis(100))))
                        .build())
                .bulkhead(bulkhead("inner", 9))
                .listener(new GuardListener() {
                    @Override
                    public void onRetry(int attempt, @Nullable Throwable causeOrNull, Duration delay) {
                        pauses.add(attempt + " after " + delay.toMillis());
                    }
                }));
    }

    /** The value, or the error. */
    private Object make(Guard guard, boolean async, Object... ends) {
        attempts = 0;
        if (!async) {
            Object[] value = new Object[1];
            Throwable thrown = thrownBy(() -> value[0] = guard.call(() -> {
                Object end = ends[Math.min(attempts++, ends.length - 1)];
                return end instanceof Throwable error ? throwing(error).call() : end;
            }));
            return thrown != null ? thrown : value[0];
        }
        CompletableFuture<Object> future = submit(guard, () -> {
            Object end = ends[Math.min(attempts++, ends.length - 1)];
            return end instanceof Throwable error
                    ? CompletableFuture.failedFuture(error)
                    : CompletableFuture.completedFuture(end);
        });
        for (int i = 0; i < 1000 && !future.isDone(); i++) {
            time.advance(millis(50));
        }
        Throwable error = errorOf(future);
        return error != null ? error : future.join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-1 RT-4 at most so many attempts; the last error, the same instance, reaches the caller")
    void fails_always_endsWithTheLastError(boolean async) {
        Guard guard = guard(settings -> settings);
        Exception first = new Exception("first");
        Exception last = new Exception("last");
        assertThat(make(guard, async, first, first, last, "never")).isSameAs(last);
        assertThat(attempts).isEqualTo(3);
        assertThat(pauses).containsExactly("2 after 100", "3 after 100");
        assertThat(make(guard, async, first, "value")).isEqualTo("value");
        assertThat(guard.stats().retries()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "RT-1 errors, interrupts and cancellations are never retried, bare or wrapped; a rule that throws means no")
    void never_retried(boolean async) {
        Guard guard = guard(settings -> settings.retryOn(error -> true));
        for (Throwable never : List.of(
                new Error(),
                new InterruptedException(),
                new CancellationException(),
                new CompletionException(new Error()),
                new ExecutionException(new CompletionException(new InterruptedException())))) {
            assertThat(make(guard, async, never, "never")).isSameAs(never);
            assertThat(attempts).isOne();
        }
        Guard broken = guard(settings -> settings.retryOn(error -> {
            throw new IllegalStateException();
        }));
        assertThat(make(broken, async, FAILED, "never")).isSameAs(FAILED);
        Guard noBackoff = guard(settings -> settings.backoff(retry -> Duration.ofMillis(-1)));
        assertThat(make(noBackoff, async, FAILED, "never")).isSameAs(FAILED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-2 each attempt enters and leaves the layers inside; none of them is held during a pause")
    void attempt_entersInnerLayers(boolean async) {
        make(guard(settings -> settings), async, FAILED, FAILED, "value");
        assertThat(events)
                .containsExactly("+outer", "+inner", "-inner", "+inner", "-inner", "+inner", "-inner", "-outer");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-3 a refusal is retried only if asked for, and not before its retryAfter")
    void refusal_isRetriedIfAskedFor(boolean async) {
        assertThat(make(guard(settings -> settings), async, new OtherRefusal(), "never"))
                .isInstanceOf(OtherRefusal.class);
        assertThat(pauses).isEmpty();
        Guard asking = guard(settings -> settings.retryOn(error -> error instanceof OtherRefusal));
        assertThat(make(asking, async, new CompletionException(new OtherRefusal()), "value"))
                .isEqualTo("value");
        assertThat(pauses).containsExactly("2 after 250");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-4 for results the last value reaches the caller")
    void result_isRetried(boolean async) {
        Guard guard = guard(settings -> settings.retryOnResult("again"::equals));
        assertThat(make(guard, async, "again", "value")).isEqualTo("value");
        assertThat(make(guard, async, "again")).isEqualTo("again");
        assertThat(attempts).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-4 RT-5 without budget the error reaches the caller")
    void budget_empty_endsTheRetry(boolean async) {
        RetryBudget budget = RetryBudget.of(0, 1, Duration.ofSeconds(10), () -> 0L);
        Guard guard = guard(settings -> settings.budget(budget));
        assertThat(make(guard, async, FAILED)).isSameAs(FAILED);
        assertThat(attempts).isEqualTo(2);
        assertThat(make(guard, async, FAILED)).isSameAs(FAILED);
        assertThat(attempts).isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("GD-10 RT-1 an attempt that does not come, as a limit passes in the pause before it, is no retry")
    void limit_inThePause_countsNoRetry(boolean async) {
        List<Integer> planned = new ArrayList<>();
        Guard guard = built(builder()
                .timeLimit(millis(150))
                .retry(Retry.builder()
                        .maxAttempts(9)
                        .backoff(Backoff.fixed(millis(100)))
                        .build())
                .listener(new GuardListener() {
                    @Override
                    public void onRetry(int attempt, @Nullable Throwable causeOrNull, Duration delay) {
                        planned.add(attempt);
                        time.advance(millis(60)); // as if the thread was not scheduled in time
                    }
                }));
        assertThat(make(guard, async, FAILED)).isInstanceOf(async ? TimeLimitExceededException.class : Exception.class);
        assertThat(planned).containsExactly(2);
        assertThat(attempts).isOne();
        assertThat(guard.stats().retries()).isZero();
    }

    @Test
    @DisplayName("GD-6 GD-10 an attempt that does not come, as the caller cancels in the pause, is no retry")
    void cancel_inThePause_countsNoRetry() {
        Guard guard = guard(settings -> settings);
        CompletableFuture<Object> future = submit(guard, () -> CompletableFuture.failedFuture(FAILED));
        assertThat(pauses).containsExactly("2 after 100");
        future.cancel(false);
        time.advance(millis(1000));
        assertThat(guard.stats().retries()).isZero();
    }

    @Test
    @DisplayName("RT-1 attempts that fail at once, without a pause, do not pile up on the stack")
    void submit_manyAttempts_doNotNest() {
        Guard guard = guard(settings -> settings.maxAttempts(50_000).backoff(Backoff.none()));
        assertThat(make(guard, true, FAILED)).isSameAs(FAILED);
        assertThat(attempts).isEqualTo(50_000);
        events.clear();
        pauses.clear();
    }

    @Test
    @DisplayName(
            "GD-9 an interrupt during a pause ends the call; an interrupted thread makes a call that needs no wait")
    void call_interrupted_endsThePause() throws Exception {
        Guard guard = guard(settings -> settings);
        Thread.currentThread().interrupt();
        assertThat(guard.call(() -> "value")).isEqualTo("value");
        assertThatThrownBy(() -> guard.call(() -> {
                    attempts++;
                    throw FAILED;
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(attempts).isOne();
        assertThat(guard.stats().cancelled()).isOne();
        assertThat(guard.stats().retries()).isZero();
    }

    @Test
    void builder_misuse_isRefused() {
        assertThatThrownBy(() -> Retry.of(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxAttempts: 0 (expected: >= 1)");
        assertThat(Retry.of(4).maxAttempts()).isEqualTo(4);
        assertThat(Retry.builder().build().maxAttempts()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-3 what an overloaded callee asks for is the least pause, and the breaker counts a failure")
    void overload_isRetriedAfterWhatItAsksFor(boolean async) {
        CircuitBreaker breaker =
                CircuitBreaker.builder("lenient").ticker(time::nanos).build();
        Guard guard = built(builder()
                .retry(Retry.builder()
                        .backoff(Backoff.fixed(millis(100)))
                        .maxAttempts(4)
                        .build())
                .breaker(breaker)
                .listener(new GuardListener() {
                    @Override
                    public void onRetry(int attempt, @Nullable Throwable causeOrNull, Duration delay) {
                        pauses.add(attempt + " after " + delay.toMillis());
                    }
                }));
        Object end = make(
                guard,
                async,
                new Overloaded(millis(700)),
                new CompletionException(new Overloaded(millis(50))),
                new Overloaded(null),
                "value");
        assertThat(end).isEqualTo("value");
        assertThat(pauses).containsExactly("2 after 700", "3 after 100", "4 after 100");
        assertThat(breaker.counts().totalFailures()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("GD-12 listeners are told the error itself, without what stages put around it")
    void listener_wrappedError_toldBare(boolean async) {
        List<Object> told = new ArrayList<>();
        Exception first = new Exception("first");
        Exception last = new Exception("last");
        Guard guard = built(builder()
                .retry(Retry.builder()
                        .backoff(Backoff.fixed(millis(100)))
                        .maxAttempts(2)
                        .build())
                .listener(new GuardListener() {
                    @Override
                    public void onRetry(int attempt, @Nullable Throwable causeOrNull, Duration delay) {
                        told.add(causeOrNull);
                    }

                    @Override
                    public void onEnd(Outcome<?> outcome, long nanos) {
                        told.add(((Outcome.Failure<?>) outcome).error());
                    }
                }));
        CompletionException end = new CompletionException(last);
        assertThat(make(guard, async, new CompletionException(new CompletionException(first)), end))
                .as("to the caller as it was")
                .isSameAs(end);
        assertThat(told).containsExactly(first, last);
    }

    private static final class Overloaded extends IOException implements Overload {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        Overloaded(Duration retryAfter) {
            this.retryAfter = retryAfter;
        }

        @Override
        public Duration retryAfter() {
            return retryAfter;
        }
    }
}
