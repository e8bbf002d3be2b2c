package io.tidegate.bench.remote;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limiter.BlockingLimiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Takes a permit, waits in line for it if none is free, and gives it back. The number of permits decides whether a
 * thread must wait.
 */
@State(Scope.Benchmark)
public abstract class PermitBenchmark {
    static final long PATIENCE_MS = 10_000;
    static final int DEPTH = 64;
    static final CompletableFuture<Boolean> DONE = CompletableFuture.completedFuture(true);

    @Param("64")
    public int permits = 64;

    /** Is called once the number of permits is known. */
    abstract void prepare();

    /** Returns whether there was a permit. */
    abstract boolean takeAndGiveBack() throws InterruptedException;

    @Setup
    public void setUp() {
        prepare();
    }

    @Benchmark
    public boolean permit() throws InterruptedException {
        return takeAndGiveBack();
    }

    public static class FairSemaphore extends PermitBenchmark {
        private Semaphore semaphore = new Semaphore(0);

        @Override
        void prepare() {
            semaphore = new Semaphore(permits, true);
        }

        @Override
        boolean takeAndGiveBack() throws InterruptedException {
            boolean taken = semaphore.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
            if (taken) {
                semaphore.release();
            }
            return taken;
        }
    }

    /** A program with a semaphore that adds most of what the client offers, without the log and the queue. */
    public static class SemaphoreClockAndFuture extends PermitBenchmark {
        private Semaphore semaphore = new Semaphore(0);
        private final LongAdder millis = new LongAdder();

        @Override
        void prepare() {
            semaphore = new Semaphore(permits, true);
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // `returned` reports the end
        boolean takeAndGiveBack() throws InterruptedException {
            if (!semaphore.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                return false;
            }
            long start = System.nanoTime();
            CompletableFuture<Boolean> returned = new CompletableFuture<>();
            DONE.handle((value, error) -> {
                millis.add((System.nanoTime() - start) / 1_000_000);
                semaphore.release();
                return returned.complete(value);
            });
            return returned.join();
        }
    }

    public static class Resilience4j extends PermitBenchmark {
        private Bulkhead bulkhead = Bulkhead.ofDefaults("none");

        @Override
        void prepare() {
            bulkhead = Bulkhead.of(
                    "bench",
                    BulkheadConfig.custom()
                            .maxConcurrentCalls(permits)
                            .maxWaitDuration(Duration.ofMillis(PATIENCE_MS))
                            .build());
        }

        @Override
        boolean takeAndGiveBack() {
            boolean taken = bulkhead.tryAcquirePermission();
            if (taken) {
                bulkhead.onComplete();
            }
            return taken;
        }
    }

    public static class Failsafe extends PermitBenchmark {
        private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MS);
        private dev.failsafe.Bulkhead<String> bulkhead = dev.failsafe.Bulkhead.of(1);

        @Override
        void prepare() {
            bulkhead = dev.failsafe.Bulkhead.of(permits);
        }

        @Override
        boolean takeAndGiveBack() throws InterruptedException {
            boolean taken = bulkhead.tryAcquirePermit(PATIENCE);
            if (taken) {
                bulkhead.releasePermit();
            }
            return taken;
        }
    }

    public static class ConcurrencyLimits extends PermitBenchmark {
        private Limiter<Void> limiter = SimpleLimiter.newBuilder().build();

        @Override
        void prepare() {
            limiter = BlockingLimiter.wrap(
                    SimpleLimiter.newBuilder().limit(FixedLimit.of(permits)).build(), Duration.ofMillis(PATIENCE_MS));
        }

        @Override
        boolean takeAndGiveBack() {
            Optional<Limiter.Listener> taken = limiter.acquire(null);
            taken.ifPresent(Limiter.Listener::onSuccess);
            return taken.isPresent();
        }
    }

    /** The machine: it has no waiting threads and no clock of its own. */
    public static class TidegateMachine extends PermitBenchmark {
        private RemoteBulkhead bulkhead = RemoteBulkhead.builder(1).build();

        @Override
        void prepare() {
            bulkhead = RemoteBulkhead.builder(permits)
                    .policy(BackpressurePolicy.queue(DEPTH, PATIENCE_MS))
                    .build();
        }

        @Override
        boolean takeAndGiveBack() {
            BulkheadPermit permit = bulkhead.acquire(true, "request", 1).orElseThrow();
            bulkhead.release(permit, 2);
            return true;
        }
    }

    /** The client with an operation that is done at once: permit, latency, log and clock. */
    public static class TidegateClient extends PermitBenchmark {
        private RemoteBulkheadClient client =
                RemoteBulkheadClient.of(RemoteBulkhead.builder(1).build());
        private RemoteCapability capability = client.takeCapability();

        @Override
        void prepare() {
            client = RemoteBulkheadClient.of(RemoteBulkhead.builder(permits)
                    .policy(BackpressurePolicy.queue(DEPTH, PATIENCE_MS))
                    .build());
            capability = client.takeCapability();
        }

        /** Threads have different ids, so that waiting requests can be distinguished. */
        @Override
        boolean takeAndGiveBack() {
            return client.submit(capability, Thread.currentThread().getName(), () -> DONE)
                    .toCompletableFuture()
                    .join();
        }
    }
}
