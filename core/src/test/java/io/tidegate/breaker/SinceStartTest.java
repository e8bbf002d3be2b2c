package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SinceStartTest extends BreakerTest {
    private static final List<Consumer<CircuitBreaker>> CHANGES =
            List.of(CircuitBreaker::reset, CircuitBreaker::forceOpen, CircuitBreaker::disable);

    private static void assertSinceStart(CircuitBreaker breaker, long successes, long failures) {
        BreakerMetrics metrics = breaker.metrics();
        assertThat(metrics.successesSinceStart()).as("successes").isEqualTo(successes);
        assertThat(metrics.failuresSinceStart()).as("failures").isEqualTo(failures);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-24 totals since birth count calls and probes, over trips, resets, windows and intervals")
    void totals_wholeLife_addUp(WindowKind window) {
        CircuitBreaker breaker = made(window.on(builder())
                .readyToTrip(counts -> counts.consecutiveFailures() == 3)
                .successesToClose(2));
        for (int life = 0; life < 10; life++) {
            succeed(breaker, 150);
            fail(breaker, 2);
            succeed(breaker, 1);
            ticker.advance(Duration.ofHours(2));
            fail(breaker, 3);
            assertSinceStart(breaker, life * 153L + 151, life * 6L + 5);
            ticker.advance(TIMEOUT);
            fail(breaker);
            ticker.advance(TIMEOUT);
            succeed(breaker, 2);
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
            assertSinceStart(breaker, (life + 1) * 153L, (life + 1) * 6L);
        }
    }

    @Test
    @DisplayName(
            "CB-24 reset, forceOpen, disable and update keep the totals since birth, without late and ignored calls")
    void totals_changesByHand_areKept() {
        CircuitBreaker breaker = made(tough());
        succeed(breaker, 3);
        fail(breaker, 2);
        for (Consumer<CircuitBreaker> change : CHANGES) {
            long late = begin(breaker);
            change.accept(breaker);
            breaker.onFailure(late, FAILURE);
            assertSinceStart(breaker, 3, 2);
            breaker.reset();
            assertSinceStart(breaker, 3, 2);
        }
        breaker.update(change -> change.interval(Duration.ofSeconds(1)));
        ticker.advance(Duration.ofSeconds(2));
        breaker.onIgnored(begin(breaker));

        succeed(breaker);

        assertSinceStart(breaker, 4, 2);
    }

    static Stream<Arguments> changesAndOutcomes() {
        return CHANGES.stream()
                .flatMap(change -> Stream.of(Outcome.SUCCESS, Outcome.FAILURE)
                        .flatMap(outcome -> Stream.of(1, 2).map(changes -> Arguments.of(change, outcome, changes))));
    }

    @ParameterizedTest
    @MethodSource("changesAndOutcomes")
    @DisplayName("CB-9 CB-24 an outcome whose period ends while it is being counted is in the totals, once")
    void totals_periodEndsMeanwhile_haveTheOutcome(Consumer<CircuitBreaker> change, Outcome outcome, int changes) {
        // The clock is read after the period and before the count.
        AtomicReference<Runnable> onRead = new AtomicReference<>();
        CircuitBreaker breaker = made(tough().slidingWindow(Duration.ofHours(1)).ticker(() -> {
            Runnable once = onRead.getAndSet(null);
            if (once != null) {
                once.run();
            }
            return ticker.getAsLong();
        }));
        succeed(breaker, 2);
        fail(breaker, 1);
        long first = begin(breaker);
        onRead.set(() -> {
            for (int i = 0; i < changes; i++) {
                change.accept(breaker);
                breaker.reset();
            }
            succeed(breaker, 4);
            assertSinceStart(breaker, 6, 1);
        });

        outcome.tell(breaker, first);

        assertThat(breaker.metrics().late()).isZero();
        assertThat(breaker.counts()).as("of the new period").isEqualTo(new Counts(4, 4, 0, 4, 0));
        assertSinceStart(breaker, outcome == Outcome.SUCCESS ? 7 : 6, outcome == Outcome.FAILURE ? 2 : 1);
        breaker.reset();
        assertSinceStart(breaker, outcome == Outcome.SUCCESS ? 7 : 6, outcome == Outcome.FAILURE ? 2 : 1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-24 totals since birth never go down while periods end under threads, and at the end are exact")
    void totals_underThreads_areMonotoneAndExact(WindowKind window) throws InterruptedException {
        int threads = 4;
        int calls = 20_000;
        CircuitBreaker breaker = made(window.on(tough()));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    endCallsAndPeriods(breaker, number, calls);
                } catch (Throwable thrown) {
                    failure.set(thrown);
                }
            });
            started.add(thread);
            thread.start();
        }
        for (Thread thread : started) {
            thread.join();
        }

        assertThat(failure).hasValue(null);
        BreakerMetrics metrics = breaker.metrics();
        assertThat(metrics.successesSinceStart() + metrics.failuresSinceStart() + metrics.late())
                .isEqualTo((long) threads * calls);
    }

    private static void endCallsAndPeriods(CircuitBreaker breaker, int number, int calls) {
        BreakerMetrics before = breaker.metrics();
        for (int i = 0; i < calls; i++) {
            long stamp = breaker.tryAcquire();
            if (i % 10 == number) {
                breaker.reset();
            }
            (i % 3 == 0 ? Outcome.FAILURE : Outcome.SUCCESS).tell(breaker, stamp);
            BreakerMetrics now = breaker.metrics();
            if (now.successesSinceStart() < before.successesSinceStart()
                    || now.failuresSinceStart() < before.failuresSinceStart()) {
                throw new AssertionError(before + ", and then " + now);
            }
            before = now;
        }
    }
}
