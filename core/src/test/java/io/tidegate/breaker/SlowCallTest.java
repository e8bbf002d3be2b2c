package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlowCallTest extends BreakerTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration SLOW = LIMIT.plusMillis(1);

    private void succeedAfter(CircuitBreaker breaker, Duration time) {
        long stamp = begin(breaker);
        ticker.advance(time);
        breaker.onSuccess(stamp);
    }

    private void failAfter(CircuitBreaker breaker, Duration time) {
        long stamp = begin(breaker);
        ticker.advance(time);
        breaker.onFailure(stamp, FAILURE);
    }

    @Test
    @DisplayName("CB-19 a slow success is asked about too: it can trip")
    void onSuccess_slow_trips() {
        CircuitBreaker breaker = made(builder().slowCalls(LIMIT, 0.5));

        succeedAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(told).containsExactly("CLOSED -> OPEN");
    }

    @Test
    @DisplayName("CB-19 slow is slower than the limit, not as slow")
    void onSuccess_atLimit_isNotSlow() {
        Duration limit = Duration.ofMillis(100);
        CircuitBreaker breaker = made(builder().slowCalls(limit, 0.5));

        for (int i = 0; i < 5_000; i++) {
            succeedAfter(breaker, limit);
            ticker.advance(NANO);
        }

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().slowCallRate()).isZero();
    }

    @Test
    @DisplayName("CB-19 the slow-call rate trips strictly above its threshold")
    void slowCalls_atRate_doNotTrip() {
        CircuitBreaker breaker = made(builder().slowCalls(LIMIT, 0.5));
        succeed(breaker);
        succeedAfter(breaker, SLOW);
        assertThat(breaker.metrics().slowCallRate()).isEqualTo(0.5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        succeedAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-19 the slow-call rate has the minimum of the failure rate")
    void slowCalls_belowMinimum_doNotTrip() {
        CircuitBreaker breaker = made(builder().slowCalls(LIMIT, 0.5).failureRate(0.9, 5));
        for (int i = 0; i < 4; i++) {
            succeedAfter(breaker, SLOW);
        }
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        succeedAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-19 a slow failure is slow too, and a quick failure is not")
    void onFailure_slow_counts() {
        CircuitBreaker breaker = made(tough().slowCalls(LIMIT, 0.5));
        fail(breaker, 100);
        assertThat(breaker.metrics().slowCallRate()).isZero();
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        for (int i = 0; i < 100; i++) {
            failAfter(breaker, SLOW);
        }
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        failAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-19 a quick success does not ask: a rate above the threshold waits for a slow call or a failure")
    void onSuccess_quick_doesNotTrip() {
        CircuitBreaker breaker = made(builder().slowCalls(LIMIT, 0.5).failureRate(0.9, 4));
        for (int i = 0; i < 3; i++) {
            succeedAfter(breaker, SLOW);
        }

        succeed(breaker);
        assertThat(breaker.metrics().slowCallRate()).isEqualTo(0.75);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-4 CB-19 a slow success asks the slow-call rate alone")
    void onSuccess_slow_asksNoOtherRule() {
        CircuitBreaker byRule = made(builder()
                .readyToTrip(counts -> counts.requests() == 1)
                .slowCalls(LIMIT, 0.9)
                .failureRate(0.5, 1_000));
        CircuitBreaker byRate = made(builder().slowCalls(LIMIT, 0.9).failureRate(0.5, 4));
        fail(byRate, 3);

        succeedAfter(byRule, SLOW);
        succeedAfter(byRate, SLOW);

        assertThat(byRule.state()).isEqualTo(State.CLOSED);
        assertThat(byRate.state()).isEqualTo(State.CLOSED);
    }

    static Stream<Supplier<CircuitBreaker.Builder>> windows() {
        return Stream.of(
                () -> CircuitBreaker.builder("calls").slidingWindow(8),
                () -> CircuitBreaker.builder("span").slidingWindow(Duration.ofHours(1)),
                () -> CircuitBreaker.builder("interval").interval(Duration.ofHours(1)),
                () -> CircuitBreaker.builder("counts"));
    }

    @ParameterizedTest
    @MethodSource("windows")
    @DisplayName("CB-19 the slow-call rate is taken over the same window, whatever its kind")
    void slowCalls_anyWindow_trip(Supplier<CircuitBreaker.Builder> window) {
        CircuitBreaker breaker =
                made(window.get().ticker(ticker).slowCalls(LIMIT, 0.5).failureRate(0.9, 4));
        succeed(breaker, 2);
        succeedAfter(breaker, SLOW);
        succeedAfter(breaker, SLOW);
        assertThat(breaker.metrics().slowCallRate()).isEqualTo(0.5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        succeedAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.metrics().slowCallRate()).isZero();
    }

    @Test
    @DisplayName("CB-19 slow calls leave a window by count with the calls they belong to")
    void slowCalls_leftWindowByCount_areForgotten() {
        CircuitBreaker breaker =
                made(builder().slidingWindow(4).slowCalls(LIMIT, 0.5).failureRate(0.9, 4));
        succeedAfter(breaker, SLOW);
        succeedAfter(breaker, SLOW);
        succeed(breaker, 4);
        assertThat(breaker.metrics().slowCallRate()).isZero();

        succeedAfter(breaker, SLOW);
        succeedAfter(breaker, SLOW);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        succeedAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-19 slow calls leave a window by time with the calls they belong to")
    void slowCalls_leftWindowByTime_areForgotten() {
        CircuitBreaker breaker = made(builder()
                .slidingWindow(Duration.ofSeconds(32))
                .slowCalls(LIMIT, 0.5)
                .failureRate(0.9, 3));
        succeedAfter(breaker, SLOW);
        succeedAfter(breaker, SLOW);
        assertThat(breaker.metrics().slowCallRate()).isEqualTo(1);

        ticker.advance(Duration.ofSeconds(34));
        assertThat(breaker.metrics().slowCallRate()).isZero();
        succeedAfter(breaker, SLOW);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-13 CB-19 a slow call that is ignored is not slow")
    void onIgnored_slow_countsNothing() {
        CircuitBreaker breaker = made(builder().slowCalls(LIMIT, 0.1));
        long stamp = begin(breaker);
        ticker.advance(SLOW);

        breaker.onIgnored(stamp);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().slowCallRate()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT3H", "PT4H", "PT5H", "P1D", "P30D"})
    @DisplayName("CB-19 a call that takes hours or days is slow, and limits of hours or days are kept")
    void onSuccess_hoursLater_isSlow(Duration time) {
        CircuitBreaker shortLimit = made(builder().slowCalls(LIMIT, 0.5));
        CircuitBreaker longLimit = made(builder().slowCalls(time, 0.5));

        succeedAfter(shortLimit, time);
        assertThat(shortLimit.state()).isEqualTo(State.OPEN);
        succeedAfter(longLimit, time);
        assertThat(longLimit.state()).isEqualTo(State.CLOSED);
        for (int i = 0; i < 2; i++) {
            succeedAfter(longLimit, time.plusSeconds(1));
        }

        assertThat(longLimit.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-15 CB-19 execute and executeAsync measure their calls")
    void execute_slow_trips() throws Exception {
        CircuitBreaker sync = made(builder().slowCalls(LIMIT, 0.5));
        CircuitBreaker async = made(builder().slowCalls(LIMIT, 0.5));

        sync.execute(() -> {
            ticker.advance(SLOW);
            return "done";
        });
        CompletableFuture<String> operation = new CompletableFuture<>();
        async.executeAsync(() -> operation);
        ticker.advance(SLOW);
        operation.complete("done");

        assertThat(sync.state()).isEqualTo(State.OPEN);
        assertThat(async.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-7 CB-19 a slow probe counts as failed: it reopens though it succeeds, and one at the limit closes")
    void onSuccess_slowProbe_reopens() {
        CircuitBreaker breaker = made(brittle().slowCalls(LIMIT, 0.5));
        long slow = halfOpen(breaker);
        ticker.advance(LIMIT.plus(NANO));

        breaker.onSuccess(slow);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(refusal(breaker).retryAfter()).isEqualTo(TIMEOUT);
        ticker.advance(TIMEOUT);
        long quick = probe(breaker);
        ticker.advance(LIMIT);
        breaker.onSuccess(quick);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.metrics().late()).isZero();
    }

    @Test
    @DisplayName(
            "CB-19 a slow probe is not taken for one where slow calls are not limited, and an ignored one says nothing")
    void onSuccess_slowProbeNoLimit_closes() {
        CircuitBreaker unlimited = made(brittle());
        CircuitBreaker limited = made(brittle().slowCalls(LIMIT, 0.5));
        long probe = halfOpen(unlimited);
        open(limited);
        ticker.advance(TIMEOUT.minus(NANO));
        unlimited.onSuccess(probe);
        ticker.advance(NANO);
        long slow = probe(limited);
        ticker.advance(SLOW);
        limited.onIgnored(slow);

        assertThat(unlimited.state()).isEqualTo(State.CLOSED);
        assertThat(limited.state()).isEqualTo(State.HALF_OPEN);
    }

    @Test
    @DisplayName("CB-15 CB-19 a slow probe of execute or executeAsync reopens, and its caller has the value")
    void execute_slowProbe_reopens() throws Exception {
        CircuitBreaker breaker = made(brittle().slowCalls(LIMIT, 0.5));
        open(breaker);
        ticker.advance(TIMEOUT);

        assertThat(breaker.<String>execute(() -> {
                    ticker.advance(SLOW);
                    return "done";
                }))
                .isEqualTo("done");
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        ticker.advance(TIMEOUT);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletionStage<String> returned = breaker.executeAsync(() -> operation);
        ticker.advance(SLOW);
        operation.complete("done");

        assertThat(returned).isCompletedWithValue("done");
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-4 CB-19 a limit for slow calls leaves the default rule for failures in force")
    void slowCalls_alone_keepDefaultRule() {
        CircuitBreaker breaker = made(builder().slowCalls(LIMIT, 0.5));

        fail(breaker, 5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }
}
