package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import io.tidegate.reading.Figures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors and schedulers that refuse, and leases that are out of reach or lost. */
class RunnerTroubleTest extends RunnerFixture {
    @Test
    void executor_refuses_isTriedAgainAndCostsNoRetry() {
        executor.refuse(2);
        runner.offer(A, 1);

        assertThat(scheduler.nextDelay()).isEqualTo(Duration.ofSeconds(1));
        scheduler.runNext();
        assertThat(scheduler.nextDelay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(domain(A).lease().orElseThrow().retryCount()).isZero();
        scheduler.runNext();
        executor.runAll();

        assertThat(log).containsExactly("A error full", "A error full", "A started 1", "A runs 1", "A succeeded 1");
    }

    @Test
    void executor_refusesTheHint_theBacklogIsWorkedOffLater() {
        runner.offer(A, 1);
        runner.offer(A, 2);
        executor.refuse(1);
        executor.runNext();
        assertThat(runner.offer(A, 3).code()).isEqualTo("ENQUEUED");

        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3");
    }

    @Test
    void executor_runsAndThenRefuses_runsOnce() {
        runner = LeaseRunner.builder(
                        lease,
                        work -> note("runs", work),
                        turn -> {
                            turn.run();
                            throw new RejectedExecutionException("after all");
                        },
                        scheduler)
                .build();

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1");
    }

    @Test
    void executor_runsTwice_runsOnce() {
        runner = LeaseRunner.builder(
                        lease,
                        work -> note("runs", work),
                        turn -> {
                            turn.run();
                            turn.run();
                        },
                        scheduler)
                .build();

        runner.offer(A, 1);

        assertThat(runs()).containsExactly("A runs 1");
        assertThat(runner.stats().lost()).isZero();
    }

    @Test
    void scheduler_refusesToo_isLetGoAndTheNextOfferTakesItUp() {
        executor.refuse(1);
        scheduler.refuse(true);
        runner.offer(A, 1);
        assertThat(news()).containsExactly("A error full", "A let go shut down");
        assertThat(runner.stats().active()).isZero();

        scheduler.refuse(false);
        runner.offer(A, 2);
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2");
    }

    @Test
    void scheduler_refusesARetry_isLetGoWithItsFailuresKept() {
        failing(1);
        scheduler.refuse(true);
        runner.offer(A, 1);
        executor.runAll();
        assertThat(log).endsWith("A retry in 1 s 1", "A let go shut down");

        scheduler.refuse(false);
        runner.offer(A, 1);
        runToTheEnd();

        assertThat(runs()).hasSize(RETRIES + 1);
    }

    @Test
    void scheduler_refusesAnOutcome_theWorkIsDoneAgainWhenOffered() {
        scheduler.refuse(true);
        runner.offer(A, 1);
        lease.fail(1, away);
        executor.runAll();
        assertThat(news()).containsExactly("A started 1", "A runs 1", "A error engine away", "A let go shut down");
        assertThat(Figures.of(runner.stats())).isEqualTo("");

        runner.offer(A, 1);
        executor.runAll();

        assertThat(log).containsExactly("A started 1", "A runs 1", "A succeeded 1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lease_awayWhenToldTheOutcome_isToldAgain(boolean succeeds) {
        if (!succeeds) {
            failing(1);
        }
        executor.refuse(1);
        runner.offer(A, 1);
        runner.offer(A, 2);
        scheduler.runNext();
        lease.fail(2, away);
        executor.runAll();
        assertThat(scheduler.nextDelay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(runner.stats().running()).isEqualTo(1);

        scheduler.runNext();
        executor.runAll();
        assertThat(scheduler.nextDelay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(runs()).containsExactly("A runs 1");
        failing.clear();
        runToTheEnd();

        assertThat(runner.stats().failed()).isEqualTo(succeeds ? 0 : 1);
        assertThat(runs()).hasSize(succeeds ? 2 : 3).endsWith("A runs 2");
    }

    @Test
    void lease_awayWhenTheHintIsFollowed_isAskedAgain() {
        runner.offer(A, 1);
        runner.offer(A, 2);
        lease.failToAcquire(2, away);
        executor.runNext();
        executor.runNext();
        assertThat(log).endsWith("A error engine away");

        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2");
    }

    @Test
    void lease_awayWhenTheHintIsFollowed_anOfferMeanwhileTakesTheHeadAndItsTurnComesAtOnce() {
        runner.offer(A, 1);
        runner.offer(A, 2);
        lease.failToAcquire(2, away);
        executor.runNext();
        executor.runNext();

        assertThat(runner.offer(A, 3).code()).isEqualTo("ENQUEUED");
        assertThat(domain(A).lease().orElseThrow().currentOffset()).isEqualTo(2);
        assertThat(executor.queued()).isEqualTo(1);
        assertThat(scheduler.pending()).isZero();
        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3");
    }

    @Test
    @DisplayName("WR-6 a retry does not look at the domain, whose backlog may be long")
    void retry_any_doesNotInspect() {
        failing(1);
        runner = LeaseRunner.builder(
                        new ForwardingLease(lease) {
                            @Override
                            public Optional<DomainSnapshot> inspect(String domainId) {
                                throw away;
                            }
                        },
                        work -> {
                            throw new Exception();
                        },
                        executor,
                        scheduler)
                .backoff(BACKOFF)
                .listener(listener)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(log).containsExactly("A started 1", "A retry in 1 s 1");
    }

    @Test
    void lease_lostToSomebodyElse_isLetGo() {
        Acquired acquired = (Acquired) runner.offer(A, 1);
        lease.succeed(A, acquired.token());

        executor.runAll();

        assertThat(log).containsExactly("A started 1", "A runs 1", "A lost, LeaseNotFoundException, 1");
        assertThat(Figures.of(runner.stats())).isEqualTo("lost=1");
        runner.offer(A, 2);
        executor.runAll();
        assertThat(runs()).endsWith("A runs 2");
    }

    @Test
    void lease_lostToSomebodyElse_whatIsInLineIsWorkedOn() {
        Acquired acquired = (Acquired) runner.offer(A, 1);
        runner.offer(A, 2);
        runner.offer(A, 3);
        lease.succeed(A, acquired.token());

        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3");
        assertThat(runner.stats().lost()).isEqualTo(1);
    }

    @Test
    void lease_lostAndAwayWhenAskedWhatIsInLine_isToldAndTakenUpLater() {
        runner = settings()
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onLost(LeasedWork work, IllegalStateException refusal) {
                        lease.fail(1, away);
                    }

                    @Override
                    public void onError(String domainId, Throwable error) {
                        listener.onError(domainId, error);
                    }
                })
                .build();
        Acquired acquired = (Acquired) runner.offer(A, 1);
        runner.offer(A, 2);
        lease.succeed(A, acquired.token());
        executor.runAll();
        assertThat(log).endsWith("A error engine away");

        runner.resume(A);
        runToTheEnd();

        assertThat(runs()).endsWith("A runs 2");
    }

    @Test
    void lease_takenOver_isLetGoAndTheNewHolderStaysAlone() {
        Acquired acquired = (Acquired) runner.offer(A, 1);
        lease.succeed(A, acquired.token());
        Acquired another = (Acquired) lease.tryAcquire(A, 2);

        executor.runAll();

        assertThat(log).endsWith("A lost, TokenMismatchException, 1");
        assertThat(domain(A).lease().orElseThrow().token()).isEqualTo(another.token());
    }

    @Test
    void retry_finishedBySomebodyElseMeanwhile_goesOnWithWhatIsNext() {
        failing(1);
        Acquired acquired = (Acquired) runner.offer(A, 1);
        runner.offer(A, 2);
        executor.runAll();
        lease.succeed(A, acquired.token());

        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2");
    }
}
