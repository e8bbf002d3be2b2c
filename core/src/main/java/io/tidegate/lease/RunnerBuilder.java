package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

final class RunnerBuilder implements LeaseRunner.Builder {
    static final Backoff DEFAULT_BACKOFF = Backoff.exponential(
            Duration.ofMillis(LeaseRunner.DEFAULT_FIRST_DELAY_MILLIS),
            Duration.ofSeconds(LeaseRunner.DEFAULT_MAX_DELAY_SECONDS));

    final WorkLease lease;
    final LeaseTask task;
    final Executor executor;
    final ScheduledExecutorService scheduler;
    Backoff backoff = DEFAULT_BACKOFF;
    ParkingHandler parking = (work, error) -> {};
    LeaseRunnerListener listener = new LeaseRunnerListener() {};

    RunnerBuilder(WorkLease lease, LeaseTask task, Executor executor, ScheduledExecutorService scheduler) {
        this.lease = requireNonNull(lease, "lease");
        this.task = requireNonNull(task, "task");
        this.executor = requireNonNull(executor, "executor");
        this.scheduler = requireNonNull(scheduler, "scheduler");
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
    public LeaseRunner build() {
        return new FollowingRunner(this);
    }
}
