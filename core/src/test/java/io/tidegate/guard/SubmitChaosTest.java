package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Random guards under four threads: one submits and cancels, one ends operations, one moves the clock, so that limits,
 * pauses and hedges come at any moment, and one runs, late, what remote bulkheads have admitted. At rest nothing must
 * be held.
 */
class SubmitChaosTest {
    private static final int SEEDS = Integer.getInteger("tidegate.seeds", 20);
    private static final long FIRST = Long.getLong("tidegate.seed", 0);
    private static final int SUBMISSIONS = 100;

    @Test
    @DisplayName("GD-1 GD-6 GD-10 GD-14 HG-2 RL-4 TL-1 RT-2 whatever meets whatever, each layer is left once")
    void threads_random_leaveNothingHeld() throws Exception {
        int seeds = System.getProperty("tidegate.seed") == null ? SEEDS : 1;
        for (long seed = FIRST; seed < FIRST + seeds; seed++) {
            new World(seed).run();
        }
    }

    private static final class World {
        private final long seed;
        private final Random random;
        private final ManualTime time = new ManualTime();
        private final List<CircuitBreaker> breakers = new ArrayList<>();
        private final List<AsyncBulkhead> bulkheads = new ArrayList<>();
        private final List<RateLimiter> limiters = new ArrayList<>();
        private final List<RemoteBulkhead> remotes = new ArrayList<>();
        private final ConcurrentLinkedQueue<CompletableFuture<Object>> operations = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<Runnable> starts = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<CompletableFuture<Object>> returned = new ConcurrentLinkedQueue<>();
        private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
        private final Guard guard;
        private volatile boolean submitting = true;

        World(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            Guard.Builder builder = new GuardBuilder("guard", time);
            for (int i = random.nextInt(6); i >= 0; i--) {
                add(builder);
            }
            this.guard = builder.build();
        }

        private void add(Guard.Builder builder) {
            switch (random.nextInt(7)) {
                case 0 -> {
                    CircuitBreaker breaker = CircuitBreaker.builder("breaker")
                            .readyToTrip(counts -> counts.consecutiveFailures() > 20)
                            .timeout(Duration.ofNanos(20))
                            .ticker(time::nanos)
                            .build();
                    breakers.add(breaker);
                    builder.breaker(breaker);
                }
                case 1 -> {
                    AsyncBulkhead bulkhead = AsyncBulkhead.builder(1 + random.nextInt(8))
                            .permitLifetime(PermitLifetime.values()[random.nextInt(2)])
                            .build();
                    bulkheads.add(bulkhead);
                    builder.bulkhead(bulkhead);
                }
                case 2 -> builder.timeLimit(Duration.ofNanos(1 + random.nextInt(100)));
                case 3 ->
                    builder.retry(Retry.builder()
                            .maxAttempts(1 + random.nextInt(3))
                            .backoff(Backoff.fixed(Duration.ofNanos(random.nextInt(10))))
                            .retryOn(error -> true)
                            .build());
                case 4 ->
                    builder.hedge(Hedge.builder(Duration.ofNanos(random.nextInt(20)))
                            .maxExtra(1 + random.nextInt(2))
                            .build());
                case 5 -> {
                    RateLimiter limiter = RateLimiter.builder(
                                    1 + random.nextInt(4), Duration.ofNanos(10 + random.nextInt(50)))
                            .maxWait(Duration.ofNanos(random.nextInt(100)))
                            .ticker(time::nanos)
                            .scheduler(time.scheduler())
                            .build();
                    limiters.add(limiter);
                    builder.rateLimit(limiter);
                }
                default -> {
                    RemoteBulkhead remote = RemoteBulkhead.builder(1 + random.nextInt(4))
                            .policy(BackpressurePolicy.queue(4, 3_600_000))
                            .build();
                    RemoteBulkheadClient client = RemoteBulkheadClient.builder(remote)
                            .permitLifetime(PermitLifetime.values()[random.nextInt(2)])
                            .executor(starts::add)
                            .build();
                    remotes.add(remote);
                    builder.bulkhead(client, client.takeCapability());
                }
            }
        }

        void run() throws Exception {
            CyclicBarrier all = new CyclicBarrier(4);
            List<Thread> threads = new ArrayList<>();
            threads.add(thread(all, random.nextLong(), this::submitAndCancel));
            threads.add(thread(all, random.nextLong(), this::endOperations));
            threads.add(thread(all, random.nextLong(), this::moveClock));
            threads.add(thread(all, random.nextLong(), this::runStarts));
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(broken.get()).as("seed %d", seed).isNull();
            settle();
            assertAtRest();
        }

        private interface Actor {
            void act(Random random);
        }

        private Thread thread(CyclicBarrier all, long actorSeed, Actor actor) {
            Thread thread = new Thread(() -> {
                try {
                    all.await();
                    actor.act(new Random(actorSeed));
                } catch (Throwable failed) {
                    broken.compareAndSet(null, failed);
                    submitting = false;
                }
            });
            thread.start();
            return thread;
        }

        private void submitAndCancel(Random choice) {
            for (int i = 0; i < SUBMISSIONS && submitting; i++) {
                int kind = choice.nextInt(8);
                CompletableFuture<Object> future =
                        guard.<Object>submit(() -> operation(kind)).toCompletableFuture();
                returned.add(future);
                switch (choice.nextInt(6)) {
                    case 0 -> future.cancel(false);
                    case 1 -> future.completeExceptionally(new IllegalStateException());
                    case 2 -> Thread.yield();
                    default -> {}
                }
            }
            submitting = false;
        }

        private CompletionStage<Object> operation(int kind) {
            if (kind == 0) {
                throw new IllegalStateException("supplier");
            }
            if (kind == 1) {
                return CompletableFuture.completedFuture("at once");
            }
            CompletableFuture<Object> operation = new CompletableFuture<>();
            operations.add(operation);
            return operation;
        }

        private void endOperations(Random choice) {
            while (submitting) {
                endOne(choice);
                Thread.yield();
            }
        }

        private void endOne(Random choice) {
            CompletableFuture<Object> operation = operations.poll();
            if (operation != null) {
                if (choice.nextBoolean()) {
                    operation.complete("value");
                } else {
                    operation.completeExceptionally(new Exception("failed"));
                }
            }
        }

        private void moveClock(Random choice) {
            while (submitting) {
                time.advance(Duration.ofNanos(choice.nextInt(10)));
                Thread.yield();
            }
        }

        private void runStarts(Random choice) {
            while (submitting) {
                Runnable start = starts.poll();
                if (start != null) {
                    start.run();
                }
                if (choice.nextInt(10) == 0) {
                    Thread.yield();
                }
            }
        }

        /** Waits until everything has ended. */
        private void settle() {
            Random choice = new Random(seed);
            for (int quiet = 0; quiet < 3; ) {
                boolean idle = operations.isEmpty() && starts.isEmpty() && time.waiting() == 0;
                quiet = idle ? quiet + 1 : 0;
                endOne(choice);
                Runnable start = starts.poll();
                if (start != null) {
                    start.run();
                }
                time.advance(Duration.ofMillis(1));
            }
        }

        private void assertAtRest() {
            GuardStats stats = guard.stats();
            assertThat(returned).as("seed %d", seed).allMatch(CompletableFuture::isDone);
            assertThat(stats.inFlight()).as("seed %d: %s", seed, stats).isZero();
            assertThat(stats.calls()).isEqualTo(SUBMISSIONS);
            for (AsyncBulkhead bulkhead : bulkheads) {
                assertThat(bulkhead.inFlight())
                        .as("seed %d: %s", seed, bulkhead)
                        .isZero();
            }
            for (RateLimiter limiter : limiters) {
                assertThat(limiter.stats().waiting())
                        .as("seed %d: %s", seed, limiter)
                        .isZero();
            }
            for (RemoteBulkhead remote : remotes) {
                assertThat(remote.inFlight()).as("seed %d: %s", seed, remote).isZero();
                assertThat(remote.queueDepth()).as("seed %d: %s", seed, remote).isZero();
            }
            for (CircuitBreaker breaker : breakers) {
                if (breaker.state() == State.CLOSED) { // half-open, a probe that lost its slot stays among the requests
                    assertThat(breaker.counts().requests())
                            .as("seed %d: %s", seed, breaker.metrics())
                            .isEqualTo(breaker.counts().totalSuccesses()
                                    + breaker.counts().totalFailures());
                }
                assertThat(breaker.diagnostics().probesInFlight()).isZero();
                assertThat(breaker.metrics().misused()).as("seed %d", seed).isZero();
            }
            assertThat(time.waiting()).as("seed %d: alarms", seed).isZero();
        }
    }
}
