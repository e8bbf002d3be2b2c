package io.tidegate.bench.engines;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A thread for each worker, which does one step after the other. */
final class Workers implements Running {
    /** The next step of a worker. */
    interface Step {
        /** Does the step, and returns how many cycles it has ended. */
        int run() throws Exception;

        /** Ends what the worker has begun, and returns how many cycles that were. */
        default int end() {
            return 0;
        }
    }

    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder cycles = new LongAdder();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean stopped;

    private Workers() {}

    /** @param steps the step of each worker, which no other thread takes */
    static Workers start(Load load, IntFunction<Step> steps) {
        Workers workers = new Workers();
        for (int worker = 0; worker < load.workers(); worker++) {
            Step step = steps.apply(worker);
            workers.threads.add(new Thread(() -> workers.work(step), "worker-" + worker));
        }
        workers.threads.forEach(Thread::start);
        return workers;
    }

    private void work(Step step) {
        try {
            while (!stopped) {
                cycles.add(step.run());
            }
            cycles.add(step.end());
        } catch (Exception failed) {
            failure.compareAndSet(null, failed);
            stopped = true;
        }
    }

    @Override
    public long cycles() {
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(failed);
        }
        return cycles.sum();
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            join(thread);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
