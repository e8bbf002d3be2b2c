package io.tidegate.lab.orders;

import io.tidegate.Backoff;
import io.tidegate.lab.load.Time;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.WorkLease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A worker in this process, with its own threads, scheduler and runner, on leases that outlive it. When it dies, all of
 * these stop at once.
 */
final class OrderWorker implements AutoCloseable {
    private final OrderPlan plan;
    private final long diesAt;
    private final CountDownLatch dead = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("lab-worker").factory());
    private final LeaseRunner runner;

    /** Starts a worker that dies in its first order after {@code diesAt}, on the monotonic clock, or never. */
    OrderWorker(OrderPlan plan, WorkLease store, LeaseRunnerListener log, long diesAt) {
        this.plan = plan;
        this.diesAt = diesAt;
        this.runner = LeaseRunner.builder(new Connection(store), this::work, threads, scheduler)
                .backoff(Backoff.exponential(plan.firstDelay(), Duration.ofSeconds(5)))
                .name("worker")
                .listener(log)
                .build();
        plan.customers().forEach(this::resume);
    }

    /* The worker may die in the first order that it resumes; the next worker resumes the rest. */
    private void resume(String customer) {
        try {
            runner.resume(customer);
        } catch (CutOff dead) {
            // A dead worker reports nothing.
        }
    }

    private void work(LeasedWork order) throws InterruptedException {
        Time.SYSTEM.sleep(plan.work().toNanos() / 2);
        if (System.nanoTime() - diesAt >= 0) {
            dead.countDown();
        }
        Time.SYSTEM.sleep(plan.work().toNanos() / 2);
        if (plan.fails(order.domainId(), order.offset(), order.retryCount())) {
            throw new IllegalStateException("the warehouse does not answer");
        }
    }

    /** Whether the worker took the message. A dead worker takes none. */
    boolean offer(String customer, long order) {
        try {
            runner.offer(customer, order);
            return true;
        } catch (CutOff noAnswer) {
            return false;
        }
    }

    /** Kills the worker now. */
    void kill() {
        dead.countDown();
    }

    /** Returns the worker's runner. */
    LeaseRunner runner() {
        return runner;
    }

    /** Waits for its death; returns whether it has died. */
    boolean awaitDeath(Duration limit) throws InterruptedException {
        return dead.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Stops the worker's threads. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        threads.shutdownNow();
        threads.close();
        scheduler.close();
    }

    /** The lease does not answer, because the worker is dead. */
    private static final class CutOff extends IllegalStateException {
        private static final long serialVersionUID = 1L;
    }

    /** The worker's connection to the leases, which works as long as the worker lives. */
    private final class Connection implements WorkLease {
        private final WorkLease store;

        Connection(WorkLease store) {
            this.store = store;
        }

        private WorkLease store() {
            if (dead.getCount() == 0) {
                throw new CutOff();
            }
            return store;
        }

        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            return store().tryAcquire(domainId, offset);
        }

        @Override
        public SucceedResult succeed(String domainId, String token) {
            return store().succeed(domainId, token);
        }

        @Override
        public FailResult fail(String domainId, String token) {
            return store().fail(domainId, token);
        }

        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            return store().inspect(domainId);
        }

        @Override
        public void forget(String domainId, long upToOffset) {
            store().forget(domainId, upToOffset);
        }

        @Override
        public boolean replay(String domainId, long offset) {
            return store().replay(domainId, offset);
        }
    }
}
