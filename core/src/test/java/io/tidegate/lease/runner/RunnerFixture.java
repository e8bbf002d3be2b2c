package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeaseRunnerStats;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.WorkLease;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/**
 * A runner that does nothing by itself, and whose callbacks are noted. After each test the runner must have no work
 * left.
 */
abstract class RunnerFixture {
    static final String A = "A";
    static final String B = "B";
    static final int RETRIES = 2;
    static final long NOW = 1_700_000_000_000L;
    static final Backoff BACKOFF = retryCount -> Duration.ofSeconds(retryCount);
    final IllegalStateException away = new IllegalStateException("engine away");

    final ScriptedLease lease = new ScriptedLease(WorkLease.builder(RETRIES)
            .clock(Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC))
            .build());
    final ManualExecutor executor = new ManualExecutor();
    final ManualScheduler scheduler = new ManualScheduler();
    final List<String> log = new ArrayList<>();
    final Map<Long, Throwable> failing = new HashMap<>();
    final LeaseRunnerListener listener = new Log();
    LeaseRunner runner = settings().build();

    private final class Log implements LeaseRunnerListener {
        @Override
        public void onStarted(LeasedWork work) {
            note("started", work);
        }

        @Override
        public void onSucceeded(LeasedWork work) {
            note("succeeded", work);
        }

        @Override
        public void onRetryScheduled(LeasedWork work, Throwable error, Duration delay) {
            note("retry in " + delay.toSeconds() + " s", work);
        }

        @Override
        public void onParked(LeasedWork work, Throwable error) {
            note("parked", work);
        }

        @Override
        public void onLost(LeasedWork work, IllegalStateException refusal) {
            note("lost, " + refusal.getClass().getSimpleName() + ",", work);
        }

        @Override
        public void onError(String domainId, Throwable error) {
            log.add(domainId + " error " + error.getMessage());
        }

        @Override
        public void onLetGo(String domainId, Throwable refusal) {
            log.add(domainId + " let go " + refusal.getMessage());
        }
    }

    void note(String what, LeasedWork work) {
        log.add(work.domainId() + " " + what + " " + work.offset());
    }

    LeaseRunner.Builder settings() {
        return LeaseRunner.builder(lease, this::work, executor, scheduler)
                .backoff(BACKOFF)
                .listener(listener)
                .parking((work, error) -> note("handler has", work));
    }

    private void work(LeasedWork work) throws Exception {
        note("runs", work);
        Throwable error = failing.get(work.offset());
        if (error instanceof Error thrown) {
            throw thrown;
        }
        if (error != null) {
            throw (Exception) error;
        }
    }

    void failing(long... offsets) {
        for (long offset : offsets) {
            failing.put(offset, new Exception("fails"));
        }
    }

    /** Runs everything, including what waits, until nothing is left to run. */
    void runToTheEnd() {
        executor.runAll();
        while (scheduler.pending() > 0) {
            scheduler.runNext();
            executor.runAll();
        }
    }

    /** Returns what was noted since the last call. */
    List<String> news() {
        List<String> news = List.copyOf(log);
        log.clear();
        return news;
    }

    List<String> runs() {
        return log.stream().filter(entry -> entry.contains(" runs ")).toList();
    }

    DomainSnapshot domain(String id) {
        return lease.inspect(id).orElseThrow();
    }

    @AfterEach
    void nothingIsLeft() {
        failing.clear();
        scheduler.refuse(false);
        executor.refuse(0);
        lease.fail(0, away);
        runToTheEnd();
        LeaseRunnerStats stats = runner.stats();
        assertThat(stats.active()).isZero();
        assertThat(stats.running()).isZero();
        assertThat(stats.waiting()).isZero();
        assertThat(runner.stop().toCompletableFuture()).isCompleted();
    }
}
