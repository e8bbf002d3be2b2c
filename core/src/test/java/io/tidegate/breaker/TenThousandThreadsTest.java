package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ten thousand virtual threads with a thousand calls each; as many tasks of a pool if the JDK has no virtual threads.
 */
@Tag("hot")
class TenThousandThreadsTest extends BreakerTest {
    private static final int THREADS = 10_000;
    private static final int CALLS = 1_000;
    private static final int PLATFORM_THREADS = 500;
    private static final int LONG_CALLS = 50; // one of so many goes on while other threads run
    private static final int PROBES = 3;

    private final LongAdder admitted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder ignored = new LongAdder();
    private final Map<Long, AtomicInteger> probes = new ConcurrentHashMap<>();
    private final AtomicInteger mostProbes = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(names = {"TOTALS", "LAST_SPAN"})
    @DisplayName(
            "CB-7 CB-9 CB-11 CB-13 CB-24 ten thousand threads with a thousand calls each: every call is a success, a"
                    + " failure, refused, late or ignored, and there are never more probes than allowed")
    void tenThousandThreads_trips_conserves(WindowKind window) throws Exception {
        CircuitBreaker breaker = made(window.on(builder())
                .maxRequests(PROBES)
                .timeout(NANO.multipliedBy(20))
                .probeTimeout(Duration.ofDays(1))
                .readyToTrip(counts -> counts.consecutiveFailures() >= 4));
        ExecutorService threads = Runtime.version().feature() < 21
                ? Executors.newFixedThreadPool(PLATFORM_THREADS)
                : VirtualThreadTest.threads();
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                ends.add(threads.submit(() -> call(breaker, new Random(number))));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdown();
        }

        BreakerMetrics metrics = breaker.metrics();
        Counts counts = metrics.counts();
        assertThat(admitted.sum() + refused.sum()).isEqualTo((long) THREADS * CALLS);
        assertThat(metrics.refused()).isEqualTo(refused.sum());
        assertThat(metrics.successesSinceStart() + metrics.failuresSinceStart() + metrics.late() + metrics.ignored())
                .isEqualTo(admitted.sum());
        assertThat(metrics.ignored()).isLessThanOrEqualTo(ignored.sum());
        assertThat(metrics.misused()).isZero();
        assertThat(counts.requests())
                .as("nothing runs any more")
                .isEqualTo(counts.totalSuccesses() + counts.totalFailures());
        assertThat(mostProbes.get()).isBetween(1, PROBES);
        assertThat(breaker.diagnostics().probesInFlight()).isZero();
        assertThat(metrics.generation()).isEqualTo(told.size()).isGreaterThan(10);
    }

    @SuppressWarnings("ThreadPriorityCheck") // lets other threads come in between, and puts nothing in order
    private void call(CircuitBreaker breaker, Random random) {
        for (int i = 0; i < CALLS; i++) {
            long stamp = breaker.tryAcquire();
            if (stamp < 0) {
                refused.increment();
                ticker.advance(NANO);
                continue;
            }
            admitted.increment();
            AtomicInteger running = Stamp.isCall(stamp) ? null : beginProbe(stamp);
            if (running != null || random.nextInt(LONG_CALLS) == 0) {
                Thread.yield();
            }
            if (running != null) {
                running.decrementAndGet();
            }
            Outcome outcome = anyOutcome(random.nextInt(10));
            ignored.add(outcome == Outcome.IGNORED ? 1 : 0);
            outcome.tell(breaker, stamp);
        }
    }

    /** Counts the probes of a period that run: each from after it begins until before it ends. */
    private AtomicInteger beginProbe(long stamp) {
        AtomicInteger running = probes.computeIfAbsent(stamp >>> Stamp.GENERATION_SHIFT, period -> new AtomicInteger());
        mostProbes.accumulateAndGet(running.incrementAndGet(), Math::max);
        return running;
    }

    private static Outcome anyOutcome(int die) {
        return die < 3 ? Outcome.FAILURE : die < 9 ? Outcome.SUCCESS : Outcome.IGNORED;
    }
}
