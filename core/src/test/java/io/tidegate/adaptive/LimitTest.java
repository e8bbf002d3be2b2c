package io.tidegate.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Idle;
import io.tidegate.Overload;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.gate.Gate;
import io.tidegate.gate.Gate.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LimitTest {
    private static final long MILLI = 1_000_000;

    private long now = -5 * MILLI; // crosses zero, as a nanoTime may
    private final List<Integer> told = new ArrayList<>();
    private final Deque<CompletableFuture<String>> pending = new ArrayDeque<>();

    private AdaptiveLimit.Builder builder(Algorithm algorithm) {
        return algorithm.builder().ticker(() -> now).onLimitChange(told::add);
    }

    private CompletableFuture<String> start(AsyncBulkhead bulkhead) {
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = bulkhead.submit(() -> operation).toCompletableFuture();
        if (!returned.isDone()) {
            pending.add(operation);
        }
        return returned;
    }

    /** Starts as many calls as the limit admits, which end together after this time. */
    private void fullRound(AsyncBulkhead bulkhead, long millis) {
        while (!start(bulkhead).isDone()) {}
        now += millis * MILLI;
        endAll();
    }

    private void rounds(AsyncBulkhead bulkhead, int count, long millis) {
        for (int i = 0; i < count; i++) {
            fullRound(bulkhead, millis);
        }
    }

    private void endAll() {
        while (!pending.isEmpty()) {
            pending.remove().complete("done");
        }
    }

    private void fail(AsyncBulkhead bulkhead, Throwable error) {
        start(bulkhead);
        now += MILLI;
        pending.removeLast().completeExceptionally(error);
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(pending).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-1 the defaults: 20 to start with, from 1 to 1,000, a name of its own")
    void build_nothingGiven_hasTheDefaults(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();

        assertThat(bulkhead.maxInFlight()).isEqualTo(20);
        assertThat(bulkhead.available()).isEqualTo(20);
        assertThat(bulkhead.name()).isEqualTo(AdaptiveLimit.DEFAULT_NAME);
        AsyncBulkhead high = builder(algorithm).initial(990).build();
        rounds(high, 40, 1);
        assertThat(high.maxInFlight()).isEqualTo(1_000);
        for (int i = 0; i < 100; i++) {
            fail(high, new TimeoutException());
        }
        assertThat(high.maxInFlight()).isEqualTo(1);
        assertThat(told).isNotEmpty().allMatch(limit -> limit >= 1 && limit <= 1_000);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-1 the bounds that were given are kept, and a start that was not given follows them")
    void build_bounds_areKept(Algorithm algorithm) {
        AsyncBulkhead small = builder(algorithm).max(7).min(5).build();
        assertThat(small.maxInFlight()).isEqualTo(7);
        for (int i = 0; i < 10; i++) {
            fail(small, new TimeoutException());
        }
        assertThat(small.maxInFlight()).isEqualTo(5);
        rounds(small, 100, 1);
        assertThat(small.maxInFlight()).isEqualTo(7);
        assertThat(builder(algorithm).min(30).build().maxInFlight()).isEqualTo(30);
        assertThat(builder(algorithm).max(Integer.MAX_VALUE).build().maxInFlight())
                .isEqualTo(20);
    }

    @Test
    @DisplayName("AL-1 settings are checked")
    void builder_badSetting_throws() {
        AdaptiveLimit.Builder builder = AdaptiveLimit.gradient();
        assertThatThrownBy(() -> builder.initial(0)).hasMessage("initial: 0 (expected: >= 1)");
        assertThatThrownBy(() -> builder.min(0)).hasMessage("min: 0 (expected: >= 1)");
        assertThatThrownBy(() -> builder.max(-1)).hasMessage("max: -1 (expected: >= 1)");
        assertThatThrownBy(() -> builder.name(" ")).hasMessage("name: ' ' (expected: not blank)");
        assertThatThrownBy(() -> builder.name(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.isOverload(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.onLimitChange(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.listener(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.permitLifetime(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.ticker(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> AdaptiveLimit.aimd().min(5).initial(4).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("min, initial, max: 5, 4, 1000 (expected: min <= initial <= max)");
        assertThatThrownBy(() -> AdaptiveLimit.aimd().max(3).initial(4).build())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AdaptiveLimit.aimd().min(5).max(4).build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-2 it grows in use")
    void limit_inUse_grows(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();

        rounds(bulkhead, 20, 10);

        assertThat(bulkhead.maxInFlight()).isGreaterThan(25);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-2 lightly used it keeps its limit, however long that lasts and whatever the latency does")
    void limit_lightlyUsed_isKept(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();

        for (int i = 0; i < 1_000; i++) {
            for (int calls = 0; calls < 9; calls++) {
                start(bulkhead);
            }
            now += (1 + i % 100) * MILLI;
            endAll();
        }

        assertThat(bulkhead.maxInFlight()).isEqualTo(20);
        assertThat(told).isEmpty();
    }

    @Test
    @DisplayName("AL-2 AIMD grows by one for each limit's worth of successes in use")
    void aimd_limitsWorth_growsByOne() {
        AsyncBulkhead bulkhead = builder(Algorithm.AIMD).initial(4).build();
        List<Integer> atEnds = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // another call begins when one ends: the bulkhead is always full
            while (!start(bulkhead).isDone()) {}
            pending.remove().complete("done");
            atEnds.add(bulkhead.maxInFlight());
        }
        endAll();

        assertThat(atEnds).containsExactly(4, 4, 4, 5);
    }

    static Stream<Throwable> overloads() {
        return Stream.of(
                new TimeoutException(),
                new CompletionException(new TimeoutException()),
                new CompletionException(new ExecutionException(new TimeoutException())),
                refusal(),
                new Busy());
    }

    /** An exception by which a callee reports overload. */
    private static final class Busy extends RuntimeException implements Overload {
        private static final long serialVersionUID = 1L;

        @Override
        public Duration retryAfter() {
            return Duration.ZERO;
        }
    }

    private static Throwable refusal() {
        AsyncBulkhead full = AsyncBulkhead.of(1);
        full.submit(CompletableFuture::new);
        return full.submit(CompletableFuture::new)
                .handle((value, error) -> error)
                .toCompletableFuture()
                .join();
    }

    @ParameterizedTest
    @MethodSource("overloads")
    @DisplayName("AL-2 a time-out or a refusal, bare or inside what stages put around it, makes both fall")
    void overload_byDefault_falls(Throwable error) {
        for (Algorithm algorithm : Algorithm.values()) {
            for (PermitLifetime lifetime : PermitLifetime.values()) {
                AsyncBulkhead bulkhead =
                        builder(algorithm).permitLifetime(lifetime).build();
                fail(bulkhead, error);
                assertThat(bulkhead.maxInFlight()).isEqualTo(14);
                bulkhead.submit(() -> CompletableFuture.failedFuture(error));
                assertThat(bulkhead.maxInFlight()).isEqualTo(9);
                bulkhead.submit(() -> {
                    throw new CompletionException(error);
                });
                assertThat(bulkhead.maxInFlight()).isEqualTo(6);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-2 a caller's orTimeout tells of overload, under both lifetimes, and the operation's end not again")
    void overload_ofTheCaller_falls(Algorithm algorithm) {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            AsyncBulkhead bulkhead = builder(algorithm).permitLifetime(lifetime).build();
            CompletableFuture<String> returned = start(bulkhead);
            now += MILLI;
            returned.completeExceptionally(new TimeoutException());
            assertThat(bulkhead.maxInFlight()).isEqualTo(14);
            now += MILLI;
            pending.remove().completeExceptionally(new TimeoutException());
            assertThat(bulkhead.maxInFlight()).isEqualTo(14);
            assertThat(bulkhead.inFlight()).isZero();
        }
    }

    static Stream<Throwable> silent() {
        return Stream.of(
                new IllegalStateException(),
                new IllegalStateException(new TimeoutException()),
                new CancellationException(),
                new CompletionException(new CancellationException()),
                new CompletionException(new ExecutionException(new CancellationException())));
    }

    @ParameterizedTest
    @MethodSource("silent")
    @DisplayName("AL-2 other errors and cancelled calls say nothing, in use or not")
    void otherError_saysNothing(Throwable error) {
        for (Algorithm algorithm : Algorithm.values()) {
            AsyncBulkhead bulkhead = builder(algorithm)
                    .isOverload(any -> any instanceof CancellationException || any instanceof TimeoutException)
                    .build();
            for (int i = 0; i < 100; i++) {
                while (!start(bulkhead).isDone()) {}
                now += MILLI;
                while (!pending.isEmpty()) {
                    pending.remove().completeExceptionally(error);
                }
            }
            assertThat(bulkhead.maxInFlight()).isEqualTo(20);
        }
    }

    @Test
    @DisplayName("AL-2 a rule of one's own is asked for the bare error; one that throws means no")
    void isOverload_own_decides() {
        List<Throwable> asked = new ArrayList<>();
        AsyncBulkhead bulkhead = builder(Algorithm.AIMD)
                .isOverload(error -> {
                    asked.add(error);
                    if (error instanceof IllegalArgumentException) {
                        throw new IllegalStateException("the rule's own");
                    }
                    return error instanceof IllegalStateException;
                })
                .build();
        IllegalStateException bare = new IllegalStateException();

        fail(bulkhead, new CompletionException(bare));
        assertThat(bulkhead.maxInFlight()).isEqualTo(14);
        fail(bulkhead, new TimeoutException());
        fail(bulkhead, new IllegalArgumentException());

        assertThat(bulkhead.maxInFlight()).isEqualTo(14);
        assertThat(asked).hasSize(3).first().isSameAs(bare);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-2 one overload is one cut, however many calls of a round trip tell of it")
    void overload_ofARoundTrip_cutsOnce(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();
        while (!start(bulkhead).isDone()) {}
        now += MILLI;
        while (!pending.isEmpty()) {
            pending.remove().completeExceptionally(new TimeoutException());
            now++;
        }

        assertThat(bulkhead.maxInFlight()).isEqualTo(14);
        fail(bulkhead, new TimeoutException());
        assertThat(bulkhead.maxInFlight()).isEqualTo(9);
    }

    @Test
    @DisplayName("AL-2 the gradient falls with rising latency, and comes back when the callee recovers")
    void gradient_latencyRises_fallsAndComesBack() {
        AsyncBulkhead bulkhead = builder(Algorithm.GRADIENT).initial(50).build();
        rounds(bulkhead, 2, 10);
        int before = bulkhead.maxInFlight();

        rounds(bulkhead, 2, 100);
        int slow = bulkhead.maxInFlight();
        rounds(bulkhead, 40, 10);

        assertThat(slow).isLessThan(before);
        assertThat(bulkhead.maxInFlight()).isGreaterThan(before);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-2 after an outage it comes back")
    void limit_afterOutage_comesBack(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();
        rounds(bulkhead, 10, 10);
        for (int i = 0; i < 100; i++) {
            fail(bulkhead, new TimeoutException());
        }
        assertThat(bulkhead.maxInFlight()).isEqualTo(1);

        rounds(bulkhead, 100, 10);

        assertThat(bulkhead.maxInFlight()).isGreaterThanOrEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName(
            "AL-3 lowered below what is in flight: nothing ends, nothing is let in, and it falls as operations end")
    void lowered_belowInFlight_onlyWaits(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();
        List<CompletableFuture<String>> returned = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            returned.add(start(bulkhead));
        }
        now += MILLI;
        pending.remove().completeExceptionally(new TimeoutException());

        assertThat(bulkhead.maxInFlight()).isEqualTo(14);
        assertThat(bulkhead.inFlight()).isEqualTo(19);
        assertThat(bulkhead.available()).isZero();
        for (int inFlight = 19; inFlight >= 14; inFlight--) {
            assertThat(bulkhead.inFlight()).isEqualTo(inFlight);
            assertThat(refusalOf(bulkhead.submit(CompletableFuture::new)).maxInFlight())
                    .isEqualTo(14);
            pending.remove().complete("done");
        }
        assertThat(start(bulkhead)).isNotDone();
        assertThat(returned.subList(7, 20)).noneMatch(CompletableFuture::isDone);
        endAll();
    }

    private static BulkheadRejectedException refusalOf(CompletionStage<?> refused) {
        return (BulkheadRejectedException)
                refused.handle((value, error) -> error).toCompletableFuture().join();
    }

    @Test
    @DisplayName("AL-1 every refusal at one limit is the same object, and says that limit")
    void refusal_atOneLimit_isShared() {
        AsyncBulkhead bulkhead =
                builder(Algorithm.AIMD).initial(2).name("search").build();
        start(bulkhead);
        start(bulkhead);
        CompletionStage<String> first = bulkhead.submit(CompletableFuture::new);

        assertThat(bulkhead.<String>submit(CompletableFuture::new)).isSameAs(first);
        assertThat(refusalOf(first).maxInFlight()).isEqualTo(2);
        assertThat(refusalOf(first).source()).isEqualTo("search");
        now += MILLI;
        pending.remove().completeExceptionally(new TimeoutException());
        assertThat(refusalOf(bulkhead.submit(CompletableFuture::new)).maxInFlight())
                .isEqualTo(1);
        endAll();
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-2 as a gate: a time limit tells of overload, what is unjudged says nothing")
    void gate_verdicts_areHeeded(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).build();
        Gate gate = (Gate) bulkhead;

        gate.leave(gate.enter(), null, new TimeoutException(), Verdict.UNJUDGED);
        assertThat(bulkhead.maxInFlight()).isEqualTo(20);
        long stamp = gate.enter();
        assertThat(stamp).isNotNegative();
        assertThat(((Idle) bulkhead).isIdle()).isFalse();
        gate.leave(stamp, "value", null, Verdict.FAILED);
        assertThat(bulkhead.maxInFlight()).isEqualTo(14);
        gate.leave(gate.enter(), null, new TimeoutException(), Verdict.JUDGED);
        assertThat(bulkhead.maxInFlight()).isEqualTo(9);
        assertThat(((Idle) bulkhead).isIdle()).isTrue();
        long[] stamps = new long[9];
        for (int i = 0; i < 9; i++) {
            stamps[i] = gate.enter();
        }
        long refused = gate.enter();
        assertThat(refused).isNegative();
        assertThat(gate.refusal(refused))
                .isInstanceOfSatisfying(
                        BulkheadRejectedException.class,
                        refusal -> assertThat(refusal.maxInFlight()).isEqualTo(9));
        for (long each : stamps) {
            gate.leave(each, null, null, Verdict.UNJUDGED);
        }
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-4 what a ticker, a rule or a listener throws reaches nobody, and no permit is lost")
    void userCode_throws_isDropped(Algorithm algorithm) {
        boolean[] broken = new boolean[1];
        AsyncBulkhead bulkhead = algorithm
                .builder()
                .ticker(() -> {
                    if (broken[0]) {
                        throw new IllegalStateException("ticker");
                    }
                    return now;
                })
                .onLimitChange(limit -> {
                    throw new IllegalStateException("listener");
                })
                .build();
        fail(bulkhead, new TimeoutException());
        assertThat(bulkhead.maxInFlight()).isEqualTo(14);
        broken[0] = true;
        CompletableFuture<String> returned = start(bulkhead);
        pending.remove().complete("done");

        assertThat(returned).isCompletedWithValue("done");
        assertThat(bulkhead.inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-4 a ticker that stands still or steps back loses no permit and leaves the bounds alone")
    void ticker_standsStillOrStepsBack_isHarmless(Algorithm algorithm) {
        AsyncBulkhead bulkhead = builder(algorithm).max(100).build();
        rounds(bulkhead, 200, 0);
        assertThat(bulkhead.maxInFlight()).isEqualTo(100);
        rounds(bulkhead, 200, -10);
        assertThat(bulkhead.maxInFlight()).isBetween(1, 100);
        rounds(bulkhead, 100, 10);
        assertThat(bulkhead.inFlight()).isZero();
    }
}
