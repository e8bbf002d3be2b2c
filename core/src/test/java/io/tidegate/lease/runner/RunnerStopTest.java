package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.LeaseRunner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RunnerStopTest extends RunnerFixture {
    private CompletableFuture<Void> stop() {
        return runner.stop().toCompletableFuture();
    }

    @Test
    void stop_idle_endsAtOnce() {
        assertThat(stop()).isCompleted();
        assertThat(stop()).isCompleted();
    }

    @Test
    void stop_anythingAfterwards_isRefusedAndNothingIsAsked() {
        stop();

        assertThatThrownBy(() -> runner.offer(A, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> runner.resume(A)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> runner.replay(A, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(lease.inspect(A)).isEmpty();
    }

    @Test
    void stop_notBegun_doesNotBeginAndStaysForTheNextRunner() {
        runner.offer(A, 1);
        runner.offer(A, 2);

        assertThat(stop()).isCompleted();
        executor.runAll();
        assertThat(log).isEmpty();
        assertThat(runner.stats().active()).isZero();

        runner = settings().build();
        runner.resume(A);
        executor.runAll();
        assertThat(runs()).containsExactly("A runs 1", "A runs 2");
    }

    @Test
    void stop_byTheTask_theAttemptIsToldAndTheHintNotFollowed() {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            note("runs", work);
                            CompletionStage<Void> stopped = runner.stop();
                            assertThat(stopped.toCompletableFuture()).isNotDone();
                            stopped.thenRun(() -> seen.complete(null));
                            assertThatThrownBy(() -> runner.offer(A, 3)).isInstanceOf(IllegalStateException.class);
                        },
                        executor,
                        scheduler)
                .listener(listener)
                .build();
        runner.offer(A, 1);
        runner.offer(A, 2);

        executor.runAll();

        assertThat(log).containsExactly("A started 1", "A runs 1", "A succeeded 1");
        assertThat(seen).isCompleted();
        assertThat(domain(A).processedCount()).isEqualTo(1);
        assertThat(domain(A).backlog()).containsExactly(2L);
    }

    @Test
    void stop_waitingForARetry_cancelsTheTimer() {
        failing(1);
        runner.offer(A, 1);
        executor.runAll();

        assertThat(stop()).isCompleted();

        assertThat(scheduler.pending()).isZero();
        assertThat(runner.stats().active()).isZero();
        assertThat(domain(A).lease().orElseThrow().retryCount()).isEqualTo(1);
    }

    @Test
    void stop_duringAFailingAttempt_setsNoTimer() {
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            runner.stop();
                            throw new Exception();
                        },
                        executor,
                        scheduler)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(scheduler.pending()).isZero();
        assertThat(stop()).isCompleted();
    }

    @Test
    void stop_outcomeNotToldYet_waitsUntilItIs() {
        runner.offer(A, 1);
        lease.fail(2, away);
        executor.runAll();

        CompletableFuture<Void> stopped = stop();
        assertThat(stopped).isNotDone();
        scheduler.runNext();
        executor.runAll();
        assertThat(stopped).isNotDone();
        scheduler.runNext();
        executor.runAll();

        assertThat(stopped).isCompleted();
        assertThat(domain(A).processedCount()).isEqualTo(1);
    }

    @Test
    void stop_outcomeCannotBeToldForLackOfAScheduler_ends() {
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            stop();
                            lease.fail(1, away);
                            scheduler.refuse(true);
                        },
                        executor,
                        scheduler)
                .listener(listener)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(log).endsWith("A let go shut down");
        assertThat(stop()).isCompleted();
    }

    @Test
    void stop_theParkingHandlerIsStillCalled() {
        failing(1);
        CompletableFuture<Void> parked = new CompletableFuture<>();
        runner = settings()
                .parking((work, error) -> {
                    CompletableFuture<Void> stopped = stop();
                    assertThat(stopped).isNotDone();
                    parked.complete(null);
                })
                .build();

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(parked).isCompleted();
        assertThat(stop()).isCompleted();
    }

    @Test
    void stop_theReturnedStage_cannotBeEndedByItsHolder() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            stop().complete(null);
                            assertThat(stop()).isNotDone();
                            mine.complete(null);
                        },
                        executor,
                        scheduler)
                .listener(listener)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(log).endsWith("A succeeded 1");
        assertThat(mine).isCompleted();
    }
}
