package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thousand virtual threads; platform threads if the JDK has no virtual ones. */
class VirtualThreadTest extends BreakerTest {
    private static final int THREADS = 1_000;
    private static final int ROUNDS = 5;
    private static final int CALLS = 20;
    private static final int PROBES = 8;

    static ExecutorService threads() throws ReflectiveOperationException {
        return Runtime.version().feature() < 21
                ? Executors.newCachedThreadPool()
                : (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-7 CB-9 CB-13 of a thousand virtual threads, over many lives of a breaker:"
            + " successes + failures + refusals + late + ignored = calls")
    void lives_anyWindow_conserveCalls(WindowKind window) throws Exception {
        Lives lives = new Lives(window);
        ExecutorService threads = threads();
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ends.add(threads.submit(lives));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdown();
        }
        lives.assertConserved();
    }

    /**
     * What each thread does, in phases. All threads wait between two phases; there the counts are read, before a state
     * change clears them.
     */
    private final class Lives implements Callable<Void> {
        private final AtomicBoolean trips = new AtomicBoolean();
        private final CircuitBreaker breaker;
        private final LongAdder calls = new LongAdder();
        private final LongAdder completed = new LongAdder();
        private final CyclicBarrier closedOver = new CyclicBarrier(THREADS, this::open);
        private final CyclicBarrier openOver = new CyclicBarrier(THREADS, () -> ticker.advance(TIMEOUT));
        private final CyclicBarrier halfOpenFull = new CyclicBarrier(THREADS, this::countProbes);
        private final CyclicBarrier closedAgain =
                new CyclicBarrier(THREADS, () -> assertThat(state()).isEqualTo(State.CLOSED));

        Lives(WindowKind window) {
            CircuitBreaker.Builder counting = window == WindowKind.LAST_CALLS
                    ? builder().slidingWindow(2 * THREADS * CALLS) // all of a round
                    : window.on(builder());
            this.breaker = made(counting.maxRequests(PROBES).readyToTrip(counts -> trips.get()));
        }

        private State state() {
            return breaker.state();
        }

        @Override
        public Void call() throws BrokenBarrierException, InterruptedException {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < CALLS; i++) {
                    anyOutcome().tell(breaker, begin());
                }
                long late = begin();
                closedOver.await();
                assertThat(begin()).as("refusal").isNegative();
                anyOutcome().tell(breaker, late);
                openOver.await();
                long probe = begin();
                halfOpenFull.await();
                if (probe > 0) {
                    breaker.onSuccess(probe);
                }
                closedAgain.await();
            }
            return null;
        }

        private long begin() {
            calls.increment();
            return breaker.tryAcquire();
        }

        private Outcome anyOutcome() {
            return Outcome.any(ThreadLocalRandom.current());
        }

        /** Counts the completed calls, including the failure by which it opens the breaker. */
        private void open() {
            Counts counts = breaker.counts();
            assertThat(counts.requests() - counts.totalSuccesses() - counts.totalFailures())
                    .as("running")
                    .isEqualTo(THREADS);
            completed.add(counts.totalSuccesses() + counts.totalFailures() + 1);
            trips.set(true);
            breaker.onFailure(begin(), FAILURE);
            trips.set(false);
            assertThat(breaker.state()).isEqualTo(State.OPEN);
        }

        private void countProbes() {
            assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(PROBES);
            completed.add(PROBES);
        }

        void assertConserved() {
            BreakerMetrics metrics = breaker.metrics();
            assertThat(metrics.late()).isEqualTo((long) ROUNDS * THREADS);
            assertThat(metrics.refused()).isEqualTo((long) ROUNDS * (THREADS + THREADS - PROBES));
            assertThat(metrics.misused()).isZero();
            assertThat(told).hasSize(3 * ROUNDS);
            assertThat(metrics.successesSinceStart() + metrics.failuresSinceStart())
                    .isEqualTo(completed.sum());
            assertThat(completed.sum() + metrics.refused() + metrics.late() + metrics.ignored())
                    .isEqualTo(calls.sum());
        }
    }
}
