package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeaseTask;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.WorkLease;
import io.tidegate.race.Race;
import io.tidegate.reading.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Offers that race for the same offsets. */
@Tag("hot")
class RunnerRaceTest {
    private static final int ROUNDS = 100_000;
    private static final int DOMAINS = 8;
    private static final int OFFSETS = 5_000;
    private static final int THREADS = 4;

    private final ManualScheduler nobodyWaits = new ManualScheduler();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void threadsEnd() throws InterruptedException {
        threads.shutdown();
        assertThat(threads.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
    }

    private interface Runners {
        LeaseRunner over(WorkLease lease, LeaseTask task);
    }

    private LeaseRunner direct(WorkLease lease, LeaseTask task) {
        return LeaseRunner.builder(lease, task, Runnable::run, nobodyWaits).build();
    }

    private static LeaseRunner naive(WorkLease lease, LeaseTask task) {
        return new NaiveRunner(lease, task, Runnable::run, new LeaseRunnerListener() {});
    }

    /** Two threads offer the same offset of a fresh domain. */
    private static final class SameOffset implements Race.Round {
        private final AtomicInteger runs = new AtomicInteger();
        private final LeaseRunner runner;

        SameOffset(Runners runners) {
            this.runner = runners.over(WorkLease.inMemory(0), work -> runs.incrementAndGet());
        }

        @Override
        public void first() {
            offer();
        }

        @Override
        public void second() {
            offer();
        }

        private void offer() {
            try {
                runner.offer("A", 1);
            } catch (LeaseNotFoundException ranTwice) {
                assertThat(runs).hasValueGreaterThan(1);
            }
        }

        @Override
        public String verdict() {
            return runs.get() == 1 ? null : "ran " + runs.get() + " times";
        }
    }

    @Test
    void offer_sameOffsetFromTwoThreads_runsOnce() {
        assertThat(Race.run(ROUNDS, Race.LIMIT, () -> new SameOffset(this::direct)))
                .isNull();
    }

    @Test
    @Tag("broken")
    void offer_sameOffsetFromTwoThreads_theNaiveRunnerIsCaught() {
        assertThat(Race.run(Long.MAX_VALUE, Race.UNTIL_CAUGHT, () -> new SameOffset(RunnerRaceTest::naive)))
                .contains("ran 2 times");
    }

    /**
     * Another thread offers the same offset after the lease has answered an offer, and before the runner has noted the
     * answer.
     */
    private int runsWhenOfferedInBetween(Runners runners) {
        AtomicInteger runs = new AtomicInteger();
        LeaseRunner[] runner = new LeaseRunner[1];
        WorkLease lease = new ForwardingLease(WorkLease.inMemory(0)) {
            @Override
            public AcquireResult tryAcquire(String domainId, long offset) {
                AcquireResult answer = super.tryAcquire(domainId, offset);
                if (answer instanceof Acquired) {
                    Thread other = new Thread(() -> runner[0].offer(domainId, offset));
                    other.start();
                    awaitEndOrWait(other);
                }
                return answer;
            }

            @Override
            public SucceedResult succeed(String domainId, String token) {
                return inspect(domainId).orElseThrow().lease().isPresent()
                        ? super.succeed(domainId, token)
                        : new SucceedResult.NoBacklog();
            }
        };
        runner[0] = runners.over(lease, work -> runs.incrementAndGet());

        runner[0].offer("A", 1);

        return runs.get();
    }

    private static void awaitEndOrWait(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void offer_betweenAnswerAndRun_runsOnce() {
        assertThat(runsWhenOfferedInBetween(this::direct)).isEqualTo(1);
        assertThat(runsWhenOfferedInBetween(RunnerRaceTest::naive)).isEqualTo(2);
    }

    @Test
    void offer_manyThreadsTheSameOffsets_eachRunsOnceAndInOrder() throws Exception {
        RunLog log = new RunLog();
        for (int domain = 0; domain < DOMAINS; domain++) {
            for (long offset = 0; offset < OFFSETS; offset++) {
                log.arrived("domain " + domain, offset);
            }
        }
        LeaseRunner runner = LeaseRunner.builder(
                        WorkLease.inMemory(0),
                        work -> {
                            log.began(work);
                            Thread.onSpinWait();
                            log.ended(work);
                        },
                        threads,
                        nobodyWaits)
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onSucceeded(LeasedWork work) {
                        log.succeeded(work);
                    }
                })
                .build();

        List<Thread> offering = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            offering.add(new Thread(() -> offerAll(runner)));
        }
        offering.forEach(Thread::start);
        for (Thread thread : offering) {
            thread.join();
        }

        assertThat(log.awaitDone(600_000)).isTrue();
        assertThat(log.breaches()).isEmpty();
        runner.stop().toCompletableFuture().get(10, TimeUnit.MINUTES);
        assertThat(Figures.of(runner.stats())).isEqualTo("succeeded=" + (long) DOMAINS * OFFSETS);
    }

    /* The first thread that offers an offset has offered the offset before it already, so offsets arrive in order. */
    private static void offerAll(LeaseRunner runner) {
        for (long offset = 0; offset < OFFSETS; offset++) {
            for (int domain = 0; domain < DOMAINS; domain++) {
                runner.offer("domain " + domain, offset);
            }
        }
    }
}
