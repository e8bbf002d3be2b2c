package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.reading.Figures;
import io.tidegate.retry.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time limits. The tests move the clock inside the call, so that limits fire there. */
class TimeLimitTest extends GuardTest {
    private final CircuitBreaker breaker = breaker();

    private Guard.Builder limit(Guard.Builder builder, int... millis) {
        for (int each : millis) {
            builder.timeLimit(millis(each));
        }
        return builder;
    }

    @Test
    @DisplayName("TL-1 at the limit the stage fails, and what is inside is left")
    void submit_limit_failsTheStage() {
        AsyncBulkhead bulkhead = bulkhead("a", 1);
        Guard guard = built(builder().timeLimit(millis(10)).bulkhead(bulkhead));
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> future = submit(guard, () -> operation);
        time.advance(millis(9));
        assertThat(future).isNotDone();
        time.advance(millis(1));
        assertThat(errorOf(future)).isInstanceOfSatisfying(TimeLimitExceededException.class, error -> {
            assertThat(error.code()).isEqualTo("TL_ERR_EXCEEDED");
            assertThat(error.source()).isEqualTo("guard");
            assertThat(error.limit()).isEqualTo(millis(10));
        });
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(guard.stats().timeouts()).isOne();
        operation.complete("late");
        assertThat(submit(guard, () -> CompletableFuture.completedFuture(1))).isCompletedWithValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "TL-2 a call ended by a limit is one failure in each breaker around and inside of it, whatever its rules")
    void limit_isOneFailureInEachBreaker(boolean async) {
        CircuitBreaker inner = CircuitBreaker.builder("lenient")
                .failsOn(error -> false)
                .ticker(time::nanos)
                .build();
        Guard guard = built(builder().breaker(breaker).timeLimit(millis(10)).breaker(inner));
        if (async) {
            submit(guard, CompletableFuture::new);
            time.advance(millis(10));
        } else {
            assertThat(thrownBy(() -> guard.call(() -> {
                        time.advance(millis(10));
                        return "late, and it does not look at interrupts";
                    })))
                    .isInstanceOf(TimeLimitExceededException.class);
        }
        assertThat(breaker.counts().totalFailures()).isOne();
        assertThat(inner.counts().totalFailures()).isOne();
        assertThat(inner.counts().requests()).isOne();
        assertThat(guard.stats().timeouts()).isOne();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("TL-2 a limit outside of a retry is a failure in the breaker inside of it")
    void limit_outsideOfRetry_isAFailureInside() {
        Guard guard = built(builder().timeLimit(millis(10)).retry(Retry.of(3)).breaker(breaker));
        submit(guard, CompletableFuture::new);
        time.advance(millis(10));
        assertThat(breaker.counts().totalFailures()).isOne();
        assertThat(guard.stats().retries()).isZero();
    }

    @Test
    @DisplayName("TL-3 the limit interrupts the thread; the call's exception is the cause; an Error is thrown as it is")
    void call_limit_interruptsAndThrows() {
        Guard guard = built(builder().timeLimit(millis(10)));
        IOException own = new IOException();
        Throwable thrown = thrownBy(() -> guard.call(() -> {
            time.advance(millis(10));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            throw own;
        }));
        assertThat(thrown).isInstanceOf(TimeLimitExceededException.class).hasCause(own);
        assertThat(Thread.interrupted()).isFalse();
        Error fatal = new Error();
        assertThat(thrownBy(() -> guard.call(() -> {
                    time.advance(millis(10));
                    throw fatal;
                })))
                .isSameAs(fatal);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=2 failures=1 timeouts=1");
    }

    @Test
    @DisplayName("TL-4 the caller's own interrupt stays set, with and without a limit that fires")
    void call_ownInterrupt_stays() {
        Guard guard = built(builder().timeLimit(millis(10)));
        Thread.currentThread().interrupt();
        assertThat(thrownBy(() -> guard.call(() -> 1))).isNull();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(thrownBy(() -> guard.call(() -> {
                    time.advance(millis(10));
                    return 1;
                })))
                .isInstanceOf(TimeLimitExceededException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("TL-3 limits around each other, of one guard and of several: each takes its own interrupt away")
    void call_nestedLimits_leaveNoInterrupt() {
        Guard outer = built(builder().timeLimit(millis(20)));
        Guard inner = built(limit(builder(), 10, 5));
        Throwable thrown = thrownBy(() -> outer.call(() -> {
            assertThat(thrownBy(() -> inner.call(() -> {
                        time.advance(millis(10));
                        return 1;
                    })))
                    .isInstanceOf(TimeLimitExceededException.class)
                    .hasCauseInstanceOf(TimeLimitExceededException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            thrownBy(() -> inner.call(() -> {
                time.advance(millis(10)); // the outer limit, too
                return 1;
            }));
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the outer call is still to be interrupted")
                    .isTrue();
            return 1;
        }));
        assertThat(thrown).isInstanceOf(TimeLimitExceededException.class).hasNoCause();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(outer.stats().timeouts()).isOne();
        assertThat(inner.stats().timeouts()).isEqualTo(2);
    }

    @Test
    @DisplayName("GD-10 a time-out of another guard is a failure, even of one with the same name")
    void stats_foreignTimeout_isAFailure() {
        Guard inner = built(builder().timeLimit(millis(10)));
        Guard outer = built(builder().timeLimit(Duration.ofHours(1)));
        thrownBy(() -> outer.call(() -> inner.call(() -> {
            time.advance(millis(10));
            return 1;
        })));
        assertThat(inner.stats().timeouts()).isOne();
        assertThat(outer.stats().failures()).isOne();
        CompletableFuture<Object> future = submit(outer, () -> inner.submit(CompletableFuture::new));
        time.advance(millis(10));
        assertThat(errorOf(future)).isInstanceOf(TimeLimitExceededException.class);
        assertThat(outer.stats().failures()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TL-5 a pause that would end after the limit does not begin: the call ends with what it has")
    void pause_beyondTheLimit_doesNotBegin(boolean async) {
        Retry retry = Retry.builder().backoff(Backoff.fixed(millis(10))).build();
        for (Guard guard : new Guard[] {
            built(builder().timeLimit(millis(15)).retry(retry)), built(builder().retry(retry))
        }) {
            Guard outer = built(builder().timeLimit(millis(15)));
            long before = time.nanos();
            Throwable thrown = async
                    ? errorOf(run(submit(outer, () -> guard.submit(() -> CompletableFuture.failedFuture(FAILED)))))
                    : thrownBy(() -> outer.call(() -> guard.call(throwing(FAILED))));
            assertThat(thrown).isSameAs(FAILED);
            assertThat(time.nanos() - before).isEqualTo(millis(10).toNanos());
            assertThat(guard.stats().retries()).isOne();
        }
    }

    private <T> CompletableFuture<T> run(CompletableFuture<T> future) {
        while (!future.isDone()) {
            time.advance(millis(10));
        }
        return future;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-1 TL-1 an attempt's own limit is retried")
    void attemptLimit_isRetried(boolean async) {
        Guard guard = built(builder()
                .retry(Retry.builder().backoff(Backoff.none()).build())
                .breaker(breaker)
                .timeLimit(millis(10)));
        if (async) {
            CompletableFuture<Object> future = submit(guard, CompletableFuture::new);
            time.advance(millis(30));
            assertThat(errorOf(future)).isInstanceOf(TimeLimitExceededException.class);
        } else {
            assertThat(thrownBy(() -> guard.call(() -> {
                        time.advance(millis(10));
                        return 1;
                    })))
                    .isInstanceOf(TimeLimitExceededException.class);
        }
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=1 timeouts=1 retries=2");
        assertThat(breaker.counts().totalFailures()).isEqualTo(0); // the counts are those after it has opened
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("TL-1 a supplier that blocks does not keep the limit, nor the next attempt")
    void submit_supplierBlocks_isLeftAtTheLimit() throws Exception {
        AsyncBulkhead bulkhead = bulkhead("a", 1);
        Guard guard = built(builder()
                .retry(Retry.builder().maxAttempts(2).backoff(Backoff.none()).build())
                .timeLimit(millis(10))
                .bulkhead(bulkhead));
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        int[] attempts = new int[1];
        CompletableFuture<CompletableFuture<String>> handed = new CompletableFuture<>();
        Thread blocked = new Thread(() -> handed.complete(submit(guard, () -> {
            if (attempts[0]++ == 0) {
                in.countDown();
                await(free);
                return CompletableFuture.completedFuture("late");
            }
            return CompletableFuture.completedFuture("second");
        })));
        blocked.start();
        await(in);
        time.advance(millis(10));
        assertThat(guard.stats().successes()).isOne();
        assertThat(bulkhead.inFlight()).isZero();
        free.countDown();
        assertThat(handed.get(1, TimeUnit.MINUTES).get(1, TimeUnit.MINUTES)).isEqualTo("second");
        blocked.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a limit that is asked for is asked for each call, and the last good answer stands")
    void liveLimit_isAskedForEachCall(boolean async) {
        List<Supplier<Duration>> answers = new ArrayList<>();
        answers.add(() -> millis(10)); // for the builder
        answers.add(() -> millis(20));
        answers.add(() -> null);
        answers.add(() -> Duration.ZERO);
        answers.add(() -> millis(-5));
        answers.add(() -> {
            throw new IllegalStateException("broken");
        });
        answers.add(() -> millis(30));
        Iterator<Supplier<Duration>> next = answers.iterator();
        Guard guard = built(builder().liveTimeLimit(() -> next.next().get()).bulkhead(bulkhead("a", 1)));
        for (int expected : new int[] {20, 20, 20, 20, 20, 30}) {
            assertThat(limitOf(guard, async)).isEqualTo(millis(expected));
        }
        assertThat(next.hasNext()).isFalse();
    }

    /** Ends calls that take for ever. */
    private Duration limitOf(Guard guard, boolean async) {
        Throwable error;
        if (async) {
            CompletableFuture<Object> future = submit(guard, CompletableFuture::new);
            time.advance(millis(100));
            error = errorOf(future);
        } else {
            error = thrownBy(() -> guard.call(() -> {
                time.advance(millis(100));
                return "late";
            }));
        }
        return ((TimeLimitExceededException) error).limit();
    }

    @Test
    @DisplayName("a limit that is under way stays as it began")
    void liveLimit_changesMeanwhile_staysAsItBegan() {
        AtomicReference<Duration> present = new AtomicReference<>(millis(10));
        Guard guard = built(builder().liveTimeLimit(present::get));
        CompletableFuture<Object> future = submit(guard, CompletableFuture::new);
        present.set(millis(1000));
        time.advance(millis(10));
        assertThat(errorOf(future)).isInstanceOf(TimeLimitExceededException.class);
    }

    @Test
    @DisplayName("GD-12 a live limit that is bad from the start is misuse")
    void liveLimit_badAtFirst_isMisuse() {
        assertThat(thrownBy(() -> builder().liveTimeLimit(() -> Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit: PT0S (expected: positive)");
        assertThat(thrownBy(() -> builder().liveTimeLimit(() -> null))).isInstanceOf(NullPointerException.class);
        assertThat(thrownBy(() -> builder().liveTimeLimit((Supplier<Duration>) null)))
                .isInstanceOf(NullPointerException.class);
    }
}
