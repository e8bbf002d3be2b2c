package io.tidegate.bench.groups;

import static java.util.Objects.requireNonNull;

import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.TaskHandle;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A way to run tasks of groups, which are numbered.
 *
 * @param <H> the handle of a submitted task
 */
interface TaskRunner<H> extends AutoCloseable {
    /** Submits a task, which runs as soon as the limits allow. */
    H submit(int group, Callable<Integer> body);

    /** Waits for the value of a task. */
    int await(H pending);

    /** Waits until so many tasks of the first group wait. */
    default void awaitWaiting(int tasks) {}

    @Override
    void close();

    /** Starts a virtual thread for each task; in subclasses the thread first waits for permits. */
    class Threads implements TaskRunner<Future<Integer>> {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

        Callable<Integer> limited(int group, Callable<Integer> body) {
            return body;
        }

        @Override
        public final Future<Integer> submit(int group, Callable<Integer> body) {
            return threads.submit(limited(group, body));
        }

        @Override
        public final int await(Future<Integer> pending) {
            try {
                return pending.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public final void close() {
            threads.shutdownNow();
        }

        static List<Semaphore> semaphores(int groups, int permits) {
            return IntStream.range(0, groups)
                    .mapToObj(group -> new Semaphore(permits, true))
                    .toList();
        }

        static Callable<Integer> holding(Semaphore semaphore, Callable<Integer> body) {
            return () -> {
                semaphore.acquire();
                try {
                    return body.call();
                } finally {
                    semaphore.release();
                }
            };
        }
    }

    /** One fair semaphore for all. */
    final class SharedSemaphore extends Threads {
        private final Semaphore places;

        SharedSemaphore(Limits limits) {
            places = new Semaphore(limits.inAll(), true);
        }

        @Override
        Callable<Integer> limited(int group, Callable<Integer> body) {
            return holding(places, body);
        }
    }

    /** A fair semaphore for each group. */
    final class OneSemaphore extends Threads {
        private final List<Semaphore> running;

        OneSemaphore(int groups, Limits limits) {
            running = semaphores(groups, limits.concurrency());
        }

        @Override
        Callable<Integer> limited(int group, Callable<Integer> body) {
            return holding(running.get(group), body);
        }

        @Override
        public void awaitWaiting(int tasks) {
            while (running.get(0).getQueueLength() < tasks) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    /** Three fair semaphores, taken in turn: a task that waits for the second or third holds what it took first. */
    final class ThreeSemaphores extends Threads {
        private final Semaphore places;
        private final List<Semaphore> inFlight;
        private final List<Semaphore> running;

        ThreeSemaphores(int groups, Limits limits) {
            places = new Semaphore(limits.inAll(), true);
            inFlight = semaphores(groups, limits.inFlight());
            running = semaphores(groups, limits.concurrency());
        }

        @Override
        Callable<Integer> limited(int group, Callable<Integer> body) {
            return holding(places, holding(inFlight.get(group), holding(running.get(group), body)));
        }
    }

    /** A pool of platform threads for each group. */
    final class Resilience4j implements TaskRunner<CompletionStage<Integer>> {
        private static final int QUEUE = 1 << 20;
        private final List<ThreadPoolBulkhead> pools;

        Resilience4j(int groups, Limits limits) {
            ThreadPoolBulkheadConfig config = ThreadPoolBulkheadConfig.custom()
                    .coreThreadPoolSize(limits.concurrency())
                    .maxThreadPoolSize(limits.concurrency())
                    .queueCapacity(QUEUE)
                    .build();
            pools = IntStream.range(0, groups)
                    .mapToObj(group -> ThreadPoolBulkhead.of("group " + group, config))
                    .toList();
        }

        @Override
        public CompletionStage<Integer> submit(int group, Callable<Integer> body) {
            return pools.get(group).submit(body);
        }

        @Override
        public int await(CompletionStage<Integer> pending) {
            return pending.toCompletableFuture().join();
        }

        @Override
        public void close() {
            for (ThreadPoolBulkhead pool : pools) {
                try {
                    pool.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** The group executor. */
    final class Tidegate implements TaskRunner<TaskHandle<Integer>> {
        private final List<String> keys;
        private final GroupExecutor executor;

        Tidegate(int groups, Limits limits) {
            keys = IntStream.range(0, groups)
                    .mapToObj(group -> "group " + group)
                    .toList();
            executor = GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder()
                    .globalMaxInFlight(limits.inAll())
                    .defaultMaxInFlightPerGroup(limits.inFlight())
                    .defaultMaxConcurrencyPerGroup(limits.concurrency())
                    .build());
        }

        @Override
        public TaskHandle<Integer> submit(int group, Callable<Integer> body) {
            return executor.submit(keys.get(group), "task", body);
        }

        @Override
        public int await(TaskHandle<Integer> pending) {
            return requireNonNull(pending.join().value());
        }

        @Override
        public void close() {
            executor.close();
        }
    }
}
