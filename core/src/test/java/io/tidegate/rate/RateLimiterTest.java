package io.tidegate.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Idle;
import io.tidegate.Refusal;
import io.tidegate.stage.HostileStage;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimiterTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime(0);

    private RateLimiter limiter(long permits, Duration period) {
        return RateLimiter.builder(permits, period).ticker(time).build();
    }

    private static int takeAll(RateLimiter limiter) {
        int taken = 0;
        while (limiter.tryAcquire()) {
            taken++;
        }
        return taken;
    }

    // RL-1

    @Test
    @DisplayName("RL-1 it starts full, and a burst later there is one for each step")
    void tryAcquire_startsFull_thenOneForEachStep() {
        RateLimiter limiter = limiter(10, SECOND);

        assertThat(takeAll(limiter)).isEqualTo(10);
        time.advance(99_999_999);
        assertThat(limiter.tryAcquire()).isFalse();
        time.advance(1);
        assertThat(takeAll(limiter)).isEqualTo(1);
        time.advance(250_000_000);
        assertThat(takeAll(limiter)).isEqualTo(2);
        time.advance(50_000_000);
        assertThat(takeAll(limiter)).isEqualTo(1);
    }

    @Test
    @DisplayName("RL-1 a burst below the permits is legal, and does not change the rate")
    void burst_belowPermits_sameRate() {
        RateLimiter limiter =
                RateLimiter.builder(1_000, SECOND).burst(1).ticker(time).build();
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            taken += limiter.tryAcquire() ? 1 : 0;
            time.advance(100_000);
        }

        assertThat(taken).isEqualTo(1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "3, PT1S",
        "7, PT1S",
        "999999937, PT1S",
        "1000000007, PT3S",
        "1, PT24H",
        "1234567, PT24H",
        "86399999999999, PT24H",
        "1000000000, PT1S",
        "10000000019, PT1S"
    })
    @DisplayName(
            "RL-1 RL-6 over long times the rate is exact, without drift, from one a day to more than 10^9 a second")
    void longTimes_exactRate(long permits, Duration period) {
        RateLimiter limiter =
                RateLimiter.builder(permits, period).burst(permits).ticker(time).build();
        BigInteger taken = BigInteger.ZERO;
        BigInteger passed = BigInteger.ZERO;
        long span = period.toNanos() / 3 + 1;
        for (int i = 0; i < 1_000; i++) {
            taken = taken.add(BigInteger.valueOf(takeMost(limiter, permits)));
            time.advance(span);
            passed = passed.add(BigInteger.valueOf(span));
        }
        taken = taken.add(BigInteger.valueOf(takeMost(limiter, permits)));

        assertThat(taken)
                .isEqualTo(passed.multiply(BigInteger.valueOf(permits))
                        .divide(BigInteger.valueOf(period.toNanos()))
                        .add(BigInteger.valueOf(permits)));
    }

    /** Takes all permits, half of the rest each time. */
    private static long takeMost(RateLimiter limiter, long burst) {
        long taken = 0;
        for (long wanted = burst; wanted > 0; wanted = wanted == 1 ? 0 : (wanted + 1) / 2) {
            while (limiter.tryAcquire(wanted)) {
                taken += wanted;
            }
        }
        return taken;
    }

    @Test
    @DisplayName("RL-1 rates that are too fine for units are counted in permits, all others in units")
    void rate_choosesItsWord() {
        assertThat(Rate.of(999_999_937, SECOND, 0).full(0)).isInstanceOf(ArrivalInUnits.class);
        assertThat(Rate.of(1_000_000_000, SECOND, 0).full(0)).isInstanceOf(ArrivalInUnits.class);
        assertThat(Rate.of(1, Duration.ofDays(1), 0).full(0)).isInstanceOf(ArrivalInUnits.class);
        assertThat(Rate.of(1_234_567, Duration.ofDays(1), 0).full(0)).isInstanceOf(ArrivalInPermits.class);
        assertThat(Rate.of(86_399_999_999_999L, Duration.ofDays(1), 0).full(0)).isInstanceOf(ArrivalInPermits.class);
    }

    // RL-2

    @Test
    @DisplayName("RL-2 a refusal changes nothing but its count")
    void refusal_changesNothingElse() {
        RateLimiter limiter = limiter(2, SECOND);
        takeAll(limiter);
        long until = limiter.nanosUntil(2);
        for (int i = 0; i < 100; i++) {
            limiter.tryAcquire(2);
        }

        assertThat(limiter.nanosUntil(2)).isEqualTo(until);
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(2, 101, 0));
    }

    // RL-3

    @ParameterizedTest
    @CsvSource({"3, PT1S, 0", "3, PT1S, 1", "999999937, PT1S, 5", "1234567, PT24H, 0", "1234567, PT24H, 70000000"})
    @DisplayName("RL-3 after retryAfter a submission is not refused, one nanosecond earlier it is")
    void retryAfter_exact(long permits, Duration period, long maxWait) {
        RateLimiter limiter = RateLimiter.builder(permits, period)
                .burst(3)
                .maxWait(Duration.ofNanos(maxWait))
                .ticker(time)
                .scheduler(time.scheduler)
                .name("exact")
                .build();
        CompletionStage<String> refused = submitUntilRefused(limiter);

        RateLimitedException refusal = refusal(refused);
        assertThat(refusal.code()).isEqualTo("RL_ERR_EXCEEDED").isEqualTo(RateLimitedException.CODE);
        assertThat(refusal.source()).isEqualTo("exact");
        assertThat(refusal.getStackTrace()).isEmpty();
        assertThat(refusal)
                .hasMessageContaining("exact")
                .hasMessageContaining(refusal.retryAfter().toString());
        assertThat(Refusal.in(refusal)).contains(refusal);
        time.advance(refusal.retryAfter().toNanos() - 1);
        assertThat(submit(limiter)).isCompletedExceptionally();
        time.advance(1);
        assertThat(submit(limiter)).isNotCompletedExceptionally();
    }

    private static CompletionStage<String> submitUntilRefused(RateLimiter limiter) {
        for (int i = 0; i < 100; i++) {
            CompletableFuture<String> stage = submit(limiter);
            if (stage.isCompletedExceptionally()) {
                return stage;
            }
        }
        throw new AssertionError("never refused");
    }

    private static CompletableFuture<String> submit(RateLimiter limiter) {
        return limiter.submit(() -> CompletableFuture.completedFuture("done")).toCompletableFuture();
    }

    private static RateLimitedException refusal(CompletionStage<?> refused) {
        try {
            refused.toCompletableFuture().join();
            throw new AssertionError("not refused");
        } catch (CompletionException e) {
            return (RateLimitedException) e.getCause();
        }
    }

    @Test
    @DisplayName("RL-3 nanosUntil is exact for many permits, and changes nothing")
    void nanosUntil_exact() {
        RateLimiter limiter = limiter(3, SECOND);
        assertThat(limiter.nanosUntil(3)).isZero();
        limiter.tryAcquire(3);

        assertThat(limiter.nanosUntil(1)).isEqualTo(333_333_334);
        assertThat(limiter.nanosUntil(2)).isEqualTo(666_666_667);
        assertThat(limiter.nanosUntil(3)).isEqualTo(1_000_000_000);
        time.advance(limiter.nanosUntil(2) - 1);
        assertThat(limiter.tryAcquire(2)).isFalse();
        time.advance(1);
        assertThat(limiter.tryAcquire(2)).isTrue();
    }

    // RL-5

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_000L, 86_400_000_000_000L, 1L << 61})
    @DisplayName("RL-5 after a step back there is no more than before, and a permit again at most a period later")
    void stepBack_admitsAgainInTime(long back) {
        for (long permits : new long[] {10, 999_999_937}) {
            RateLimiter limiter =
                    RateLimiter.builder(permits, SECOND).burst(10).ticker(time).build();
            takeAll(limiter);
            time.stepBack(back);

            assertThat(limiter.tryAcquire()).isFalse();
            time.advance(back);
            assertThat(limiter.tryAcquire()).isFalse();
            time.advance(SECOND.toNanos());
            assertThat(limiter.tryAcquire()).isTrue();
        }
    }

    @Test
    @DisplayName(
            "RL-5 a ticker that stands still gives a burst and no more; one that wraps goes on as if nothing had been")
    void standingAndWrapping_exact() {
        ManualTime nearTheEnd = new ManualTime(Long.MAX_VALUE - 50_000_000);
        RateLimiter limiter = RateLimiter.builder(10, SECOND).ticker(nearTheEnd).build();

        assertThat(takeAll(limiter)).isEqualTo(10);
        assertThat(takeAll(limiter)).isZero();
        nearTheEnd.advance(100_000_000);
        assertThat(nearTheEnd.getAsLong()).isNegative();
        assertThat(takeAll(limiter)).isEqualTo(1);
    }

    @Test
    @DisplayName("RL-5 decades without a call are as good as a pause")
    void decades_full() {
        for (long permits : new long[] {10, 7, 999_999_937}) {
            RateLimiter limiter =
                    RateLimiter.builder(permits, SECOND).burst(5).ticker(time).build();
            takeAll(limiter);
            time.advance(1L << 62);

            assertThat(((Idle) limiter).isIdle()).isTrue();
            assertThat(takeAll(limiter)).isEqualTo(5);
        }
    }

    // RL-6

    @Test
    @DisplayName("RL-6 fewer than one permit and more than the burst are misuse, and change nothing")
    void permits_outOfRange_misuse() {
        RateLimiter limiter =
                RateLimiter.builder(10, SECOND).burst(4).ticker(time).build();
        for (long permits : new long[] {Long.MIN_VALUE, -1, 0, 5, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.tryAcquire(permits))
                    .withMessage("permits: " + permits + " (expected: from 1 to the burst, 4)");
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.nanosUntil(permits));
        }
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(0, 0, 0));
        assertThat(limiter.tryAcquire(4)).isTrue();
        assertThat(limiter.stats().admitted()).isEqualTo(4);
    }

    @Test
    @DisplayName("RL-6 setRate keeps the share that is full, and a burst that was not given follows")
    void setRate_keepsShare() {
        RateLimiter limiter = limiter(10, SECOND);
        limiter.tryAcquire(5);
        limiter.setRate(100, Duration.ofMinutes(1));
        assertThat(takeAll(limiter)).isEqualTo(50);
        limiter.setRate(10, SECOND);
        assertThat(takeAll(limiter)).isZero();
        time.advance(SECOND.toNanos());
        limiter.setRate(7, SECOND);
        assertThat(takeAll(limiter)).isEqualTo(7);
    }

    @Test
    @DisplayName("RL-6 a share that is a whole number of new permits is that number, whatever the rates")
    void setRate_wholeShare_exact() {
        for (long[] change : new long[][] {{3, 6}, {3, 999_999_999}, {999_999_937 * 3L, 3}, {3_703_701, 3}}) {
            RateLimiter limiter = RateLimiter.builder(change[0], Duration.ofDays(1))
                    .ticker(time)
                    .build();
            limiter.tryAcquire(change[0] / 3);
            limiter.setRate(change[1], Duration.ofHours(7));

            assertThat(takeMost(limiter, change[1])).isEqualTo(change[1] / 3 * 2);
        }
    }

    @Test
    @DisplayName("RL-6 a given burst stays when the rate changes")
    void setRate_givenBurst_stays() {
        RateLimiter limiter =
                RateLimiter.builder(10, SECOND).burst(4).ticker(time).build();
        limiter.setRate(1_000, SECOND);

        assertThat(takeAll(limiter)).isEqualTo(4);
        assertThat(limiter.nanosUntil(1)).isEqualTo(1_000_000);
    }

    @Test
    @DisplayName("RL-6 settings that cannot work are refused, and name what was expected")
    void settings_bad_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.of(0, SECOND))
                .withMessage("permits: 0 (expected: from 1 to 1000000000000000000)");
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiter.of(Long.MAX_VALUE, SECOND));
        for (Duration period : new Duration[] {Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(36_500)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RateLimiter.of(1, period))
                    .withMessageStartingWith("period: " + period + " (expected: ");
        }
        RateLimiter.Builder builder = RateLimiter.builder(1, Duration.ofDays(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.burst(0))
                .withMessageStartingWith("burst: 0 (expected: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.name(" "))
                .withMessage("name: ' ' (expected: not blank)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxWait(Duration.ofNanos(-1)))
                .withMessage("maxWait: PT-0.000000001S (expected: not negative)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.burst(1_000_000).build())
                .withMessageStartingWith("burst: 1000000 (expected: at most what fills in ");
        assertThatNullPointerException().isThrownBy(() -> RateLimiter.of(1, null));
        assertThatNullPointerException().isThrownBy(() -> builder.name(null));
        assertThatNullPointerException().isThrownBy(() -> builder.maxWait(null));
        assertThatNullPointerException().isThrownBy(() -> builder.ticker(null));
        assertThatNullPointerException().isThrownBy(() -> builder.scheduler(null));
    }

    @Test
    @DisplayName("RL-6 a rate that cannot be set changes nothing")
    void setRate_bad_changesNothing() {
        RateLimiter limiter = limiter(10, SECOND);
        limiter.tryAcquire(9);
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.setRate(0, SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.setRate(1, Duration.ZERO));
        assertThatNullPointerException().isThrownBy(() -> limiter.setRate(1, null));

        assertThat(takeAll(limiter)).isEqualTo(1);
    }

    @Test
    void defaults_named() {
        RateLimiter limiter = RateLimiter.of(5, SECOND);

        assertThat(limiter.name()).isEqualTo(RateLimiter.DEFAULT_NAME).isEqualTo("rate-limiter");
        assertThat(limiter).hasToString("RateLimiter(rate-limiter, 0 waiting)");
        assertThat(limiter.tryAcquire(5)).isTrue();
    }

    // Submissions

    @Test
    @DisplayName("RL-4 without maxWait, submit starts at once or refuses at once")
    void submit_withoutWait_startsOrRefuses() {
        RateLimiter limiter = limiter(1, SECOND);
        AtomicInteger started = new AtomicInteger();
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = limiter.submit(() -> {
                    started.incrementAndGet();
                    return operation;
                })
                .toCompletableFuture();
        CompletionStage<String> refused = limiter.submit(() -> {
            started.incrementAndGet();
            return operation;
        });

        assertThat(started).hasValue(1);
        assertThat(refusal(refused).retryAfter()).isEqualTo(SECOND);
        assertThat(returned).isNotDone();
        returned.cancel(true);
        assertThat(operation).isNotDone();
    }

    @Test
    @DisplayName("RL-4 an operation's value, error and bad supplier come back in the stage; only null throws")
    void submit_badSuppliers_failedStage() {
        RateLimiter limiter = limiter(100, SECOND);
        IllegalStateException failure = new IllegalStateException("failed");
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = limiter.submit(() -> operation).toCompletableFuture();
        operation.complete("done");

        assertThat(returned).isCompletedWithValue("done");
        assertThatThrownBy(() -> limiter.submit(() -> {
                            throw failure;
                        })
                        .toCompletableFuture()
                        .join())
                .hasCause(failure);
        assertThatThrownBy(
                        () -> limiter.submit(() -> null).toCompletableFuture().join())
                .hasCauseInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> limiter.submit(() -> HostileStage.of(hook -> {
                            throw failure;
                        }))
                        .toCompletableFuture()
                        .join())
                .hasCause(failure);
        assertThatNullPointerException().isThrownBy(() -> limiter.submit(null));
        assertThat(limiter.stats().admitted()).isEqualTo(4);
    }

    @Test
    @DisplayName("RL-4 submit with a broken ticker fails its stage and runs nothing")
    void submit_brokenTicker_failedStage() {
        AtomicInteger calls = new AtomicInteger();
        RateLimiter limiter = RateLimiter.builder(1, SECOND)
                .ticker(() -> {
                    if (calls.getAndIncrement() > 0) {
                        throw new IllegalStateException("broken");
                    }
                    return 0;
                })
                .build();

        assertThat(submit(limiter)).isCompletedExceptionally();
    }

    @Test
    @DisplayName("KY-2 a limiter is idle when it is full")
    void isIdle_onlyWhenFull() {
        RateLimiter limiter = limiter(2, SECOND);
        assertThat(((Idle) limiter).isIdle()).isTrue();
        limiter.tryAcquire();
        assertThat(((Idle) limiter).isIdle()).isFalse();
        time.advance(499_999_999);
        assertThat(((Idle) limiter).isIdle()).isFalse();
        time.advance(1);
        assertThat(((Idle) limiter).isIdle()).isTrue();
    }
}
