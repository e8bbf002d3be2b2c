package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.AcquireResult.AlreadyFailed;
import io.tidegate.lease.AcquireResult.AlreadyProcessed;
import io.tidegate.lease.AcquireResult.Enqueued;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeasedWork;
import io.tidegate.reading.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Work that succeeds: in order, one offset at a time, and never on the caller's thread. */
class RunnerTest extends RunnerFixture {
    @Test
    void offer_freeDomain_isRunAndTold() {
        assertThat(runner.offer(A, 7)).isInstanceOf(Acquired.class);
        assertThat(log).isEmpty();

        executor.runNext();

        assertThat(executor.queued()).isZero();
        assertThat(log).containsExactly("A started 7", "A runs 7", "A succeeded 7");
        assertThat(Figures.of(runner.stats())).isEqualTo("succeeded=1");
        assertThat(runner.offer(A, 7)).isEqualTo(new AlreadyProcessed());
        assertThat(executor.queued()).isZero();
    }

    @Test
    void offer_leasedDomain_runsInOrderOfArrivalOneAtATime() {
        runner.offer(A, 3);
        assertThat(runner.offer(A, 1)).isEqualTo(new Enqueued());
        assertThat(runner.offer(A, 2)).isEqualTo(new Enqueued());
        assertThat(runner.offer(A, 1)).isEqualTo(new Enqueued());
        assertThat(runner.offer(A, 3)).isInstanceOf(AlreadyAcquired.class);
        assertThat(executor.queued()).isEqualTo(1);

        executor.runNext();
        executor.runNext();
        executor.runNext();

        assertThat(executor.queued()).isZero();
        assertThat(runs()).containsExactly("A runs 3", "A runs 1", "A runs 2");
        assertThat(domain(A).processedCount()).isEqualTo(3);
    }

    @Test
    void offer_manyDomains_eachHasATurnOfItsOwn() {
        runner.offer(A, 1);
        runner.offer(A, 2);
        runner.offer(B, 1);
        assertThat(executor.queued()).isEqualTo(2);

        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1", "B runs 1", "A runs 2");
    }

    @Test
    void offer_misuse_throwsWhatTheLeaseThrowsAndLeavesNothing() {
        assertThatThrownBy(() -> runner.offer("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> runner.offer(null, 1)).isInstanceOf(NullPointerException.class);
        assertThat(runner.stats().active()).isZero();
    }

    @Test
    void offer_leaseAway_throwsAndCanBeOfferedAgain() {
        lease.fail(1, away);

        assertThatThrownBy(() -> runner.offer(A, 1)).isSameAs(away);
        assertThat(runner.stats().active()).isZero();
        runner.offer(A, 1);
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1");
    }

    @Test
    void task_seesItsLease() {
        List<LeasedWork> seen = new ArrayList<>();
        runner = LeaseRunner.builder(lease, seen::add, executor, scheduler).build();

        Acquired acquired = (Acquired) runner.offer(A, 1);
        executor.runAll();

        assertThat(seen).containsExactly(new LeasedWork(A, 1, acquired.token(), acquired.fence(), 0));
        assertThat(seen.get(0).toString()).contains("A", "offset 1").doesNotContain(acquired.token());
    }

    @Test
    void task_offersToItsOwnDomain_runsAfterIt() {
        AtomicInteger left = new AtomicInteger(3);
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            if (left.getAndDecrement() > 0) {
                                assertThat(runner.offer(A, work.offset() + 1)).isEqualTo(new Enqueued());
                            }
                        },
                        executor,
                        scheduler)
                .listener(listener)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(domain(A).processedCount()).isEqualTo(4);
    }

    @Test
    void offer_whatRunsAlready_causesNoTurn() {
        runner = LeaseRunner.builder(lease, work -> runner.offer(A, work.offset()), executor, scheduler)
                .build();

        runner.offer(A, 1);
        executor.runNext();

        assertThat(executor.queued()).isZero();
    }

    @Test
    void directExecutor_backlogOf100000_needsNoDeepStack() {
        int backlog = 100_000;
        AtomicInteger runs = new AtomicInteger();
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            runs.incrementAndGet();
                            if (work.offset() == 0) {
                                for (int offset = 1; offset <= backlog; offset++) {
                                    runner.offer(A, offset);
                                }
                            }
                        },
                        Runnable::run,
                        scheduler)
                .build();

        runner.offer(A, 0);

        assertThat(runs).hasValue(backlog + 1);
        assertThat(domain(A).processedCount()).isEqualTo(backlog + 1);
    }

    @Test
    void directExecutor_eachDomainOffersToTheNext_needsNoDeepStack() {
        int domains = 100_000;
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            if (work.offset() < domains) {
                                runner.offer("domain " + work.offset(), work.offset() + 1);
                            }
                        },
                        Runnable::run,
                        scheduler)
                .build();

        runner.offer("domain", 1);

        assertThat(runner.stats().succeeded()).isEqualTo(domains);
    }

    @Test
    void offer_failedOffset_isToldSo() {
        failing(1);
        runner.offer(A, 1);
        runToTheEnd();

        assertThat(runner.offer(A, 1)).isEqualTo(new AlreadyFailed());
        assertThat(executor.queued()).isZero();
    }

    @Test
    void builder_null_isRefused() {
        assertThatThrownBy(() -> LeaseRunner.builder(null, work -> {}, executor, scheduler))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> settings().backoff(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> settings().parking(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> settings().listener(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void toString_showsTheStats() {
        assertThat(runner).hasToString("LeaseRunner" + runner.stats());
    }
}
