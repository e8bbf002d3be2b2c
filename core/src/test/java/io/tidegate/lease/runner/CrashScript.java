package io.tidegate.lease.runner;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeaseTask;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.WorkLease;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One random life of a lease and of the processes that use it, on one thread. Messages are repeated, attempts fail,
 * poison never succeeds, executors and schedulers refuse, the lease is out of reach, runners stop, and processes die:
 * with work waiting, or in the middle of an attempt.
 */
final class CrashScript {
    private static final int STEPS = 120;
    private static final String[] DOMAINS = {"A", "B", "C"};

    private final Random random;
    private final LeaseWatch watch;
    private final WorkLease store;
    private final RunLog log = new RunLog();
    private final Runners runners;
    private final Set<String> poison = new HashSet<>();
    private final Set<String> toResume = new HashSet<>();
    private final long[] arrived = new long[DOMAINS.length];
    private final long[] offered = new long[DOMAINS.length];
    private boolean calm;
    private Life life;

    /** Makes the runner that is tested. */
    interface Runners {
        LeaseRunner of(
                WorkLease lease,
                LeaseTask task,
                ManualExecutor executor,
                ManualScheduler scheduler,
                LeaseRunnerListener listener);
    }

    CrashScript(long seed, Runners runners) {
        this.random = new Random(seed);
        this.runners = runners;
        this.watch = new LeaseWatch(
                WorkLease.builder(random.nextInt(4)).clock(Clock.systemUTC()).build());
        this.store = watch.lease;
        this.life = new Life();
    }

    /** Returns what went wrong, or null. */
    List<String> play() {
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        calm();
        watch.check();
        List<String> wrong = new ArrayList<>(log.breaches());
        if (log.undone() > 0) {
            wrong.add(log.undone() + " never ended");
        }
        for (int i = 0; i < DOMAINS.length; i++) {
            checkEnds(i, wrong);
        }
        return wrong;
    }

    private void checkEnds(int domain, List<String> wrong) {
        String id = DOMAINS[domain];
        for (long offset = 0; offset < arrived[domain]; offset++) {
            boolean failed = store.tryAcquire(id, offset) instanceof AcquireResult.AlreadyFailed;
            if (failed != log.parked(id).contains(offset)) {
                wrong.add(
                        id + " " + offset + (failed ? " failed and was not parked" : " was parked and has not failed"));
            }
            if (poison.contains(id + offset) && !failed) {
                wrong.add(id + " " + offset + " is poison and succeeded");
            }
        }
    }

    private void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> ifRuns(() -> offer(random.nextInt(DOMAINS.length)));
            case 4, 5, 6, 7, 8 -> life.runExecutor();
            case 9, 10 -> life.runScheduler();
            case 11 -> life.executor.refuse(1 + random.nextInt(3));
            case 12 -> life.scheduler.refuse(random.nextInt(3) == 0);
            case 13 -> redeliver(random.nextInt(DOMAINS.length));
            case 14 -> ifRuns(() -> replay(DOMAINS[random.nextInt(DOMAINS.length)]));
            default -> end();
        }
        if (!life.alive || life.hasStopped()) {
            restart();
        }
        ifRuns(this::resume);
    }

    private void ifRuns(Runnable step) {
        if (!life.stops) {
            step.run();
        }
    }

    private void offer(int domain) {
        try {
            life.runner.offer(DOMAINS[domain], offered[domain]);
        } catch (Away notTaken) {
            return;
        }
        if (offered[domain] == arrived[domain]) {
            log.arrived(DOMAINS[domain], offered[domain]);
            if (random.nextInt(8) == 0) {
                poison.add(DOMAINS[domain] + offered[domain]);
            }
            arrived[domain]++;
        }
        offered[domain]++;
    }

    private void redeliver(int domain) {
        offered[domain] = Math.max(0, offered[domain] - 1 - random.nextInt(3));
    }

    private void replay(String domain) {
        for (long offset : log.parked(domain)) {
            try {
                if (life.runner.replay(domain, offset)) {
                    poison.remove(domain + offset);
                    log.replayed(domain, offset);
                }
            } catch (Away notReplayed) {
                return;
            }
        }
    }

    private void end() {
        switch (random.nextInt(6)) {
            case 0 -> life.alive = false;
            case 1 -> life.diesInNextAttempt = true;
            case 2 -> life.stops = true;
            default -> life.awayCalls = 1 + random.nextInt(3);
        }
    }

    private void restart() {
        log.crashed();
        life = new Life();
        toResume.addAll(List.of(DOMAINS));
    }

    private void resume() {
        for (String domain : Set.copyOf(toResume)) {
            try {
                life.runner.resume(domain);
                toResume.remove(domain);
            } catch (Away later) {
                return;
            }
        }
    }

    /* From here on only the work itself fails. Domains that a runner has dropped are resumed, as a restart would do. */
    private void calm() {
        calm = true;
        restart();
        resume();
        for (int domain = 0; domain < DOMAINS.length; domain++) {
            while (offered[domain] < arrived[domain]) {
                offer(domain);
            }
        }
        for (int left = 10_000; left > 0 && life.moves(); left--) {
            life.runExecutor();
            life.runScheduler();
        }
    }

    private static final class Away extends IllegalStateException {
        private static final long serialVersionUID = 1L;
    }

    /** A runner and what it runs on, which all die together. */
    private final class Life {
        final ManualExecutor executor = new ManualExecutor();
        final ManualScheduler scheduler = new ManualScheduler();
        final LeaseRunner runner =
                runners.of(new Connection(), this::attempt, executor, scheduler, new LeaseRunnerListener() {
                    @Override
                    public void onSucceeded(LeasedWork work) {
                        log.succeeded(work);
                    }

                    @Override
                    public void onParked(LeasedWork work, Throwable error) {
                        log.parked(work);
                    }
                });
        boolean alive = true;
        boolean diesInNextAttempt;
        boolean stops;
        int awayCalls;

        private void attempt(LeasedWork work) throws Exception {
            log.began(work);
            if (diesInNextAttempt) {
                alive = false;
                return;
            }
            log.ended(work);
            if (poison.contains(work.domainId() + work.offset()) || random.nextInt(5) == 0) {
                throw new Exception("fails");
            }
        }

        boolean hasStopped() {
            return stops && runner.stop().toCompletableFuture().isDone();
        }

        boolean moves() {
            return executor.queued() + scheduler.pending() > 0;
        }

        void runExecutor() {
            if (executor.queued() > 0) {
                executor.runNext();
            }
        }

        void runScheduler() {
            if (scheduler.pending() > 0) {
                scheduler.runNext();
            }
        }

        /** A process's connection to the store. */
        private final class Connection extends ForwardingLease {
            Connection() {
                super(store);
            }

            @Override
            void reach() {
                if (!alive) {
                    throw new Away();
                }
                if (!calm && awayCalls > 0) {
                    awayCalls--;
                    throw new Away();
                }
            }
        }
    }

    static LeaseRunner following(
            WorkLease lease,
            LeaseTask task,
            ManualExecutor executor,
            ManualScheduler scheduler,
            LeaseRunnerListener listener) {
        return LeaseRunner.builder(lease, task, executor, scheduler)
                .backoff(retryCount -> Duration.ofMillis(retryCount))
                .listener(listener)
                .build();
    }
}
