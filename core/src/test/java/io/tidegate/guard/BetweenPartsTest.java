package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import io.tidegate.time.Timekeeper;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong between layers, and in the code of users. */
class BetweenPartsTest extends GuardTest {
    private final List<CompletableFuture<Object>> operations = new ArrayList<>();

    private CompletableFuture<Object> pending() {
        CompletableFuture<Object> operation = new CompletableFuture<>();
        operations.add(operation);
        return operation;
    }

    private static Retry retry(int attempts, Duration pause) {
        return Retry.builder()
                .maxAttempts(attempts)
                .backoff(Backoff.fixed(pause))
                .retryOn(error -> true)
                .build();
    }

    @Test
    @DisplayName("HG-1 the winner's value does not wait for what cancelling a loser runs, or throws")
    void hedge_loserCannotBeCancelled_winnerEnds() {
        Guard guard = built(builder().hedge(Hedge.after(millis(10))).bulkhead(bulkhead("a", 2)));
        CompletableFuture<Object> loser = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                throw new IllegalStateException("cannot be cancelled");
            }
        };
        operations.add(loser);
        CompletableFuture<Object> future = submit(guard, () -> operations.get(operations.size() - 1));
        operations.add(new CompletableFuture<>());
        time.advance(millis(10));
        operations.get(1).complete("second");
        assertThat(future).isCompletedWithValue("second");
    }

    @Test
    @DisplayName("HG-2 losers are cancelled through a retry inside of the hedge, too")
    void hedge_retryInside_loserIsCancelled() {
        Guard guard = built(builder().hedge(Hedge.after(millis(10))).retry(Retry.of(3)));
        CompletableFuture<Object> future = submit(guard, this::pending);
        time.advance(millis(10));
        operations.get(1).complete("second");
        assertThat(future).isCompletedWithValue("second");
        assertThat(operations.get(0)).isCancelled();
    }

    @Test
    @DisplayName("HG-1 a breaker around a hedge judges the first attempt's failure, whatever the last one was")
    void hedge_lastRefused_breakerCountsTheFirst() throws Exception {
        CircuitBreaker breaker = breaker();
        RemoteBulkhead remote = RemoteBulkhead.builder(1)
                .policy(BackpressurePolicy.queue(5, 200))
                .build();
        AtomicLong millis = new AtomicLong();
        RemoteBulkheadClient client =
                RemoteBulkheadClient.builder(remote).clock(millis::get).build();
        RemoteCapability capability = client.takeCapability();
        Guard guard =
                built(builder().breaker(breaker).hedge(Hedge.after(millis(10))).bulkhead(client, capability));
        CompletableFuture<Object> future = submit(guard, this::pending);
        CompletableFuture<Object> other = new CompletableFuture<>();
        CompletableFuture<Object> before =
                client.submit(capability, "other", () -> other).toCompletableFuture();
        time.advance(millis(10)); // the extra attempt waits behind it
        operations.get(0).completeExceptionally(FAILED); // so that the extra attempt is admitted
        millis.set(200);

        assertThat(future.handle((value, error) -> error).get(1, TimeUnit.MINUTES))
                .as("once the extra has waited for too long")
                .isSameAs(FAILED);
        assertThat(operations).hasSize(1);
        assertThat(breaker.counts().totalFailures()).isOne();
        before.cancel(false);
    }

    @Test
    @DisplayName("RT-2 TL-5 an interrupt in the pause after an attempt that was too late says nothing about the callee")
    void retry_interruptedAfterALateAttempt_breakerOutsideIgnores() {
        CircuitBreaker breaker = breaker();
        Guard guard =
                built(builder().breaker(breaker).retry(retry(2, millis(10))).timeLimit(millis(5)));
        Thread.currentThread().interrupt();
        Throwable thrown = thrownBy(() -> guard.call(() -> {
            time.advance(millis(6));
            throw FAILED;
        }));
        assertThat(thrown).isInstanceOf(InterruptedException.class);
        assertThat(breaker.counts().totalFailures()).isZero();
        assertThat(breaker.metrics().ignored()).isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RT-3 RT-4 a refusal of a user's that says nonsense is retried as if it said nothing")
    void refusal_oddRetryAfter_isNone(boolean async) {
        List<Supplier<Duration>> nonsense =
                List.of(() -> null, () -> Duration.ofSeconds(Long.MIN_VALUE), () -> Duration.ofMillis(-1), () -> {
                    throw new AssertionError();
                });
        for (Supplier<Duration> odd : nonsense) {
            class Odd extends RuntimeException implements Refusal {
                private static final long serialVersionUID = 1L;

                @Override
                public String code() {
                    return "ODD";
                }

                @Override
                public String source() {
                    return "odd";
                }

                @Override
                public Duration retryAfter() {
                    return odd.get();
                }
            }
            Odd error = new Odd();
            Guard guard = built(builder().retry(retry(2, Duration.ZERO)));
            Throwable got = async
                    ? errorOf(submit(guard, () -> CompletableFuture.failedFuture(error)))
                    : thrownBy(() -> guard.call(throwing(error)));
            assertThat(got).isSameAs(error);
            assertThat(guard.stats().retries()).isOne();
        }
    }

    static Stream<Throwable> thrownByCauses() {
        return Stream.of(new IllegalStateException(), new AssertionError());
    }

    @ParameterizedTest
    @MethodSource("thrownByCauses")
    @DisplayName("GD-1 an exception whose cause throws when asked for is passed on as it is")
    void error_causeThrows_isPassedOn(Throwable thrownByCause) {
        CompletionException odd = new CompletionException("odd") {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() {
                throw GuardTest.<RuntimeException>sneaky(thrownByCause);
            }
        };
        Guard guard = built(builder().breaker(breaker()).bulkhead(bulkhead("a", 1)));
        assertThat(errorOf(submit(guard, () -> CompletableFuture.failedFuture(odd))))
                .isSameAs(odd);
        assertThat(thrownBy(() -> guard.call(throwing(odd)))).isSameAs(odd);
        RemoteBulkheadClient client =
                RemoteBulkheadClient.of(RemoteBulkhead.builder(1).build());
        assertThat(errorOf(client.submit(client.takeCapability(), "r", () -> CompletableFuture.failedFuture(odd))
                        .toCompletableFuture()))
                .isSameAs(odd);
    }

    @Test
    @DisplayName("GD-1 GD-10 where no alarm can be set, the stage ends with why")
    void alarm_cannotBeSet_endsTheStage() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        Time broken = new Time() {
            @Override
            public void set(Timekeeper.Alarm alarm, long delayNanos) {
                throw noThread;
            }
        };
        AsyncBulkhead bulkhead = bulkhead("a", 1);
        Guard pausing =
                built(new GuardBuilder("guard", broken).bulkhead(bulkhead).retry(retry(2, millis(10))));
        assertThat(errorOf(submit(pausing, () -> CompletableFuture.failedFuture(FAILED))))
                .isSameAs(noThread);
        Guard limited =
                built(new GuardBuilder("guard", broken).bulkhead(bulkhead).timeLimit(millis(10)));
        assertThat(errorOf(submit(limited, CompletableFuture::new))).isSameAs(noThread);
        Guard hedging =
                built(new GuardBuilder("guard", broken).bulkhead(bulkhead).hedge(Hedge.after(millis(10))));
        assertThat(submit(hedging, () -> CompletableFuture.completedFuture(1))).isCompletedWithValue(1);
    }

    @Test
    @DisplayName("TL-3 a limit further out is not lost behind a limit inside of a submit on the same thread")
    void limits_throughSubmit_shareTheirInterrupts() {
        Guard outer = built(builder().timeLimit(millis(15)));
        Guard between = built(builder().retry(Retry.of(2)));
        Guard inner = built(builder().timeLimit(millis(5)));
        Throwable thrown = thrownBy(() -> outer.call(() -> {
            submit(between, () -> {
                thrownBy(() -> inner.call(() -> {
                    time.advance(millis(5));
                    time.advance(millis(10)); // the outer limit fires while the inner limit's interrupt is set
                    return 1;
                }));
                return CompletableFuture.completedFuture(1);
            });
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the outer call is to be interrupted")
                    .isTrue();
            return 1;
        }));
        assertThat(thrown).isInstanceOf(TimeLimitExceededException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("TL-4 the caller's interrupt from before the limit stays, though the call's exception took it")
    void call_ownInterruptConsumed_isSetAgain() {
        Guard guard = built(builder().timeLimit(millis(10)));
        Thread.currentThread().interrupt();
        assertThat(thrownBy(() -> guard.call(() -> {
                    time.advance(millis(10));
                    new CountDownLatch(1).await(); // answers the interrupt
                    return 1;
                })))
                .isInstanceOf(TimeLimitExceededException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("TL-3 GD-3 an Error at the limit is thrown as it is, wrapped too; each breaker counts a failure")
    void call_errorAtTheLimit_isThrown() {
        CircuitBreaker lenient = CircuitBreaker.builder("lenient")
                .failsOn(error -> false)
                .ticker(time::nanos)
                .build();
        Guard guard = built(builder().breaker(lenient).timeLimit(millis(10)));
        for (Throwable fatal : List.of(new Error(), new ExecutionException(new Error()))) {
            assertThat(thrownBy(() -> guard.call(() -> {
                        time.advance(millis(10));
                        throw GuardTest.<Exception>sneaky(fatal);
                    })))
                    .isSameAs(fatal);
        }
        assertThat(lenient.counts().totalFailures()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "GD-14 TL-5 a call whose deadline is over does not wait in a queue, though no interrupt comes any more")
    void call_deadlineOver_leavesTheQueue() {
        RemoteBulkhead remote = RemoteBulkhead.builder(1)
                .policy(BackpressurePolicy.queue(5, 3_600_000))
                .build();
        RemoteBulkheadClient client = RemoteBulkheadClient.of(remote);
        RemoteCapability capability = client.takeCapability();
        Guard outer = built(builder().timeLimit(millis(10)));
        Guard inner = built(builder().bulkhead(client, capability));
        CompletableFuture<Object> holder = new CompletableFuture<>();
        client.submit(capability, "holder", () -> holder);
        List<@Nullable Throwable> got = new ArrayList<>();
        thrownBy(() -> outer.call(() -> {
            time.advance(millis(10));
            Thread.interrupted(); // swallows the interrupt, as some code does
            got.add(thrownBy(() -> inner.call(() -> 1)));
            return 1;
        }));
        assertThat(Refusal.in(got.get(0)).map(Refusal::code)).contains("RB_ERR_QUEUE_TIMEOUT");
        assertThat(remote.queueDepth()).isZero();
        holder.complete(null);
    }

    @Test
    @DisplayName("RT-5 a budget that two layers share earns once for each call, in whatever order")
    void budget_shared_earnsOnce() throws Exception {
        RetryBudget budget = RetryBudget.of(0.5, 0);
        Retry retry = Retry.builder().backoff(Backoff.none()).budget(budget).build();
        Guard twice = built(builder().retry(retry).retry(retry));
        for (int i = 0; i < 100; i++) {
            thrownBy(() -> twice.call(throwing(FAILED)));
        }
        assertThat(twice.stats().retries()).isEqualTo(50);
        Guard hedged = built(builder()
                .hedge(Hedge.builder(millis(10)).budget(budget).build())
                .retry(retry));
        submit(hedged, () -> CompletableFuture.completedFuture(1));
        assertThat(budget.available()).isEqualTo(0.5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("GD-12 a refused attempt is told once, in whatever nest of retries")
    void refusal_nestedRetries_isToldOnce(boolean async) {
        List<Refusal> told = new ArrayList<>();
        Guard guard = built(builder()
                .retry(retry(2, Duration.ZERO))
                .retry(retry(2, Duration.ZERO))
                .listener(new GuardListener() {
                    @Override
                    public void onRefused(Refusal refusal) {
                        told.add(refusal);
                    }
                }));
        Refusal refusal = new Refusal2();
        if (async) {
            submit(guard, () -> CompletableFuture.failedFuture((Throwable) refusal));
        } else {
            thrownBy(() -> guard.call(throwing((Throwable) refusal)));
        }
        assertThat(told).hasSize(4);
    }

    private static final class Refusal2 extends RuntimeException implements Refusal {
        private static final long serialVersionUID = 1L;

        @Override
        public String code() {
            return "TWO";
        }

        @Override
        public String source() {
            return "two";
        }

        @Override
        public Duration retryAfter() {
            return Duration.ZERO;
        }
    }

    @Test
    @Timeout(600)
    @DisplayName("GD-6 a pending operation keeps nothing of a stage that has ended, its bound permit aside")
    void cancel_boundPermit_keepsNothingElse() {
        Guard guard = built(builder().bulkhead(bulkhead("a", 1, PermitLifetime.OPERATION)));
        CompletableFuture<Object> operation = new CompletableFuture<>();
        WeakReference<Object> stage = new WeakReference<>(cancelled(guard, operation));
        while (!stage.refersTo(null) && !Thread.currentThread().isInterrupted()) { // the time-out interrupts
            System.gc();
        }
        assertThat(stage.refersTo(null)).isTrue();
        operation.complete(null);
    }

    private static CompletableFuture<Object> cancelled(Guard guard, CompletableFuture<Object> operation) {
        CompletableFuture<Object> future = submit(guard, () -> operation);
        future.cancel(false);
        return future;
    }
}
