package io.tidegate.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import io.tidegate.rate.broken.BrokenLimiter;
import io.tidegate.rate.broken.LimiterFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("hot")
class RaceTest {
    @ParameterizedTest
    @EnumSource(LimiterRace.class)
    @DisplayName("RL-1 RL-2 RL-4 RL-6 hold when two threads meet, over and over")
    void race_tidegate_isRight(LimiterRace race) {
        assertThat(race.run(LimiterFactory.TIDEGATE, Duration.ofMillis(100))).isNull();
    }

    @Test
    @Tag("broken")
    @DisplayName("the races catch a limiter that compares in one step and takes in another")
    void race_broken_isCaught() {
        assertThat(LimiterRace.TRY_AGAINST_TRY.run(BrokenLimiter.CHECK_THEN_ACT, Race.UNTIL_CAUGHT))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"1000, PT1S", "7, PT1S", "999999937, PT1S", "1234567, PT24H"})
    @DisplayName("RL-1 RL-2 RL-6 threads try, wait and give up while time passes: exactly the rate, and nobody is left")
    void manyThreads_exactlyWhatIsAllowed(long permits, Duration period) throws InterruptedException {
        AtomicLong now = new AtomicLong();
        long step = Math.max(1, period.toNanos() / permits);
        RateLimiter limiter = RateLimiter.builder(permits, period)
                .burst(50)
                .maxWait(Duration.ofNanos(20 * step))
                .ticker(now::get)
                .build();
        AtomicLong taken = new AtomicLong();
        AtomicLong asked = new AtomicLong();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int kind = i;
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 20_000; round++) {
                    now.addAndGet(step / 3 + round % 3);
                    asked.incrementAndGet();
                    if (kind < 3) {
                        taken.addAndGet(limiter.tryAcquire() ? 1 : 0);
                    } else {
                        CompletableFuture<String> waits = limiter.submit(() -> {
                                    taken.incrementAndGet();
                                    return new CompletableFuture<String>();
                                })
                                .toCompletableFuture();
                        if (!waits.isDone()) {
                            waits.cancel(true); // perhaps while it is admitted
                        }
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        // A submission that was cancelled while it was admitted starts on another thread, perhaps only now.
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while ((limiter.stats().waiting() > 0 || limiter.stats().admitted() != taken.get())
                && System.nanoTime() - end < 0) {
            Thread.yield();
        }

        RateLimiterStats stats = limiter.stats();
        assertThat(stats.waiting()).isZero();
        assertThat(stats.admitted()).isEqualTo(taken.get());
        assertThat(stats.admitted())
                .isLessThanOrEqualTo(50 + (long) ((double) now.get() * permits / period.toNanos()) + 1);
        assertThat(stats.admitted() + stats.refused()).isLessThanOrEqualTo(asked.get());
    }

    @Test
    @DisplayName("RL-2 a thread that stops between reading and taking keeps nobody from taking")
    void stoppedThread_othersGoOn() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicLong now = new AtomicLong();
        Thread[] one = new Thread[1];
        RateLimiter limiter = RateLimiter.builder(1_234_567, Duration.ofDays(1))
                .burst(5)
                .ticker(() -> {
                    long seen = now.get();
                    if (Thread.currentThread().equals(one[0])) {
                        stopped.countDown();
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    return seen;
                })
                .build();
        boolean[] taken = new boolean[1];
        one[0] = new Thread(() -> taken[0] = limiter.tryAcquire(3));
        one[0].start();
        stopped.await();
        now.addAndGet(Duration.ofDays(2).toNanos()); // the word is at its end, too
        assertThat(limiter.tryAcquire(5)).isTrue();
        limiter.setRate(1, Duration.ofDays(1));
        goOn.countDown();
        one[0].join();

        assertThat(taken[0]).isFalse();
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(5, 1, 0));
    }
}
