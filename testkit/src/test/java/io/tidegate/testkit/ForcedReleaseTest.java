package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeaseTask;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.SharedWorkLease;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A runner whose lease an operator takes away. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ForcedReleaseTest {
    private static final String A = "A";

    private final InMemorySharedLease.Store store = new InMemorySharedLease.Store(Clock.systemUTC());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    private SharedWorkLease lease(String owner) {
        return store.lease("orders", 0, owner, Duration.ofSeconds(2));
    }

    private LeaseRunner runner(String owner, LeaseTask task, LeaseRunnerListener listener) {
        return LeaseRunner.builder(lease(owner), task, threads, scheduler)
                .sweepEvery(Duration.ofMillis(50))
                .listener(listener)
                .build();
    }

    @Test
    @DisplayName("WL-35 WR-1 WR-4 stuck work learns that its lease is lost, and another process does it, uncounted")
    void forceRelease_stuckRunner_losesItsLease() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch mended = new CountDownLatch(1);
        CompletableFuture<LeasedWork> lost = new CompletableFuture<>();
        CompletableFuture<LeasedWork> done = new CompletableFuture<>();
        LeaseRunner hanging = runner(
                "hanging",
                work -> {
                    stuck.countDown();
                    mended.await();
                },
                new LeaseRunnerListener() {
                    @Override
                    public void onLost(LeasedWork work, IllegalStateException refusal) {
                        lost.complete(work);
                    }
                });
        hanging.offer(A, 1);
        stuck.await();
        SharedWorkLease operator = lease("operator");
        DomainSummary.Lease held = operator.summary(A).orElseThrow().lease().orElseThrow();
        LeaseRunner other = runner("other", done::complete, new LeaseRunnerListener() {});
        hanging.stop(); // or it would take up again the work that it has lost

        assertThat(operator.forceRelease(A, held.fence())).isTrue();

        assertThat(lost.get().isLost()).isTrue();
        assertThat(done.get().retryCount()).isZero();
        assertThat(done.get().fence()).isGreaterThan(held.fence());
        mended.countDown();
        hanging.stop().toCompletableFuture().get();
        other.stop().toCompletableFuture().get();
        DomainSummary after = operator.summary(A).orElseThrow();
        assertThat(after.processedCount()).isOne();
        assertThat(after.lease()).isEmpty();
        threads.shutdown();
        scheduler.shutdown();
    }
}
