package io.tidegate.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // so that it wraps

    private RetryBudget budget(double ratio, double minPerSecond) {
        return RetryBudget.of(ratio, minPerSecond, Duration.ofSeconds(10), now::get);
    }

    private void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private static int spend(RetryBudget budget) {
        int spent = 0;
        while (spent < 10_000 && budget.tryRetry()) {
            spent++;
        }
        return spent;
    }

    @Test
    @DisplayName("RT-5 each first attempt earns its ratio")
    void first_earnsRatio() {
        RetryBudget budget = budget(0.2, 0);
        assertThat(budget.tryRetry()).isFalse();
        for (int i = 0; i < 5; i++) {
            assertThat(budget.tryRetry()).isFalse();
            budget.onFirst();
        }
        assertThat(budget.available()).isEqualTo(1);
        assertThat(spend(budget)).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            budget.onFirst();
        }
        assertThat(spend(budget)).isEqualTo(200);
    }

    @Test
    @DisplayName("RT-5 so many a second besides, one second's worth at the start")
    void second_earnsMinimum() {
        RetryBudget budget = budget(0, 10);
        assertThat(budget.available()).isEqualTo(10);
        assertThat(spend(budget)).isEqualTo(10);
        advance(Duration.ofMillis(500));
        assertThat(spend(budget)).isEqualTo(5);
        advance(Duration.ofHours(1));
        assertThat(spend(budget)).as("the window's").isEqualTo(100);
    }

    @Test
    @DisplayName("RT-5 fewer than one in a window come, too, one by one")
    void second_lessThanOneInAWindow_comes() {
        RetryBudget budget = budget(0, 0.05);
        int spent = 0;
        for (int i = 0; i < 10_000; i++) {
            advance(Duration.ofMillis(100));
            spent += budget.tryRetry() ? 1 : 0;
        }
        assertThat(spent).isEqualTo(50);
        advance(Duration.ofHours(1));
        assertThat(spend(budget)).as("and do not pile up").isOne();
    }

    @Test
    @DisplayName("RT-5 what is not used within the window is lost")
    void earned_expires() {
        RetryBudget budget = budget(0.5, 0);
        for (int i = 0; i < 10; i++) {
            budget.onFirst();
        }
        advance(Duration.ofMillis(9_999));
        assertThat(budget.available()).isEqualTo(5);
        advance(Duration.ofMillis(1));
        assertThat(budget.available()).isZero();
        assertThat(budget.tryRetry()).isFalse();
        budget.onFirst();
        budget.onFirst();
        assertThat(spend(budget)).isOne();
    }

    @Test
    @DisplayName("RT-5 parts of a retry from both sources add up")
    void parts_addUp() {
        RetryBudget budget = budget(0.5, 0.5);
        assertThat(budget.tryRetry()).isFalse();
        budget.onFirst();
        assertThat(budget.tryRetry()).isTrue();
        assertThat(budget.tryRetry()).isFalse();
        advance(Duration.ofSeconds(2));
        assertThat(budget.tryRetry()).isTrue();
    }

    @Test
    @DisplayName("RT-5 random scripts never exceed the bound, and spend what is available")
    void script_random_keepsTheBound() {
        for (long seed = 0; seed < 300; seed++) {
            now.set(0);
            Random random = new Random(seed);
            double ratio = random.nextInt(5) / 4.0;
            double minimum = random.nextInt(4) * 0.75;
            RetryBudget budget = budget(ratio, minimum);
            long firsts = 0;
            long retries = 0;
            for (int step = 0; step < 300; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> advance(Duration.ofMillis(random.nextInt(random.nextInt(20) == 0 ? 20_000 : 300)));
                    case 1 -> {
                        budget.onFirst();
                        firsts++;
                    }
                    default -> {
                        boolean was = budget.available() >= 1 - 1e-9;
                        boolean spent = budget.tryRetry();
                        assertThat(spent).as("seed %d step %d", seed, step).isEqualTo(was);
                        retries += spent ? 1 : 0;
                    }
                }
                double seconds = now.get() / 1e9;
                assertThat((double) retries)
                        .as("seed %d step %d", seed, step)
                        .isLessThanOrEqualTo(ratio * firsts + minimum * (seconds + 1) + 1e-6);
                assertThat(budget.available()).isNotNegative();
            }
        }
    }

    @Test
    @DisplayName("RT-5 exact under concurrency")
    void threads_spendWhatWasEarned() throws InterruptedException {
        RetryBudget budget = budget(0.25, 0);
        AtomicInteger spent = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    budget.onFirst();
                    if (budget.tryRetry()) {
                        spent.incrementAndGet();
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        while (budget.tryRetry()) {
            spent.incrementAndGet();
        }
        assertThat(spent).hasValue(20_000);
    }

    @Test
    @DisplayName("RT-5 a clock that goes back grants nothing")
    void clock_back_grantsNothing() {
        RetryBudget budget = budget(0, 10);
        advance(Duration.ofSeconds(5));
        int spent = spend(budget);
        assertThat(spent).isEqualTo(60);
        advance(Duration.ofSeconds(-5));
        assertThat(spend(budget)).isZero();
        advance(Duration.ofSeconds(6));
        assertThat(spend(budget)).isEqualTo(10);
    }

    @Test
    void of_misuse_isRefused() {
        assertThatThrownBy(() -> RetryBudget.of(-0.1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ratio: -0.1 (expected: finite, >= 0)");
        assertThatThrownBy(() -> RetryBudget.of(1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryBudget.of(1, Double.POSITIVE_INFINITY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryBudget.of(1, 1, Duration.ZERO, System::nanoTime))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window: PT0S (expected: positive)");
        assertThat(RetryBudget.of(0, 0).tryRetry()).isFalse();
    }
}
