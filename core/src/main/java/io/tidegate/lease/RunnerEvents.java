package io.tidegate.lease;

import io.tidegate.Reading;
import io.tidegate.measure.Times;
import io.tidegate.stage.Stages;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts what happens to a runner's work and notifies its listener. Exceptions of user code end here. */
final class RunnerEvents {
    /** How long attempts take. */
    final Times runs;

    private final LeaseRunnerListener listener;
    private final ParkingHandler parking;
    private final boolean countsSwept;
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder swept = new LongAdder();

    RunnerEvents(RunnerBuilder settings, boolean countsSwept) {
        this.listener = settings.listener;
        this.parking = settings.parking;
        this.countsSwept = countsSwept;
        this.runs = new Times(settings.clock::nanoTime);
    }

    void started(LeasedWork work) {
        tell(listener -> listener.onStarted(work));
    }

    /** Counts an attempt whose success the lease has recorded. Called before the success is visible elsewhere. */
    void countSucceeded() {
        succeeded.increment();
    }

    void succeeded(LeasedWork work) {
        tell(listener -> listener.onSucceeded(work));
    }

    void countFailed() {
        failed.increment();
    }

    void retryScheduled(LeasedWork work, Throwable error, Duration delay) {
        retries.increment();
        tell(listener -> listener.onRetryScheduled(work, error, delay));
    }

    void parked(LeasedWork work, Throwable error) {
        parked.increment();
        try {
            parking.park(work, error);
        } catch (Throwable thrown) {
            Stages.keepInterrupt(thrown);
            error(work.domainId(), thrown);
        }
        tell(listener -> listener.onParked(work, error));
    }

    void lost(LeasedWork work, IllegalStateException refusal) {
        lost.increment();
        tell(listener -> listener.onLost(work, refusal));
    }

    void letGo(String domainId, Throwable reason) {
        tell(listener -> listener.onLetGo(domainId, reason));
    }

    void error(String domainId, Throwable error) {
        tell(listener -> listener.onError(domainId, error));
    }

    void countSwept() {
        swept.increment();
    }

    private void tell(Consumer<LeaseRunnerListener> news) {
        try {
            news.accept(listener);
        } catch (Throwable dropped) {
            Stages.keepInterrupt(dropped);
        }
    }

    LeaseRunnerStats stats(int domains, int running, int waiting) {
        return new LeaseRunnerStats(domains, running, waiting, succeeded.sum(), failed.sum(), parked.sum(), lost.sum());
    }

    /** Reports the measures that are not in the stats. */
    void read(Reading to) {
        to.count("retries", retries.sum());
        runs.read(to, "run");
        if (countsSwept) {
            to.count("swept", swept.sum());
        }
    }
}
