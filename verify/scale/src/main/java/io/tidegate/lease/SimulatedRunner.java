package io.tidegate.lease;

import io.tidegate.scale.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A process with a runner and a pool of threads, in virtual time. */
final class SimulatedRunner implements Executor {
    /*
     * A call of the engine happens at once, but its answer takes a round trip: the calling thread goes on only after
     * that time. A thread that has begun an attempt is busy until it has reported the end to the engine.
     */
    final LeaseRunner runner;
    final SimulatedEngine.Owned lease;

    private final VirtualTime time;
    private final SimulatedEngine engine;
    private final long roundTripNanos;
    private final Supplier<Duration> attempt;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int freeThreads;
    private boolean dead;

    /** The attempt that the present task has begun, and what follows its end. */
    private @Nullable CompletableFuture<Void> begun;

    private boolean ending;
    private Runnable end = () -> {};

    SimulatedRunner(
            VirtualTime time, SimulatedEngine engine, RunnerScale.Size size, Supplier<Duration> attempt, long seed) {
        this.time = time;
        this.engine = engine;
        this.lease = engine.newOwner();
        this.roundTripNanos = size.roundTrip().toNanos();
        this.freeThreads = size.threads();
        this.attempt = attempt;
        SplittableRandom random = new SplittableRandom(seed);
        RunnerBuilder settings =
                (RunnerBuilder) LeaseRunner.stageBuilder(lease, this::begin, this, time.scheduler(0, () -> !dead))
                        .backoff(retry -> Duration.ofMillis(1 + random.nextLong(100L << Math.min(retry, 8))))
                        .sweepEvery(size.sweepEvery());
        this.runner = settings.clock(clock(random)).build();
    }

    private RunnerClock clock(SplittableRandom random) {
        return new RunnerClock() {
            @Override
            public long nanoTime() {
                return time.nanos();
            }

            @Override
            public long millis() {
                return time.millis();
            }

            @Override
            public long random(long bound) {
                return random.nextLong(bound);
            }

            @Override
            public void later(Runnable task, long millis) {
                time.after(TimeUnit.MILLISECONDS.toNanos(millis) + roundTripNanos, () -> {
                    if (!dead) {
                        task.run();
                    }
                });
            }
        };
    }

    /** Stops the process: nothing that it has planned happens any more. */
    void kill() {
        dead = true;
        waiting.clear();
        lease.die();
    }

    @Override
    public void execute(Runnable task) {
        if (ending) {
            end = task; // on the thread of the attempt
        } else {
            waiting.add(task);
            time.after(0, this::useThreads);
        }
    }

    private void useThreads() {
        while (!dead && freeThreads > 0 && !waiting.isEmpty()) {
            freeThreads--;
            run(waiting.remove());
        }
    }

    private void run(Runnable task) {
        long before = engine.calls();
        begun = null;
        task.run();
        long asking = (engine.calls() - before) * roundTripNanos;
        CompletableFuture<Void> runs = begun;
        if (runs == null) {
            time.after(asking, this::freeThread);
        } else {
            time.after(asking + attempt.get().toNanos(), () -> end(runs));
        }
    }

    private CompletionStage<?> begin(LeasedWork work) {
        begun = new CompletableFuture<>();
        return begun;
    }

    private void end(CompletableFuture<Void> attempt) {
        if (!dead) {
            ending = true;
            attempt.complete(null);
            ending = false;
            end.run();
            time.after(roundTripNanos, this::freeThread);
        }
    }

    private void freeThread() {
        freeThreads++;
        useThreads();
    }
}
