package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.reading.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts that fail. */
class RunnerRetryTest extends RunnerFixture {
    @Test
    void task_fails_isTriedAgainAfterTheDelayAndBeforeWhatIsBehindIt() {
        failing(1);
        runner.offer(A, 1);
        runner.offer(A, 2);

        executor.runAll();
        assertThat(news()).containsExactly("A started 1", "A runs 1", "A retry in 1 s 1");
        assertThat(scheduler.nextDelay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(Figures.of(runner.stats())).isEqualTo("active=1 waiting=1 failed=1");

        scheduler.runNext();
        executor.runAll();
        assertThat(news()).containsExactly("A started 1", "A runs 1", "A retry in 2 s 1");

        failing.clear();
        scheduler.runNext();
        executor.runAll();
        assertThat(news())
                .containsExactly(
                        "A started 1", "A runs 1", "A succeeded 1", "A started 2", "A runs 2", "A succeeded 2");
        assertThat(Figures.of(runner.stats())).isEqualTo("succeeded=2 failed=2");
    }

    @Test
    void retry_sameTokenWithAnotherFence_isNotTakenForTheAttemptBefore() {
        List<Long> fences = new ArrayList<>();
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            fences.add(work.fence());
                            if (fences.size() == 1) {
                                throw new Exception("fails");
                            }
                        },
                        executor,
                        scheduler)
                .build();
        Acquired acquired = (Acquired) runner.offer(A, 1);
        executor.runAll();
        lease.answer(new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence() + 1));

        runToTheEnd();

        assertThat(fences).containsExactly(acquired.fence(), acquired.fence() + 1);
    }

    @Test
    void task_failsForGood_isParkedBeforeTheNextBegins() {
        failing(1);
        runner.offer(A, 1);
        runner.offer(A, 2);

        runToTheEnd();

        assertThat(log)
                .containsSubsequence(
                        "A runs 1", "A runs 1", "A runs 1", "A handler has 1", "A parked 1", "A started 2");
        assertThat(runs()).hasSize(RETRIES + 2);
        assertThat(Figures.of(runner.stats())).isEqualTo("succeeded=1 failed=3 parked=1");
        assertThat(domain(A).failedCount()).isEqualTo(1);
    }

    @Test
    void backoff_isAskedWithTheRetryCount() {
        List<Integer> asked = new ArrayList<>();
        List<Integer> retries = new ArrayList<>();
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            retries.add(work.retryCount());
                            throw new Exception();
                        },
                        executor,
                        scheduler)
                .backoff(retryCount -> {
                    asked.add(retryCount);
                    return Duration.ofMillis(1);
                })
                .build();

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(asked).containsExactly(1, 2);
        assertThat(retries).containsExactly(0, 1, 2);
    }

    @Test
    void backoff_default_isTheExponentialOneOfTheConstants() {
        failing(1);
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            throw new Exception();
                        },
                        executor,
                        scheduler)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertWithinFirstDelay(scheduler.nextDelay());
    }

    @Test
    void backoff_zero_isTriedAgainWithoutTheScheduler() {
        failing(1);
        runner = settings().backoff(retryCount -> Duration.ZERO).build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(runs()).hasSize(RETRIES + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "negative", "throws"})
    void backoff_broken_isReplacedByTheDefault(String how) {
        failing(1);
        runner = settings().backoff(retryCount -> broken(how)).build();

        runner.offer(A, 1);
        executor.runAll();

        assertWithinFirstDelay(scheduler.nextDelay());
        assertThat(log).anyMatch(entry -> entry.startsWith("A error"));
    }

    private static void assertWithinFirstDelay(Duration delay) {
        assertThat(delay).isPositive().isLessThanOrEqualTo(Duration.ofMillis(LeaseRunner.DEFAULT_FIRST_DELAY_MILLIS));
    }

    private static Duration broken(String how) {
        return switch (how) {
            case "null" -> null;
            case "negative" -> Duration.ofNanos(-1);
            default -> throw new AssertionError("broken");
        };
    }

    @Test
    void task_throwsAnError_isAFailedAttempt() {
        failing.put(1L, new StackOverflowError());

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(runner.stats().parked()).isEqualTo(1);
    }

    @Test
    void task_interrupted_isAFailedAttemptAndTheThreadStaysInterrupted() {
        failing.put(1L, new InterruptedException());

        runner.offer(A, 1);
        executor.runNext();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(log).contains("A retry in 1 s 1");
    }

    @Test
    void parking_throws_changesNothingAndIsTold() {
        failing(1);
        runner = settings()
                .parking((work, error) -> {
                    throw new IllegalStateException("parking is full");
                })
                .build();
        runner.offer(A, 1);
        runner.offer(A, 2);

        runToTheEnd();

        assertThat(log).containsSubsequence("A error parking is full", "A parked 1", "A runs 2");
    }

    @Test
    void parking_getsTheLastError() {
        List<Throwable> errors = new ArrayList<>();
        failing(1);
        runner = settings().parking((work, error) -> errors.add(error)).build();

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(errors).containsExactly(failing.get(1L));
    }

    @Test
    void parking_offersMeanwhile_theyRunAfterIt() {
        failing(1);
        runner = settings()
                .parking((work, error) -> {
                    note("handler has", work);
                    runner.offer(A, 2);
                    runner.offer(A, 3);
                    assertThat(executor.queued()).isZero();
                })
                .build();

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(log).containsSubsequence("A handler has 1", "A parked 1", "A runs 2", "A runs 3");
    }

    @Test
    void parking_offersBehindABacklog_theHeadRunsFirst() {
        failing(1);
        runner = settings().parking((work, error) -> runner.offer(A, 3)).build();

        runner.offer(A, 1);
        runner.offer(A, 2);
        runToTheEnd();

        assertThat(log).containsSubsequence("A parked 1", "A runs 2", "A runs 3");
    }
}
