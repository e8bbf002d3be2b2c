package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeasedWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Work that another runner has left behind, that others hold, or that is replayed. */
class RunnerLeftBehindTest extends RunnerFixture {
    /* Leases an offset and enqueues two more, as a runner leaves them that died in its first attempt. */
    private String leaveBehind() {
        String token = ((AcquireResult.Acquired) lease.tryAcquire(A, 1)).token();
        lease.tryAcquire(A, 2);
        lease.tryAcquire(A, 3);
        return token;
    }

    @Test
    void offer_theLeasedOffset_isAdoptedWithItsFailures() {
        String token = leaveBehind();
        lease.fail(A, token);
        failing(1);

        assertThat(runner.offer(A, 1).code()).isEqualTo("ALREADY_ACQUIRED");
        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1", "A runs 1", "A runs 2", "A runs 3");
        assertThat(log).startsWith("A started 1", "A runs 1", "A retry in 2 s 1");
    }

    @Test
    void offer_theLeasedOffset_theTaskSeesTokenAndFailures() {
        String token = leaveBehind();
        lease.fail(A, token);
        List<LeasedWork> seen = new ArrayList<>();
        runner = LeaseRunner.builder(lease, seen::add, executor, scheduler).build();

        runner.offer(A, 1);
        executor.runNext();

        assertThat(seen).containsExactly(new LeasedWork(A, 1, token, 1, 1));
    }

    @Test
    void offer_anotherOffset_whatIsLeasedComesFirst() {
        leaveBehind();

        assertThat(runner.offer(A, 4).code()).isEqualTo("ENQUEUED");
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3", "A runs 4");
    }

    @Test
    void offer_idleWithABacklog_theHeadComesFirst() {
        lease.succeed(A, leaveBehind());

        assertThat(runner.offer(A, 4).code()).isEqualTo("ENQUEUED");
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 2", "A runs 3", "A runs 4");
    }

    @Test
    void offer_idleWithABacklogAndTheLeaseGoesAway_theHeadIsRunAllTheSame() {
        lease.succeed(A, leaveBehind());
        runner = LeaseRunner.builder(
                        new ForwardingLease(lease) {
                            @Override
                            public AcquireResult tryAcquire(String domainId, long offset) {
                                AcquireResult answer = super.tryAcquire(domainId, offset);
                                lease.fail(offset == 2 ? 1 : 0, away);
                                return answer;
                            }
                        },
                        work -> note("runs", work),
                        executor,
                        scheduler)
                .build();

        assertThatThrownBy(() -> runner.offer(A, 4)).isSameAs(away);
        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 2", "A runs 3");
    }

    @Test
    void offer_headThatNobodyCanTake_throwsInTheEnd() {
        runner = LeaseRunner.builder(
                        new ForwardingLease(lease) {
                            @Override
                            public AcquireResult tryAcquire(String domainId, long offset) {
                                throw new BacklogOrderingException(domainId, offset + 1, offset);
                            }
                        },
                        work -> {},
                        executor,
                        scheduler)
                .build();

        assertThatThrownBy(() -> runner.offer(A, 4)).isInstanceOf(BacklogOrderingException.class);
        assertThat(runner.stats().active()).isZero();
    }

    @Test
    void resume_somethingLeased_runsItAndWhatIsBehindIt() {
        leaveBehind();

        assertThat(runner.resume(A)).isTrue();
        assertThat(runner.resume(A)).isTrue();
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3");
    }

    @Test
    void resume_idleWithABacklog_runsIt() {
        lease.succeed(A, leaveBehind());

        assertThat(runner.resume(A)).isTrue();
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 2", "A runs 3");
    }

    @Test
    void resume_nothing_returnsFalse() {
        assertThat(runner.resume(A)).isFalse();
        runner.offer(A, 1);
        executor.runAll();
        assertThat(runner.resume(A)).isFalse();
        assertThat(executor.queued()).isZero();
    }

    @Test
    void offer_heldElsewhere_isAskedForAgainByTheBackoff() {
        HeldElsewhere held = new HeldElsewhere("somebody", NOW);
        lease.answer(held, held, held);

        assertThat(runner.offer(A, 1)).isSameAs(held);
        assertThat(executor.queued()).isZero();
        for (int seconds = 1; seconds <= 3; seconds++) {
            assertThat(scheduler.nextDelay()).isEqualTo(Duration.ofSeconds(seconds));
            scheduler.runNext();
            executor.runAll();
        }

        assertThat(log).containsExactly("A started 1", "A runs 1", "A succeeded 1");
    }

    @Test
    void offer_heldElsewhereAndFinishedThere_endsWithoutARun() {
        String token = leaveBehind();
        lease.answer(new HeldElsewhere("somebody", NOW));
        runner.offer(A, 1);
        lease.succeed(A, token);
        lease.succeed(A, ((AcquireResult.Acquired) lease.tryAcquire(A, 2)).token());
        lease.succeed(A, ((AcquireResult.Acquired) lease.tryAcquire(A, 3)).token());

        runToTheEnd();

        assertThat(log).isEmpty();
        assertThat(runner.stats().active()).isZero();
    }

    @Test
    void turn_neverGetsToTheHead_waitsAndAsksAgain() {
        leaveBehind();
        AtomicInteger refusals = new AtomicInteger(100);
        runner = LeaseRunner.builder(
                        new ForwardingLease(lease) {
                            @Override
                            public AcquireResult tryAcquire(String domainId, long offset) {
                                if (refusals.getAndDecrement() > 0) {
                                    throw new BacklogOrderingException(domainId, 1, offset);
                                }
                                return super.tryAcquire(domainId, offset);
                            }
                        },
                        work -> note("runs", work),
                        executor,
                        scheduler)
                .build();

        runner.resume(A);
        executor.runAll();
        assertThat(scheduler.pending()).isEqualTo(1);
        runToTheEnd();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3");
    }

    @Test
    void replay_failedOffset_runsAgainAtTheTail() {
        failing(1);
        runner.offer(A, 1);
        runToTheEnd();
        failing.clear();
        news();

        assertThat(runner.replay(A, 1)).isTrue();
        executor.runAll();

        assertThat(log).containsExactly("A started 1", "A runs 1", "A succeeded 1");
        assertThat(domain(A).failedCount()).isZero();
    }

    @Test
    void replay_whileOthersRun_comesAfterThem() {
        failing(1);
        runner.offer(A, 1);
        runToTheEnd();
        failing.clear();
        news();
        runner.offer(A, 2);
        runner.offer(A, 3);

        assertThat(runner.replay(A, 1)).isTrue();
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 2", "A runs 3", "A runs 1");
    }

    @Test
    void replay_byTheParkingHandler_runsAgain() {
        failing(1);
        runner = settings()
                .parking((work, error) -> {
                    failing.clear();
                    assertThat(runner.replay(A, 1)).isTrue();
                })
                .build();

        runner.offer(A, 1);
        runToTheEnd();

        assertThat(log).endsWith("A parked 1", "A started 1", "A runs 1", "A succeeded 1");
    }

    @Test
    void replay_notFailed_returnsFalse() {
        assertThat(runner.replay(A, 1)).isFalse();
        assertThat(executor.queued()).isZero();
    }
}
