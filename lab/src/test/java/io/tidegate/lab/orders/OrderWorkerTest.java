package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.WorkLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OrderWorkerTest extends SceneTest {
    private static final OrderPlan PLAN = new OrderPlan(
            List.of("Ada", "Bob", "Cleo"),
            1,
            Duration.ZERO,
            Duration.ZERO,
            9,
            0,
            Duration.ofMillis(10),
            List.of(),
            Duration.ZERO,
            Duration.ZERO);

    private final WorkLease leases = WorkLease.inMemory(0);
    private final CountDownLatch cutOff = new CountDownLatch(1);

    /** Answers for Bob only when the worker is dead. The worker has begun with an order of Ada. */
    private final class SlowForBob implements WorkLease {
        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            if (domainId.equals("Bob")) {
                await(cutOff);
            }
            return leases.inspect(domainId);
        }

        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            return leases.tryAcquire(domainId, offset);
        }

        @Override
        public SucceedResult succeed(String domainId, String token) {
            return leases.succeed(domainId, token);
        }

        @Override
        public FailResult fail(String domainId, String token) {
            return leases.fail(domainId, token);
        }

        @Override
        public void forget(String domainId, long upToOffset) {
            leases.forget(domainId, upToOffset);
        }

        @Override
        public boolean replay(String domainId, long offset) {
            return leases.replay(domainId, offset);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void start_diesInTheFirstOrderThatItResumes_isThereAndDead() throws Exception {
        PLAN.customers().forEach(customer -> leases.tryAcquire(customer, 1));
        LeaseRunnerListener log = new LeaseRunnerListener() {
            @Override
            public void onError(String domainId, Throwable error) {
                cutOff.countDown();
            }
        };

        try (OrderWorker worker = new OrderWorker(PLAN, new SlowForBob(), log, System.nanoTime())) {
            assertThat(worker.awaitDeath(Duration.ofMinutes(1))).isTrue();
            assertThat(worker.offer("Cleo", 2)).isFalse();
        }
    }
}
