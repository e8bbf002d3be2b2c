package io.tidegate.bench.groups;

import io.tidegate.bench.Experiment;
import io.tidegate.bench.MarkdownTable;
import io.tidegate.bench.Numbers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** How one group that offers a hundred times the load of each other group affects the others. */
final class Fairness implements Experiment {
    private static final int OTHERS = 16;
    private static final int TIMES = 100;
    private static final Limits LIMITS = new Limits(8, 4, 2);
    private static final long TASK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private record Contestant(String label, Supplier<TaskRunner<?>> runs) {}

    private static final List<Contestant> CONTESTANTS = List.of(
            new Contestant("one fair semaphore for all", () -> new TaskRunner.SharedSemaphore(LIMITS)),
            new Contestant("three fair semaphores", () -> new TaskRunner.ThreeSemaphores(OTHERS + 1, LIMITS)),
            new Contestant(
                    "resilience4j, a pool for each group", () -> new TaskRunner.Resilience4j(OTHERS + 1, LIMITS)),
            new Contestant("Tidegate", () -> new TaskRunner.Tidegate(OTHERS + 1, LIMITS)));

    @Override
    public String title() {
        return "One group goes wild";
    }

    @Override
    public String run(boolean quick) {
        int periods = quick ? 20 : 60;
        MarkdownTable table = new MarkdownTable(List.of("by", "p99 ms, all calm", "p99 ms, one wild", "× calm"));
        for (Contestant contestant : CONTESTANTS) {
            double calm = p99Millis(contestant.runs.get(), periods, 1);
            double wild = p99Millis(contestant.runs.get(), periods, TIMES);
            table.add(List.of(contestant.label, Numbers.show(calm), Numbers.show(wild), Numbers.show(wild / calm)));
        }
        return ("%d groups offer a task of %d ms every %d ms each, %d times over, and one more group offers as much or"
                                + " %d times that. Limits: %d in all, %d running of a group. The time from a task's"
                                + " submission to its end, for all but the wild group's.\n\n")
                        .formatted(
                                OTHERS,
                                TimeUnit.NANOSECONDS.toMillis(TASK_NANOS),
                                TimeUnit.NANOSECONDS.toMillis(PERIOD_NANOS),
                                periods,
                                TIMES,
                                LIMITS.inAll(),
                                LIMITS.concurrency())
                + table;
    }

    /** Returns the p99 of the other groups, while the last group offers so many times their load. */
    static <H> double p99Millis(TaskRunner<H> runs, int periods, int times) {
        AtomicLongArray latencies = new AtomicLongArray(periods * OTHERS);
        try (runs) {
            long start = System.nanoTime();
            for (int i = 0; i < latencies.length(); i++) {
                parkUntil(start + PERIOD_NANOS / OTHERS * i);
                int turn = i % OTHERS;
                for (int n = times * turn / OTHERS; n < times * (turn + 1) / OTHERS; n++) {
                    runs.submit(OTHERS, Fairness::work);
                }
                runs.submit(turn, timed(latencies, i));
            }
            awaitAll(latencies);
        }
        return p99(latencies) / 1e6;
    }

    private static Callable<Integer> timed(AtomicLongArray latencies, int index) {
        long submitted = System.nanoTime();
        return () -> {
            int value = work();
            latencies.set(index, System.nanoTime() - submitted);
            return value;
        };
    }

    private static int work() {
        LockSupport.parkNanos(TASK_NANOS);
        return 1;
    }

    private static void parkUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void awaitAll(AtomicLongArray latencies) {
        for (int i = 0; i < latencies.length(); i++) {
            while (latencies.get(i) == 0) {
                LockSupport.parkNanos(TASK_NANOS);
            }
        }
    }

    private static double p99(AtomicLongArray latencies) {
        long[] sorted = new long[latencies.length()];
        Arrays.setAll(sorted, latencies::get);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
    }
}
