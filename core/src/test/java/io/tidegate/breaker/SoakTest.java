package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.memory.Threads;
import io.tidegate.memory.Weight;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** So many calls that anything left behind by each call would show. */
@Tag("hot")
class SoakTest extends BreakerTest {
    private static final int MOST_CALLS = 100_000_000;
    private static final int CALLS = 10_000_000;
    private static final int LIFE = 100;

    /** Far more than what varies between garbage collections, far less than an object for each call. */
    private static final long SLACK = 64L << 20;

    /** Memory that the first calls may allocate once. */
    private static final long WEIGHT_SLACK = 4_096;

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "CB-2 CB-13 CB-19 the heap stays flat over ten million calls in every window, a hundred million by default")
    void calls_leaveNothing(WindowKind window) {
        int calls = window == WindowKind.TOTALS ? MOST_CALLS : CALLS;
        CircuitBreaker breaker = made(window.on(tough()));
        mix(breaker, calls / LIFE);
        long weightBefore = Weight.of(breaker);
        long heapBefore = heapInUse();

        int threads = Threads.leftBy(() -> mix(breaker, calls));

        assertThat(heapInUse() - heapBefore).as("growth of the heap").isLessThan(SLACK);
        assertThat(Weight.of(breaker) - weightBefore)
                .as("growth of the breaker")
                .isLessThan(WEIGHT_SLACK);
        assertThat(threads).isZero();
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        BreakerMetrics metrics = breaker.metrics();
        assertThat(metrics.counts().requests())
                .as("nothing is running")
                .isEqualTo(metrics.counts().totalSuccesses() + metrics.counts().totalFailures());
        assertThat(metrics.ignored()).isEqualTo((calls + calls / LIFE) / LIFE);
        assertThat(metrics.refused() + metrics.late() + metrics.misused()).isZero();
    }

    @Test
    @DisplayName(
            "CB-5 CB-8 CB-9 the heap is flat after a hundred thousand lives, with their refusals and late outcomes")
    void lives_leaveNothing() {
        int lives = CALLS / LIFE;
        CircuitBreaker breaker = CircuitBreaker.builder("search")
                .ticker(ticker)
                .readyToTrip(counts -> true)
                .build();
        live(breaker, lives / LIFE);
        long weightBefore = Weight.of(breaker);
        long heapBefore = heapInUse();

        live(breaker, lives);

        assertThat(heapInUse() - heapBefore).as("growth of the heap").isLessThan(SLACK);
        assertThat(Weight.of(breaker) - weightBefore)
                .as("growth of the breaker")
                .isLessThan(WEIGHT_SLACK);
        BreakerMetrics metrics = breaker.metrics();
        assertThat(metrics.generation()).isEqualTo(3L * (lives + lives / LIFE));
        assertThat(metrics.late()).isEqualTo(lives + lives / LIFE);
        assertThat(metrics.misused()).isZero();
    }

    /** Of a hundred calls one is ignored and one fails. */
    private void mix(CircuitBreaker breaker, int calls) {
        Duration step = Duration.ofMillis(1);
        for (int i = 0; i < calls; i++) {
            long stamp = breaker.tryAcquire();
            switch (i % LIFE) {
                case 0 -> {
                    breaker.onIgnored(stamp);
                    ticker.advance(step);
                }
                case 1 -> breaker.onFailure(stamp, FAILURE);
                default -> breaker.onSuccess(stamp);
            }
        }
    }

    /** In each round the breaker opens, refuses a few calls, and closes again by its probe. */
    private void live(CircuitBreaker breaker, int lives) {
        for (int i = 0; i < lives; i++) {
            long late = breaker.tryAcquire();
            breaker.onFailure(breaker.tryAcquire(), FAILURE);
            for (int j = 0; j < LIFE; j++) {
                breaker.tryAcquire();
            }
            breaker.onSuccess(late);
            ticker.advance(TIMEOUT);
            breaker.onSuccess(breaker.tryAcquire());
        }
    }

    private static long heapInUse() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
