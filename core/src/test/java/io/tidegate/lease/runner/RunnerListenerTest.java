package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.WorkLease;
import io.tidegate.reading.Figures;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RunnerListenerTest extends RunnerFixture {
    @Test
    void listener_throwsFromEveryCallback_changesNothing() {
        runner = settings()
                .listener((LeaseRunnerListener) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {LeaseRunnerListener.class},
                        (proxy, method, args) -> {
                            throw new StackOverflowError();
                        }))
                .build();
        failing(1);
        executor.refuse(1);

        runner.offer(A, 1);
        runner.offer(A, 2);
        runToTheEnd();

        assertThat(Figures.of(runner.stats())).isEqualTo("succeeded=1 failed=" + (RETRIES + 1) + " parked=1");
    }

    @Test
    void listener_offersFromACallback_itRunsNext() {
        runner = settings()
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onSucceeded(LeasedWork work) {
                        if (work.offset() < 3) {
                            runner.offer(A, work.offset() + 1);
                            assertThat(executor.queued()).isZero();
                        }
                    }
                })
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 1", "A runs 2", "A runs 3");
    }

    @Test
    @Timeout(600)
    void userCode_runsWithNothingHeld() {
        AtomicInteger last = new AtomicInteger(1);
        Runnable offersElsewhere = () -> onAnotherThread(() -> runner.offer(A, last.incrementAndGet()));
        runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            offersElsewhere.run();
                            throw new Exception();
                        },
                        executor,
                        scheduler)
                .backoff(retryCount -> {
                    offersElsewhere.run();
                    return Duration.ZERO;
                })
                .parking((work, error) -> offersElsewhere.run())
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onStarted(LeasedWork work) {
                        offersElsewhere.run();
                    }
                })
                .build();

        runner.offer(A, 1);
        while (runner.stats().parked() == 0) {
            executor.runNext();
        }
        runner.stop();

        assertThat(last).hasValue(1 + 2 * (RETRIES + 1) + RETRIES + 1);
    }

    private static void onAnotherThread(Runnable call) {
        Thread thread = new Thread(call);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void lease_callsBackWhileItIsAsked_theDomainKeepsOneTurn() {
        ScriptedLease callsBack = new ScriptedLease(WorkLease.builder(0)
                .tokens((domainId, offset, fence) -> {
                    if (offset == 1) {
                        runner.offer(domainId, 0);
                    }
                    return "token " + fence;
                })
                .build());
        runner = LeaseRunner.builder(callsBack, work -> note("runs", work), executor, scheduler)
                .build();
        runner.offer(A, 0);
        executor.runAll();

        runner.offer(A, 1);
        runner.offer(A, 1);
        assertThat(executor.queued()).isEqualTo(1);
        executor.runAll();

        assertThat(runs()).containsExactly("A runs 0", "A runs 1");
    }

    @Test
    void stats_duringAnAttempt_countIt() {
        runner = LeaseRunner.builder(
                        lease,
                        work -> assertThat(Figures.of(runner.stats())).isEqualTo("active=1 running=1"),
                        executor,
                        scheduler)
                .build();

        runner.offer(A, 1);
        executor.runAll();

        assertThat(runner.stats().succeeded()).isEqualTo(1);
    }
}
