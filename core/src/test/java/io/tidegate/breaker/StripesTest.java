package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whether threads meet depends on the machine, so these tests make the rows themselves. Each addition has a thread of
 * its own.
 */
@Tag("hot")
class StripesTest extends BreakerTest {
    private static final int COUNTER = Stripes.START;
    private static final int THREADS = 100;

    private static final class Counters extends Stripes {
        Counters() {
            super(1);
        }
    }

    private static void onEachThread(Runnable work) throws InterruptedException {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(work);
            thread.start();
            thread.join();
        }
    }

    private static void addOnEachThread(Stripes stripes) throws InterruptedException {
        onEachThread(() -> stripes.increment(stripes.row(), COUNTER));
    }

    @Test
    @DisplayName("CB-25 threads that do not meet share one row, however many they are")
    void increment_oneAfterTheOther_makesNoRows() throws InterruptedException {
        Stripes stripes = new Counters();

        addOnEachThread(stripes);

        assertThat(stripes.more()).isEmpty();
        assertThat(stripes.sum(COUNTER)).isEqualTo(THREADS);
    }

    @Test
    @DisplayName("CB-25 rows are made twice as many each time, up to a limit, and no count is lost")
    void spread_again_keepsCountsAndEnds() throws InterruptedException {
        Stripes stripes = new Counters();
        int steps = 10;
        for (int i = 0; i < steps; i++) {
            addOnEachThread(stripes);
            stripes.spread();
            assertThat(stripes.more().length).isEqualTo(Math.min(Stripes.MOST_ROWS, 2 << i));
        }
        addOnEachThread(stripes);

        assertThat(stripes.sum(COUNTER)).isEqualTo((steps + 1L) * THREADS);
    }

    @Test
    @DisplayName("CB-25 once there are more rows, the first one, close to what all threads read, is left alone")
    void increment_afterSpread_leavesTheFirstRow() throws InterruptedException {
        Stripes stripes = new Counters();
        stripes.spread();

        addOnEachThread(stripes);

        assertThat(Stripes.get(stripes.first(), COUNTER)).isZero();
    }

    @Test
    @DisplayName("CB-19 CB-23 memory or stack that ends while rows are made costs no count and throws nothing")
    void spread_errors_keepsCounting() {
        AtomicInteger tries = new AtomicInteger();
        Stripes stripes = new Stripes(1) {
            @Override
            long[] newRow() {
                if (tries.getAndIncrement() == 0) {
                    throw new OutOfMemoryError();
                }
                throw new StackOverflowError();
            }
        };

        for (int i = 0; i < 3; i++) {
            stripes.spread();
            stripes.increment(stripes.row(), COUNTER);
        }

        assertThat(tries).hasValue(3);
        assertThat(stripes.more()).isEmpty();
        assertThat(stripes.sum(COUNTER)).isEqualTo(3);
    }

    @Test
    @DisplayName("CB-25 a thread that keeps meeting another one makes more rows")
    void increment_disturbed_spreads() {
        // Stands for another thread's addition between this thread's read and its own addition.
        Stripes stripes = new Counters();

        for (int i = 0; i < 63; i++) {
            stripes.meet(stripes.row());
        }
        assertThat(stripes.more()).isEmpty();
        stripes.meet(stripes.first());
        assertThat(stripes.more().length).isEqualTo(2);

        for (int i = 0; i < 1_000; i++) {
            stripes.meet(stripes.first());
        }
        assertThat(stripes.more().length)
                .as("after meetings in a row that is left")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-12 CB-13 CB-19 counts are exact in every window while rows are made between calls of many threads")
    void counts_whileRowsAreMade_areExact(WindowKind window) throws Exception {
        CircuitBreaker breaker = made(window.on(tough()));
        OutcomeWindow outcomes = SaturationTest.window(breaker);
        int calls = 0;
        for (int i = 0; i < 8; i++) {
            long stamp = begin(breaker);
            onEachThread(() -> succeed(breaker));
            onEachThread(() -> breaker.onIgnored(begin(breaker)));
            outcomes.spread();
            fail(breaker);
            breaker.onSuccess(stamp);
            calls += THREADS + 2;

            int inWindow = window == WindowKind.LAST_CALLS ? 100 : calls;
            int failures = window == WindowKind.LAST_CALLS ? 1 : i + 1;
            assertThat(breaker.counts()).isEqualTo(new Counts(inWindow, inWindow - failures, failures, 1, 0));
            assertThat(breaker.metrics().successesSinceStart()).isEqualTo(calls - i - 1);
            assertThat(breaker.metrics().failuresSinceStart()).isEqualTo(i + 1);
        }
    }

    @Test
    @DisplayName("CB-19 CB-25 a window by time forgets what rows had that are no longer added to")
    void byTime_rowsLeft_forgets() throws Exception {
        CircuitBreaker breaker = made(tough().slidingWindow(TIMEOUT));
        OutcomeWindow outcomes = SaturationTest.window(breaker);
        for (int i = 0; i < 8; i++) {
            onEachThread(() -> succeed(breaker));
            ticker.advance(TIMEOUT.dividedBy(2));
            onEachThread(() -> succeed(breaker));
            assertThat(breaker.counts()).isEqualTo(new Counts(2 * THREADS, 2 * THREADS, 0, (i + 1) * 2L * THREADS, 0));
            outcomes.spread();
            ticker.advance(TIMEOUT.dividedBy(2).plusSeconds(2));
            assertThat(breaker.counts().totalSuccesses()).isEqualTo(THREADS);
            ticker.advance(TIMEOUT);
            assertThat(breaker.counts().totalSuccesses()).isZero();
        }
    }
}
