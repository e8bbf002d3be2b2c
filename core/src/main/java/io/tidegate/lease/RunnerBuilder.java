package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.Backoff;
import io.tidegate.gate.Names;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

final class RunnerBuilder implements LeaseRunner.Builder {
    static final Backoff DEFAULT_BACKOFF = Backoff.exponential(
            Duration.ofMillis(LeaseRunner.DEFAULT_FIRST_DELAY_MILLIS),
            Duration.ofSeconds(LeaseRunner.DEFAULT_MAX_DELAY_SECONDS));

    final WorkLease lease;
    final StageTask task;
    final Executor executor;
    final ScheduledExecutorService scheduler;
    String name = LeaseRunner.DEFAULT_NAME;
    Backoff backoff = DEFAULT_BACKOFF;
    ParkingHandler parking = (work, error) -> {};
    LeaseRunnerListener listener = new LeaseRunnerListener() {};
    Duration sweepEvery = Duration.ofSeconds(LeaseRunner.DEFAULT_SWEEP_SECONDS);
    boolean interruptsLost;

    @Nullable
    Duration failedAge;

    @Nullable
    Duration idleAge;

    RunnerClock clock = RunnerClock.SYSTEM;

    private static final CompletionStage<?> DONE = CompletableFuture.completedFuture(null);

    RunnerBuilder(WorkLease lease, StageTask task, Executor executor, ScheduledExecutorService scheduler) {
        this.lease = requireNonNull(lease, "lease");
        this.task = requireNonNull(task, "task");
        this.executor = requireNonNull(executor, "executor");
        this.scheduler = requireNonNull(scheduler, "scheduler");
    }

    @Override
    public LeaseRunner.Builder name(String name) {
        this.name = Names.require(name);
        return this;
    }

    @Override
    public LeaseRunner.Builder backoff(Backoff backoff) {
        this.backoff = requireNonNull(backoff, "backoff");
        return this;
    }

    @Override
    public LeaseRunner.Builder parking(ParkingHandler handler) {
        this.parking = requireNonNull(handler, "handler");
        return this;
    }

    @Override
    public LeaseRunner.Builder listener(LeaseRunnerListener listener) {
        this.listener = requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public LeaseRunner.Builder sweepEvery(Duration pause) {
        this.sweepEvery = requirePositive("pause", pause);
        return this;
    }

    @Override
    public LeaseRunner.Builder deleteFailedAfter(Duration age) {
        this.failedAge = requirePositive("age", age);
        return this;
    }

    @Override
    public LeaseRunner.Builder deleteIdleAfter(Duration age) {
        this.idleAge = requirePositive("age", age);
        return this;
    }

    private static Duration requirePositive(String name, Duration duration) {
        if (requireNonNull(duration, name).compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException(name + ": " + duration + " (expected: positive)");
        }
        return duration;
    }

    @Override
    public LeaseRunner.Builder interruptLost() {
        this.interruptsLost = true;
        return this;
    }

    /** For tests, which decide how time passes. */
    RunnerBuilder clock(RunnerClock clock) {
        this.clock = clock;
        return this;
    }

    @Override
    public LeaseRunner build() {
        TurnRunner runner = new TurnRunner(this).start();
        warnOfSmallPool(runner);
        return runner;
    }

    /* Warns only, because it is unknown whether the tasks take their connections from that pool. */
    private void warnOfSmallPool(TurnRunner runner) {
        if (lease instanceof SharedWorkLease shared && executor instanceof ThreadPoolExecutor threads) {
            int tasks = threads.getMaximumPoolSize();
            shared.connections().ifPresent(connections -> {
                if (connections <= tasks) {
                    runner.tellError(
                            "",
                            new IllegalStateException("connections: " + connections
                                    + " (expected: more than the executor's "
                                    + tasks + " threads, if tasks take connections of the same pool: or none is left to"
                                    + " prolong leases with)"));
                }
            });
        }
    }

    /** Makes a task that has ended when it returns. */
    static StageTask stage(LeaseTask task) {
        requireNonNull(task, "task");
        return work -> {
            task.run(work);
            return DONE;
        };
    }
}
