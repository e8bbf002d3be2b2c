package io.tidegate.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A process with a runner, in virtual time. It can die, its engine can be out of reach, and its threads can be busy.
 */
final class RunnerProcess implements SharedStore.Wire {
    final String name;
    final List<String> news = new ArrayList<>();
    final List<LeasedWork> lost = new ArrayList<>();
    final List<LeasedWork> parked = new ArrayList<>();
    final Map<LeasedWork, Long> running = new HashMap<>();
    final LeaseRunner runner;

    /** How long a start waits for a thread. */
    LongSupplier threadsAfterNanos = () -> 0;

    /** What an attempt does. */
    Function<LeasedWork, CompletionStage<?>> task = work -> CompletableFuture.completedFuture(null);

    /** Called before and after each call of the engine. */
    Runnable before = () -> {};

    Runnable after = () -> {};

    /** What the parking handler does first. */
    Runnable whenParked = () -> {};

    int calls;

    private final VirtualTime time;
    private final SplittableRandom random;
    private boolean dead;

    RunnerProcess(String name, SharedStore store, VirtualTime time, Duration sweepEvery) {
        this(name, store, time, sweepEvery, new SplittableRandom(1));
    }

    RunnerProcess(String name, SharedStore store, VirtualTime time, Duration sweepEvery, SplittableRandom random) {
        this.random = random;
        this.name = name;
        this.time = time;
        RunnerBuilder settings = (RunnerBuilder) LeaseRunner.stageBuilder(
                        store.of(name, this),
                        this::begin,
                        start -> time.after(threadsAfterNanos.getAsLong(), alive(start)),
                        time.scheduler(task -> alive(task).run()))
                .backoff(retry -> Duration.ofMillis(1 + random.nextLong(Math.min(1_000, 50L << Math.min(retry, 10)))))
                .sweepEvery(sweepEvery)
                .parking((work, error) -> {
                    whenParked.run();
                    parked.add(work);
                })
                .listener(new Listener());
        runner = settings.clock(new ProcessClock()).build();
    }

    RunnerClock clock() {
        return new ProcessClock();
    }

    private final class ProcessClock implements RunnerClock {
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
            time.after(TimeUnit.MILLISECONDS.toNanos(millis), alive(task));
        }
    }

    private final class Listener implements LeaseRunnerListener {
        @Override
        public void onLost(LeasedWork work, IllegalStateException refusal) {
            lost.add(work);
            news.add("lost " + work.offset());
        }

        @Override
        public void onRetryScheduled(LeasedWork work, Throwable error, Duration delay) {
            news.add("retry of " + work.offset() + " in " + delay.toMillis() + " ms");
        }

        @Override
        public void onParked(LeasedWork work, Throwable error) {
            news.add("parked " + work.offset() + ": " + error.getMessage());
        }

        @Override
        public void onError(String domainId, Throwable error) {
            news.add("error " + error.getMessage());
        }
    }

    private CompletionStage<?> begin(LeasedWork work) {
        running.put(work, time.nanos());
        news.add("runs " + work.offset());
        CompletionStage<?> stage = task.apply(work);
        stage.whenComplete((value, error) -> running.remove(work));
        return stage;
    }

    private Runnable alive(Runnable task) {
        return () -> {
            if (!dead) {
                task.run();
            }
        };
    }

    /** Kills the process: none of its tasks runs any more. */
    void kill() {
        dead = true;
        running.clear();
    }

    boolean isDead() {
        return dead;
    }

    /** A stage that ends after this time, if the process lives. */
    CompletableFuture<Void> takes(Duration duration, Runnable end) {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        time.after(duration.toNanos(), alive(() -> {
            try {
                end.run();
                stage.complete(null);
            } catch (RuntimeException failed) {
                stage.completeExceptionally(failed);
            }
        }));
        return stage;
    }

    @Override
    public <T> T call(Supplier<T> operation) {
        calls++;
        before.run();
        T answer = operation.get();
        after.run();
        return answer;
    }
}
