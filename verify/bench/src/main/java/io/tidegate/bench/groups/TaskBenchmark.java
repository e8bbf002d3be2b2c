package io.tidegate.bench.groups;

import static java.util.Objects.requireNonNull;

import io.tidegate.group.TaskHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Submits a batch of tasks, to the groups in turn, and waits for all.
 *
 * @param <H> the handle of a submitted task
 */
@State(Scope.Benchmark)
public abstract class TaskBenchmark<H> {
    static final int TASKS = 16_384;
    static final Limits LIMITS = new Limits(256, 8, 4);

    @Param("16")
    public int groups = 16;

    @Param("0")
    public int parkMicros;

    private final List<H> pending = new ArrayList<>(TASKS);
    private final Callable<Integer> tiny = () -> 1;
    private final Callable<Integer> parking = () -> {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(parkMicros));
        return 1;
    };
    private @Nullable TaskRunner<H> runs;

    abstract TaskRunner<H> create();

    @Setup
    public void setUp() {
        runs = create();
    }

    @TearDown
    public void tearDown() {
        requireNonNull(runs).close();
    }

    /** The benchmark waits for the last task first: then most of the others are done. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public int tasks() {
        TaskRunner<H> mine = requireNonNull(runs);
        Callable<Integer> body = parkMicros == 0 ? tiny : parking;
        for (int i = 0; i < TASKS; i++) {
            pending.add(mine.submit(i % groups, body));
        }
        int sum = 0;
        for (int i = TASKS - 1; i >= 0; i--) {
            sum += mine.await(pending.get(i));
        }
        pending.clear();
        return sum;
    }

    public static class Unlimited extends TaskBenchmark<Future<Integer>> {
        @Override
        TaskRunner<Future<Integer>> create() {
            return new TaskRunner.Threads();
        }
    }

    public static class OneSemaphore extends TaskBenchmark<Future<Integer>> {
        @Override
        TaskRunner<Future<Integer>> create() {
            return new TaskRunner.OneSemaphore(groups, LIMITS);
        }
    }

    public static class ThreeSemaphores extends TaskBenchmark<Future<Integer>> {
        @Override
        TaskRunner<Future<Integer>> create() {
            return new TaskRunner.ThreeSemaphores(groups, LIMITS);
        }
    }

    public static class Resilience4j extends TaskBenchmark<CompletionStage<Integer>> {
        @Override
        TaskRunner<CompletionStage<Integer>> create() {
            return new TaskRunner.Resilience4j(groups, LIMITS);
        }
    }

    public static class Tidegate extends TaskBenchmark<TaskHandle<Integer>> {
        @Override
        TaskRunner<TaskHandle<Integer>> create() {
            return new TaskRunner.Tidegate(groups, LIMITS);
        }
    }
}
