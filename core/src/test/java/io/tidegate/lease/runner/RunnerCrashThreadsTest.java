package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.WorkLease;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Processes with real threads on one lease, one after the other, each of which dies while it works. */
class RunnerCrashThreadsTest {
    private static final int DOMAINS = 16;
    private static final int OFFSETS = 250;
    private static final int CRASHES = 20;
    private static final int POISON = 83; // one offset in so many never succeeds
    private static final int FAILURE = 11; // one attempt in so many fails

    private final LeaseWatch watch = new LeaseWatch(WorkLease.inMemory(50));
    private final WorkLease store = watch.lease;
    private final RunLog log = new RunLog();
    private final int[] offered = new int[DOMAINS];

    RunnerCrashThreadsTest() {
        for (int domain = 0; domain < DOMAINS; domain++) {
            for (long offset = 0; offset < OFFSETS; offset++) {
                log.arrived(domainName(domain), offset);
            }
        }
    }

    private static String domainName(int domain) {
        return "domain " + domain;
    }

    private static boolean isPoison(long offset) {
        return offset % POISON == POISON - 1;
    }

    @Test
    void processes_dieOneAfterTheOther_allIsDoneInOrderAndPoisonIsParked() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < CRASHES; i++) {
            Life process = new Life(random.nextInt(1, 400));
            process.offerAll();
            assertThat(process.dead.await(10, TimeUnit.MINUTES)).isTrue();
            process.bury();
        }
        Life last = new Life(Integer.MAX_VALUE);
        last.offerAll();

        assertThat(log.awaitDone(600_000)).isTrue();
        last.runner.stop().toCompletableFuture().get(10, TimeUnit.MINUTES);
        last.bury();
        assertThat(log.breaches()).isEmpty();
        watch.check();
        for (int domain = 0; domain < DOMAINS; domain++) {
            assertThat(log.parked(domainName(domain)))
                    .hasSize(OFFSETS / POISON)
                    .allMatch(RunnerCrashThreadsTest::isPoison);
            assertThat(store.inspect(domainName(domain)).orElseThrow().failedCount())
                    .isEqualTo(OFFSETS / POISON);
        }
    }

    private final class Life extends ForwardingLease {
        private final AtomicInteger attemptsLeft;
        private final ThreadPoolExecutor threads =
                new ThreadPoolExecutor(4, 4, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(DOMAINS / 2));
        private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        final CountDownLatch dead = new CountDownLatch(1);
        final LeaseRunner runner = LeaseRunner.builder(this, this::attempt, threads, scheduler)
                .backoff(retryCount -> Duration.ofNanos(1_000L * retryCount))
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onSucceeded(LeasedWork work) {
                        log.succeeded(work);
                    }

                    @Override
                    public void onParked(LeasedWork work, Throwable error) {
                        log.parked(work);
                    }
                })
                .build();

        Life(int attempts) {
            super(store);
            this.attemptsLeft = new AtomicInteger(attempts);
        }

        private void attempt(LeasedWork work) throws Exception {
            log.began(work);
            int left = attemptsLeft.decrementAndGet();
            if (left <= 0) {
                dead.countDown();
                return; // without any report
            }
            log.ended(work);
            if (isPoison(work.offset()) || left % FAILURE == 0) {
                throw new Exception("fails");
            }
        }

        /** Offers the new messages, repeats the latest ones, and resumes what the process before has left behind. */
        void offerAll() {
            try {
                for (int domain = 0; domain < DOMAINS; domain++) {
                    runner.resume(domainName(domain));
                    offered[domain] = Math.max(0, offered[domain] - 1);
                }
                for (int step = 0; step < OFFSETS; step++) {
                    for (int domain = 0; domain < DOMAINS; domain++) {
                        if (offered[domain] < OFFSETS) {
                            runner.offer(domainName(domain), offered[domain]);
                            offered[domain]++;
                        }
                    }
                }
            } catch (Away crashed) {
                // the next process goes on from here
            }
        }

        void bury() throws InterruptedException {
            threads.shutdownNow();
            scheduler.shutdownNow();
            assertThat(threads.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
            assertThat(scheduler.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
            log.crashed();
        }

        @Override
        void reach() {
            if (dead.getCount() == 0) {
                throw new Away();
            }
        }
    }

    private static final class Away extends IllegalStateException {
        private static final long serialVersionUID = 1L;
    }
}
