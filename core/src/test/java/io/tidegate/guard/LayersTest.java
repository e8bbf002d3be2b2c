package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.memory.Allocations;
import io.tidegate.reading.Figures;
import io.tidegate.retry.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layers around calls and operations: how they are entered and left, and what reaches the caller. */
class LayersTest extends GuardTest {
    private final Error fatal = new Error("fatal");

    /** Guards with and without a time limit: with one, the call takes the path for calls that may wait. */
    private Guard guard(boolean waits) {
        Guard.Builder builder = builder().bulkhead(bulkhead("a", 9)).bulkhead(bulkhead("b", 9));
        return built((waits ? builder.timeLimit(Duration.ofHours(1)) : builder).bulkhead(bulkhead("c", 9)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("GD-1 layers are entered in order and left in reverse, once, however the call ends")
    void call_anyEnd_leavesInReverse(boolean waits) {
        Guard guard = guard(waits);
        List<Callable<Object>> ends = List.of(
                () -> "value",
                () -> null,
                throwing(FAILED),
                throwing(fatal),
                throwing(new InterruptedException()),
                throwing(new CancellationException()),
                throwing(new OtherRefusal()));
        for (Callable<Object> end : ends) {
            events.clear();
            thrownBy(() -> guard.call(() -> {
                events.add("call");
                return end.call();
            }));
            assertThat(events).containsExactly("+a", "+b", "+c", "call", "-c", "-b", "-a");
        }
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=7 successes=2 failures=2 refusals=1 cancelled=2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("GD-1 the same for operations")
    void submit_anyEnd_leavesInReverse(boolean waits) {
        Guard guard = guard(waits);
        List<java.util.function.Supplier<java.util.concurrent.CompletionStage<Object>>> ends = List.of(
                () -> CompletableFuture.completedFuture("value"),
                () -> CompletableFuture.failedFuture(FAILED),
                () -> CompletableFuture.supplyAsync(() -> "later", task -> new Thread(task).start()),
                () -> {
                    throw new IllegalStateException();
                },
                () -> null);
        for (var end : ends) {
            events.clear();
            CompletableFuture<Object> future = submit(guard, () -> {
                events.add("call");
                return end.get();
            });
            thrownBy(future::join);
            assertThat(events).containsExactly("+a", "+b", "+c", "call", "-c", "-b", "-a");
        }
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=5 successes=2 failures=3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("GD-2 GD-3 a refusal ends the entry: nothing runs, outer layers are left, the breaker counts nothing")
    void refusal_leavesOuterLayers(boolean waits) throws Exception {
        CircuitBreaker breaker = breaker();
        AsyncBulkhead full = bulkhead("full", 1);
        Guard.Builder builder = builder().bulkhead(bulkhead("a", 9)).breaker(breaker);
        Guard guard = built((waits ? builder.timeLimit(Duration.ofHours(1)) : builder).bulkhead(full));
        CompletableFuture<Object> holder = new CompletableFuture<>();
        full.submit(() -> holder);
        events.clear();
        Callable<Object> never = () -> {
            throw new AssertionError("ran");
        };
        assertThatThrownBy(() -> guard.call(never)).isInstanceOf(BulkheadRejectedException.class);
        assertThat(guard.attempt(never))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.refusal().source()).isEqualTo("full"));
        assertThat(errorOf(submit(guard, () -> {
                    throw new AssertionError("ran");
                })))
                .isInstanceOf(BulkheadRejectedException.class);
        assertThat(events).containsExactly("+a", "!full", "-a", "+a", "!full", "-a", "+a", "!full", "-a");
        assertThat(breaker.counts().requests()).isZero();
        holder.complete(null);
        assertThat(guard.stats().refusals()).isEqualTo(3);
    }

    @Test
    @DisplayName("GD-2 a probe whose entry is refused further in gives its slot back")
    void refusal_insideOfProbe_freesTheSlot() throws Exception {
        CircuitBreaker breaker = breaker();
        AsyncBulkhead full = bulkhead("full", 1);
        Guard guard = built(builder().breaker(breaker).bulkhead(full));
        for (int i = 0; i < 3; i++) {
            thrownBy(() -> guard.call(throwing(FAILED)));
        }
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        time.advance(Duration.ofMinutes(1));
        CompletableFuture<Object> holder = new CompletableFuture<>();
        full.submit(() -> holder);
        assertThat(guard.attempt(() -> 1)).isInstanceOf(Outcome.Refused.class);
        assertThat(breaker.diagnostics().probesInFlight()).isZero();
        holder.complete(null);
        assertThat(guard.call(() -> 1)).isEqualTo(1);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "GD-4 a refusal out of the call, bare or wrapped, is not counted by a breaker and comes back as Refused")
    void refusal_fromTheCall_isNotCounted(boolean waits) {
        CircuitBreaker breaker = breaker();
        Guard.Builder builder = builder().breaker(breaker);
        Guard guard = built(waits ? builder.timeLimit(Duration.ofHours(1)) : builder);
        Throwable bare = new OtherRefusal();
        for (Throwable refusal :
                List.of(bare, new CompletionException(bare), new ExecutionException(new CompletionException(bare)))) {
            assertThat(thrownBy(() -> guard.call(throwing(refusal)))).isSameAs(refusal);
            assertThat(guard.attempt(throwing(refusal))).isEqualTo(new Outcome.Refused<>((Refusal) bare));
            assertThat(errorOf(submit(guard, () -> CompletableFuture.failedFuture(refusal))))
                    .isSameAs(refusal);
        }
        assertThat(breaker.counts().requests()).isZero();
        assertThat(guard.stats().refusals()).isEqualTo(9);
    }

    @Test
    @DisplayName("GD-5 a guard of gates allocates nothing, admitted or refused")
    void call_gatesOnly_allocatesNothing() {
        Guard guard = Guard.builder("lean")
                .breaker(CircuitBreaker.of("lean"))
                .bulkhead(AsyncBulkhead.of(1))
                .build();
        Callable<String> call = () -> "value";
        long admitted = Allocations.of(20_000, i -> {
            try {
                guard.call(call);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(admitted).isLessThan(Allocations.SLACK);
        AsyncBulkhead full = AsyncBulkhead.of(1);
        full.submit(CompletableFuture::new);
        Guard refusing = Guard.builder("full").bulkhead(full).build();
        long refused = Allocations.of(20_000, i -> {
            try {
                refusing.call(call);
            } catch (Exception expected) {
                // shared by all refusals
            }
        });
        assertThat(refused).isLessThan(Allocations.SLACK);
    }

    @Test
    @DisplayName("GD-5 value and exception are the call's own; an empty guard does nothing")
    void call_emptyGuard_passesThrough() throws Exception {
        Guard guard = built(builder());
        Object value = new Object();
        assertThat(guard.<Object>call(() -> value)).isSameAs(value);
        assertThat(thrownBy(() -> guard.call(throwing(FAILED)))).isSameAs(FAILED);
        Thread[] ran = new Thread[1];
        guard.call(() -> ran[0] = Thread.currentThread());
        assertThat(ran[0]).isSameAs(Thread.currentThread());
    }

    @Test
    @DisplayName("GD-7 attempt returns what happened, and throws errors only")
    void attempt_returnsTheOutcome() {
        Guard guard = built(builder());
        assertThat(guard.attempt(() -> null)).isEqualTo(new Outcome.Success<>(null));
        assertThat(guard.attempt(throwing(FAILED))).isEqualTo(new Outcome.Failure<>(FAILED));
        InterruptedException interrupted = new InterruptedException();
        assertThat(guard.attempt(throwing(interrupted))).isEqualTo(new Outcome.Failure<>(interrupted));
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(() -> guard.attempt(throwing(fatal))).isSameAs(fatal);
    }

    @Test
    @DisplayName("GD-8 the fallback is asked once, for failures and refusals, with nothing held")
    void fallback_isAskedOnceWithNothingHeld() throws Exception {
        AsyncBulkhead bulkhead = bulkhead("a", 1);
        Guard guard = built(builder().bulkhead(bulkhead));
        AtomicInteger asked = new AtomicInteger();
        String answer = guard.call(throwing(FAILED), error -> {
            assertThat(bulkhead.inFlight()).isZero();
            assertThat(error).isSameAs(FAILED);
            asked.incrementAndGet();
            return "instead";
        });
        assertThat(answer).isEqualTo("instead");
        assertThat(guard.<String>call(throwing(new OtherRefusal()), error -> "busy"))
                .isEqualTo("busy");
        assertThat(asked).hasValue(1);
        for (Throwable passed :
                List.of(fatal, new InterruptedException(), new ExecutionException(new InterruptedException()))) {
            assertThat(thrownBy(() -> guard.call(throwing(passed), error -> "no")))
                    .isSameAs(passed);
        }
        RuntimeException own = new RuntimeException();
        assertThat(thrownBy(() -> guard.call(throwing(FAILED), error -> {
                    throw own;
                })))
                .isSameAs(own);
        assertThat(guard.<String>call(() -> null, error -> "no")).isNull();
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=7 successes=1 failures=3 refusals=1 cancelled=2");
    }

    @Test
    @DisplayName("GD-11 parts stand in many guards; a guard inside its own call")
    void call_insideItself_works() throws Exception {
        AsyncBulkhead shared = bulkhead("shared", 3);
        Guard one = built(builder().bulkhead(shared));
        Guard two = built(builder().bulkhead(shared).timeLimit(Duration.ofHours(1)));
        assertThat(one.call(() -> one.call(() -> two.call(shared::inFlight)))).isEqualTo(3);
        assertThat(one.attempt(() -> two.call(() -> one.call(() -> two.call(() -> 1)))))
                .isInstanceOf(Outcome.Refused.class);
    }

    @Test
    @DisplayName("GD-12 misuse is refused when it is given")
    void builder_misuse_isRefused() {
        Guard.Builder builder = Guard.builder("guard");
        assertThatThrownBy(() -> Guard.builder(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: ' ' (expected: not blank)");
        assertThatThrownBy(() -> Guard.builder(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.timeLimit(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit: PT0S (expected: positive)");
        assertThatThrownBy(() -> builder.breaker(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.retry(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.bulkhead(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.listener(null)).isInstanceOf(NullPointerException.class);
        Retry foreign = () -> 3;
        assertThatThrownBy(() -> builder.retry(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(expected: one made by Retry.builder)");
        Guard guard = builder.build();
        assertThatThrownBy(() -> guard.call(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> guard.submit(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> guard.attempt(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> guard.call(() -> 1, null)).isInstanceOf(NullPointerException.class);
        assertThat(guard.stats().calls()).isZero();
    }

    @Test
    @DisplayName("GD-13 the standard guard has the layers and defaults of its page")
    void standard_hasItsLayers() throws Exception {
        LayeredGuard guard = (LayeredGuard) Guard.standard("inventory");
        assertThat(guard.name()).isEqualTo("inventory");
        assertThat(guard.layers).hasSize(5);
        assertThat(guard.layers[0])
                .isEqualTo(new Layer.TimeLimit(
                        Duration.ofSeconds(30), Duration.ofSeconds(30).toNanos()));
        assertThat(((Layer.Retrying) guard.layers[1]).policy().maxAttempts()).isEqualTo(3);
        assertThat(((Layer.Immediate) guard.layers[2]).gate()).isInstanceOfSatisfying(CircuitBreaker.class, breaker -> {
            assertThat(breaker.name()).isEqualTo("inventory");
            assertThat(breaker.diagnostics().timeout()).isEqualTo(Duration.ofSeconds(5));
        });
        assertThat(((Layer.Immediate) guard.layers[3]).gate()).isInstanceOfSatisfying(AsyncBulkhead.class, bulkhead -> {
            assertThat(bulkhead.name()).isEqualTo("inventory");
            assertThat(bulkhead.maxInFlight()).isEqualTo(256);
        });
        assertThat(guard.layers[4])
                .isEqualTo(new Layer.TimeLimit(
                        Duration.ofSeconds(10), Duration.ofSeconds(10).toNanos()));
        assertThat(guard.call(() -> "value")).isEqualTo("value");
        assertThat(guard.submit(() -> CompletableFuture.completedFuture(1))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(1);
        assertThat(guard.isIdle()).isTrue();
    }

    @Test
    @DisplayName("GD-12 listeners hear each end; what they throw breaks nothing")
    void listener_hearsEnds() {
        List<Object> heard = new ArrayList<>();
        Guard guard = built(builder().bulkhead(bulkhead("a", 9)).listener(new GuardListener() {
            @Override
            public void onRefused(Refusal refusal) {
                heard.add(refusal);
                throw new IllegalStateException();
            }

            @Override
            public void onEnd(Outcome<?> outcome, long nanos) {
                heard.add(outcome);
                throw new IllegalStateException();
            }
        }));
        OtherRefusal refusal = new OtherRefusal();
        thrownBy(() -> guard.call(throwing(refusal)));
        thrownBy(() -> guard.call(throwing(FAILED)));
        submit(guard, () -> CompletableFuture.completedFuture(1));
        submit(guard, () -> CompletableFuture.failedFuture(refusal));
        assertThat(heard)
                .containsExactly(
                        refusal,
                        new Outcome.Refused<>(refusal),
                        new Outcome.Failure<>(FAILED),
                        new Outcome.Success<>(1),
                        refusal,
                        new Outcome.Refused<>(refusal));
    }
}
