package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand threads at once, each of which makes {@code tidegate.calls} calls. */
@Tag("hot")
class StressTest extends BreakerTest {
    private static final int THREADS = 1_000;
    private static final int CALLS = Integer.getInteger("tidegate.calls", 60);

    /** Runs the body on a thousand threads that start together, and fails if one of them fails. */
    private static void together(IntConsumer body) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    body.accept(number);
                } catch (Throwable thrown) {
                    failure.set(thrown);
                }
            });
            threads.add(thread);
            thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure).hasValue(null);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64})
    @DisplayName("CB-6 CB-7 a thousand threads at the nanosecond the open time is over: exactly maxRequests probes")
    void thousandThreads_timeOver_exactlyMaxRequestsProbe(int maxRequests) throws InterruptedException {
        int rounds = Math.max(3, CALLS / 20);
        CircuitBreaker breaker = made(brittle().maxRequests(maxRequests));
        open(breaker);
        AtomicInteger probes = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        AtomicReference<Long> one = new AtomicReference<>();
        CyclicBarrier ready = new CyclicBarrier(THREADS, () -> ticker.advance(TIMEOUT));
        CyclicBarrier done = new CyclicBarrier(THREADS, () -> {
            seen.add(probes.getAndSet(0));
            breaker.onFailure(one.get(), FAILURE);
        });

        together(number -> {
            for (int round = 0; round < rounds; round++) {
                await(ready);
                long stamp = breaker.tryAcquire();
                if (stamp > 0) {
                    probes.incrementAndGet();
                    one.set(stamp);
                }
                await(done);
            }
        });

        assertThat(seen).hasSize(rounds).containsOnly(maxRequests);
        assertThat(breaker.metrics().refused()).isEqualTo((long) rounds * (THREADS - maxRequests));
        assertThat(told).hasSize(1 + 2 * rounds);
    }

    @Test
    @DisplayName("CB-8 CB-11 a thousand threads at the instant of opening: one change is told, no early probe")
    void thousandThreads_allFail_openOnce() throws InterruptedException {
        CircuitBreaker breaker = made(builder());
        AtomicInteger admittedAfterwards = new AtomicInteger();
        CyclicBarrier begun = new CyclicBarrier(THREADS);

        together(number -> {
            long stamp = breaker.tryAcquire();
            await(begun);
            breaker.onFailure(stamp, FAILURE);
            if (breaker.state() == State.OPEN && breaker.tryAcquire() > 0) {
                admittedAfterwards.incrementAndGet();
            }
        });

        assertThat(told).containsExactly("CLOSED -> OPEN");
        assertThat(admittedAfterwards).hasValue(0);
        assertThat(breaker.counts()).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-13 CB-19 a breaker that never trips counts every call of a thousand threads exactly once")
    void thousandThreads_neverTrips_countsAll(WindowKind window) throws InterruptedException {
        CircuitBreaker breaker = made(window.on(tough()));
        LongAdder successes = new LongAdder();
        LongAdder failures = new LongAdder();
        LongAdder ignored = new LongAdder();

        together(number -> {
            for (int i = 0; i < CALLS; i++) {
                Outcome outcome = anyOutcome();
                outcome.tell(breaker, begin(breaker));
                switch (outcome) {
                    case SUCCESS -> successes.increment();
                    case FAILURE -> failures.increment();
                    case IGNORED -> ignored.increment();
                }
            }
        });

        BreakerMetrics metrics = breaker.metrics();
        Counts counts = metrics.counts();
        if (window == WindowKind.LAST_CALLS) {
            assertThat(counts.totalSuccesses() + counts.totalFailures()).isEqualTo(100);
            assertThat(counts.requests()).isEqualTo(100);
        } else {
            assertThat(counts.totalSuccesses()).isEqualTo(successes.sum());
            assertThat(counts.totalFailures()).isEqualTo(failures.sum());
            assertThat(counts.requests()).isEqualTo(successes.sum() + failures.sum());
        }
        assertThat(metrics.successesSinceStart()).isEqualTo(successes.sum());
        assertThat(metrics.failuresSinceStart()).isEqualTo(failures.sum());
        assertThat(metrics.ignored()).isEqualTo(ignored.sum());
        assertThat(metrics.refused() + metrics.late() + metrics.misused()).isZero();
        assertThat(successes.sum() + failures.sum() + ignored.sum()).isEqualTo((long) THREADS * CALLS);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 1_000, 30_000, 100_000})
    @DisplayName("CB-13 CB-19 a window by time is exact to one slot while a thousand threads move it on")
    void thousandThreads_windowByTime_isExactToASlot(long span) throws InterruptedException {
        CircuitBreaker breaker = made(tough().slidingWindow(Duration.ofNanos(span)));
        long[][] before = new long[THREADS][CALLS];
        long[][] after = new long[THREADS][CALLS];

        together(number -> {
            for (int i = 0; i < CALLS; i++) {
                ticker.advance(NANO);
                long stamp = begin(breaker);
                before[number][i] = ticker.getAsLong();
                if (i % 2 == 0) {
                    breaker.onSuccess(stamp);
                } else {
                    breaker.onFailure(stamp, FAILURE);
                }
                after[number][i] = ticker.getAsLong();
            }
        });

        Counts counts = breaker.counts();
        long start = ticker.getAsLong() - span;
        assertThat(counts.totalSuccesses() + counts.totalFailures())
                .isEqualTo(counts.requests())
                .isBetween(since(start, before), since(start - span / 32, after));
    }

    private static long since(long start, long[][] times) {
        return Arrays.stream(times)
                .flatMapToLong(Arrays::stream)
                .filter(time -> time >= start)
                .count();
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-8 CB-9 CB-11 CB-13 a breaker that trips under a thousand threads loses no call and no change")
    void thousandThreads_trips_conserves(WindowKind window) throws InterruptedException {
        CircuitBreaker breaker = made(window.on(builder())
                .maxRequests(2)
                .timeout(NANO.multipliedBy(50))
                .failureRate(0.3, 10));
        LongAdder admitted = new LongAdder();
        LongAdder refused = new LongAdder();
        LongAdder ignored = new LongAdder();

        together(number -> {
            for (int i = 0; i < CALLS; i++) {
                ticker.advance(NANO);
                long stamp = breaker.tryAcquire();
                assertConsistent(breaker.counts());
                if (stamp < 0) {
                    refused.increment();
                } else {
                    Outcome outcome = anyOutcome();
                    outcome.tell(breaker, stamp);
                    admitted.increment();
                    ignored.add(outcome == Outcome.IGNORED ? 1 : 0);
                }
            }
        });

        BreakerMetrics metrics = breaker.metrics();
        assertThat(admitted.sum() + refused.sum()).isEqualTo((long) THREADS * CALLS);
        assertThat(metrics.refused()).isEqualTo(refused.sum());
        assertThat(metrics.ignored()).isLessThanOrEqualTo(ignored.sum());
        assertThat(metrics.successesSinceStart() + metrics.failuresSinceStart() + metrics.late() + metrics.ignored())
                .as("each admitted call is in one of them")
                .isEqualTo(admitted.sum());
        assertThat(metrics.misused()).isZero();
        assertThat(metrics.generation()).isEqualTo(told.size()).isGreaterThan(10);
        assertChained(metrics.state());
        assertThat(breaker.diagnostics().probesInFlight()).isZero();
    }

    /**
     * Checks that every state but the first and the last is left as often as it is entered, in whatever order the
     * listener was called.
     */
    private void assertChained(State last) {
        Map<String, Integer> open = new HashMap<>();
        open.merge(State.CLOSED.name(), 1, Integer::sum);
        open.merge(last.name(), -1, Integer::sum);
        for (String change : told) {
            String[] states = change.split(" -> ", 2);
            open.merge(states[0], -1, Integer::sum);
            open.merge(states[1], 1, Integer::sum);
        }
        assertThat(open.values()).containsOnly(0);
    }

    private static Outcome anyOutcome() {
        return Outcome.any(ThreadLocalRandom.current());
    }
}
