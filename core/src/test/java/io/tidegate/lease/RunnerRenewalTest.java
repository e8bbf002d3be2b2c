package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult.HeldElsewhere;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A runner on leases that end by themselves. */
class RunnerRenewalTest extends RunnerFixture {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final List<String> engineHeard = new ArrayList<>();
    private final EngineLease engine = new EngineLease();
    private Runnable during = () -> {};

    /** Leases in memory that note what only an engine is told. */
    private final class EngineLease extends ForwardingLease implements SharedWorkLease {
        EngineLease() {
            super(lease);
        }

        @Override
        public String owner() {
            return "me";
        }

        @Override
        public Duration leaseDuration() {
            return LEASE;
        }

        @Override
        public long renew(String domainId, String token) {
            lease.reach();
            LeaseRecord held = domain(domainId).lease().orElseThrow(() -> new LeaseNotFoundException(domainId));
            if (!held.token().equals(token)) {
                throw new TokenMismatchException(domainId);
            }
            engineHeard.add("renew " + held.currentOffset());
            return 0;
        }

        @Override
        public FailResult fail(String domainId, String token, int failure) {
            lease.reach();
            engineHeard.add("failure " + failure);
            return fail(domainId, token);
        }

        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void release(String domainId, String token) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> pending(int limit, String afterDomain) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long deleteIdle(Duration idle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long deleteFailed(Duration olderThan) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
            throw new UnsupportedOperationException();
        }
    }

    private void startOnEngine() {
        runner = LeaseRunner.builder(
                        engine,
                        work -> {
                            during.run();
                            if (failing.containsKey(work.offset())) {
                                throw new IllegalStateException("fails");
                            }
                        },
                        executor,
                        scheduler)
                .backoff((acquiredAtMillis, retryCount) -> LEASE.multipliedBy(2))
                .listener(listener)
                .build();
    }

    private void passThreeRenewals() {
        for (int i = 0; i < 3; i++) {
            assertThat(scheduler.nextDelay()).isEqualTo(PAUSE);
            scheduler.runNext();
        }
    }

    @Test
    void attempt_runsLong_isRenewedUntilItEnds() {
        startOnEngine();
        during = this::passThreeRenewals;

        runner.offer(A, 1);
        executor.runAll();

        assertThat(engineHeard).containsExactly("renew 1", "renew 1", "renew 1");
        assertThat(scheduler.pending()).as("timers after the end").isZero();
    }

    @Test
    void renewal_engineAway_isToldAndTriedAgain() {
        startOnEngine();
        during = () -> {
            lease.fail(1, away);
            passThreeRenewals();
        };

        runner.offer(A, 1);
        executor.runAll();

        assertThat(engineHeard).containsExactly("renew 1", "renew 1");
        assertThat(log).contains("A error engine away");
    }

    @Test
    void renewal_leaseLost_stopsAndTheEndTellsIt() {
        startOnEngine();
        during = () -> {
            lease.succeed(A, domain(A).lease().orElseThrow().token());
            scheduler.runNext();
            assertThat(scheduler.pending()).isZero();
        };

        runner.offer(A, 1);
        executor.runAll();

        assertThat(log).contains("A lost, LeaseNotFoundException, 1");
    }

    @Test
    void retry_longAfterTheLease_isRenewedMeanwhile() {
        startOnEngine();
        failing(1);

        runner.offer(A, 1);
        executor.runAll();
        passThreeRenewals();
        assertThat(engineHeard).containsExactly("failure 1", "renew 1", "renew 1", "renew 1");
        failing.clear();
        runToTheEnd();

        assertThat(domain(A).processedCount()).isEqualTo(1);
        assertThat(scheduler.pending()).isZero();
    }

    @Test
    void failures_areNumberedAndAFailureToldAgainHasItsNumber() {
        startOnEngine();
        failing(1);
        during = () -> lease.fail(1, away);

        runner.offer(A, 1);
        executor.runAll();
        during = () -> {};
        runToTheEnd();

        assertThat(engineHeard.stream().filter(heard -> heard.startsWith("failure")))
                .containsExactly("failure 1", "failure 2", "failure 3");
        assertThat(domain(A).failedCount()).isEqualTo(1);
        assertThat(scheduler.pending()).isZero();
    }

    @Test
    void stop_whileARetryWaits_letsTheLeaseRunOut() {
        startOnEngine();
        failing(1);
        runner.offer(A, 1);
        executor.runAll();

        runner.stop();

        assertThat(scheduler.pending()).isZero();
    }

    @Test
    void schedulerRefuses_attemptRunsAllTheSame() {
        startOnEngine();
        scheduler.refuse(true);

        runner.offer(A, 1);
        executor.runAll();

        assertThat(domain(A).processedCount()).isEqualTo(1);
        assertThat(log).contains("A error shut down");
    }

    @Test
    void heldElsewhere_isAskedForLater() {
        startOnEngine();
        lease.answer(new HeldElsewhere("other", NOW));

        runner.offer(A, 1);
        assertThat(executor.queued()).isZero();
        runToTheEnd();

        assertThat(domain(A).processedCount()).isEqualTo(1);
    }
}
