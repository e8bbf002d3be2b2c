package io.tidegate.bench.remote;

import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One operation holds the only permit, another one waits without a thread and is woken by the end of the first. */
@State(Scope.Benchmark)
public abstract class WakeBenchmark {
    private static final String RESULT = "result";
    private static final CompletionStage<String> DONE = CompletableFuture.completedStage(RESULT);

    abstract CompletionStage<String> submit(String id, Supplier<CompletionStage<String>> operation);

    @Benchmark
    public String wake() {
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<String> first = submit("first", () -> running).toCompletableFuture();
        CompletableFuture<String> second = submit("second", () -> DONE).toCompletableFuture();
        running.complete(RESULT);
        first.join();
        return second.join();
    }

    /** The code that a program would first write: no bound, no time-out, no cancelling, no log. */
    public static class HandWritten extends WakeBenchmark {
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private boolean taken;

        @Override
        CompletionStage<String> submit(String id, Supplier<CompletionStage<String>> operation) {
            CompletableFuture<String> returned = new CompletableFuture<>();
            Runnable start = () -> operation.get().whenComplete((value, error) -> {
                leave();
                returned.complete(value);
            });
            if (enter(start)) {
                start.run();
            }
            return returned;
        }

        private synchronized boolean enter(Runnable start) {
            if (taken) {
                waiting.add(start);
                return false;
            }
            taken = true;
            return true;
        }

        private void leave() {
            Runnable next = next();
            if (next != null) {
                next.run();
            }
        }

        private synchronized @Nullable Runnable next() {
            Runnable next = waiting.poll();
            taken = next != null;
            return next;
        }
    }

    public static class Failsafe extends WakeBenchmark {
        private final dev.failsafe.FailsafeExecutor<String> failsafe =
                dev.failsafe.Failsafe.with(dev.failsafe.Bulkhead.<String>builder(1)
                        .withMaxWaitTime(Duration.ofMillis(PermitBenchmark.PATIENCE_MS))
                        .build());

        @Override
        CompletionStage<String> submit(String id, Supplier<CompletionStage<String>> operation) {
            return failsafe.getStageAsync(operation::get);
        }
    }

    /** A woken request starts on the thread that gave its permit back. */
    public static class TidegateSameThread extends WakeBenchmark {
        private final RemoteBulkheadClient client;
        private final RemoteCapability capability;

        public TidegateSameThread() {
            this(Runnable::run);
        }

        TidegateSameThread(Executor executor) {
            RemoteBulkhead bulkhead = RemoteBulkhead.builder(1)
                    .policy(BackpressurePolicy.queue(PermitBenchmark.DEPTH, PermitBenchmark.PATIENCE_MS))
                    .build();
            client = RemoteBulkheadClient.builder(bulkhead).executor(executor).build();
            capability = client.takeCapability();
        }

        @Override
        CompletionStage<String> submit(String id, Supplier<CompletionStage<String>> operation) {
            return client.submit(capability, id, operation);
        }
    }

    /** A woken request starts on the common pool, as by default. */
    public static class Tidegate extends TidegateSameThread {
        public Tidegate() {
            super(ForkJoinPool.commonPool());
        }
    }
}
