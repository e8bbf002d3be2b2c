package io.tidegate.bench.groups;

import io.tidegate.bench.Experiment;
import io.tidegate.bench.MarkdownTable;
import io.tidegate.bench.Numbers;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** How much of the heap a task takes while it waits for its group. */
final class WaitingMemory implements Experiment {
    private static final Limits ONE_AT_A_TIME = new Limits(1_000_000, 1_000_000, 1);
    private static final double MOST = 100;
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    @Override
    public String title() {
        return "Memory of a waiting task";
    }

    @Override
    public String run(boolean quick) {
        int tasks = quick ? 20_000 : 100_000;
        MarkdownTable table = new MarkdownTable(List.of("by", "B of heap", "limit", "verdict"));
        double threads = bytes(new TaskRunner.OneSemaphore(1, ONE_AT_A_TIME), tasks);
        table.add(List.of("virtual thread, one fair semaphore", Numbers.show(Math.rint(threads)), "", ""));
        double ours = bytes(new TaskRunner.Tidegate(1, ONE_AT_A_TIME), tasks);
        table.add(List.of(
                "Tidegate",
                Numbers.show(Math.rint(ours)),
                "≤ " + Numbers.show(MOST) + " B",
                ours <= MOST ? "met" : "MISSED"));
        return ("%,d tasks wait behind one that runs; each has a body of its own, which counts too. The heap is"
                                + " compared before and after, both times collected. Stacks of platform threads are"
                                + " not in the heap.\n\n")
                        .formatted(tasks)
                + table;
    }

    static <H> double bytes(TaskRunner<H> runs, int tasks) {
        try (runs) {
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch gate = new CountDownLatch(1);
            H running = runs.submit(0, () -> {
                started.countDown();
                gate.await();
                return 1;
            });
            awaitUninterruptibly(started);
            long before = used();
            H last = running;
            for (int i = 0; i < tasks; i++) {
                last = runs.submit(0, body(i));
            }
            runs.awaitWaiting(tasks);
            long after = used();
            gate.countDown();
            runs.await(last);
            return (double) (after - before) / tasks;
        }
    }

    private static Callable<Integer> body(int value) {
        return () -> value;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, MEMORY.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
