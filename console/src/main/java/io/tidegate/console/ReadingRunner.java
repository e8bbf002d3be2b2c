package io.tidegate.console;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads parts one after the other on a separate thread, because they may be code of users. A part that does not return
 * keeps that thread, and another thread reads the rest.
 */
final class ReadingRunner {
    /** The most threads that parts may keep. Beyond that nothing is read until one of them returns. */
    static final int MOST_KEPT = 16;

    /** The reading of one part. */
    abstract static class Step {
        private @Nullable Throwable failure;
        private volatile boolean begun;
        private volatile boolean over;

        abstract void run();

        private void runIt() {
            try {
                run();
            } catch (Throwable thrown) {
                failure = thrown;
            }
            over = true;
        }

        /** Whether it has begun and not returned, and so keeps a thread. */
        boolean isRunning() {
            return begun && !over;
        }

        /** Whether it has returned or thrown. */
        boolean isOver() {
            return over;
        }

        /** Returns what it has thrown; null if it has not ended, or ended well. */
        @Nullable
        Throwable failure() {
            return over ? failure : null;
        }
    }

    private final long patienceNanos;
    private final AtomicInteger kept = new AtomicInteger();
    private volatile boolean closed;

    /** @param patienceNanos how long one step may take before the others go on without it */
    ReadingRunner(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /**
     * Runs all steps. A step that is not over afterwards either takes too long, or found no thread because others take
     * too long.
     */
    void run(List<? extends Step> steps) {
        int from = 0;
        while (from < steps.size() && kept.get() < MOST_KEPT && !closed) {
            Run run = new Run(steps.subList(from, steps.size()));
            run.start();
            from += run.await() + 1;
        }
    }

    /** Begins no further step. */
    void close() {
        closed = true;
    }

    private final class Run extends Thread {
        private final List<? extends Step> steps;
        private int over;
        private long since = System.nanoTime();
        private boolean left;

        Run(List<? extends Step> steps) {
            super("tidegate-console-reading");
            this.steps = steps;
            setDaemon(true);
        }

        @Override
        public void run() {
            for (Step step : steps) {
                if (!begin(step)) {
                    break;
                }
                step.runIt();
                if (!end()) {
                    break;
                }
            }
        }

        private synchronized boolean begin(Step step) {
            if (left) {
                kept.decrementAndGet();
            } else {
                step.begun = true;
            }
            return !left;
        }

        private synchronized boolean end() {
            if (left) {
                kept.decrementAndGet();
                return false;
            }
            over++;
            since = System.nanoTime();
            if (over == steps.size()) {
                notifyAll();
            }
            return true;
        }

        /** Waits until all steps are over or one takes too long, and returns how many are over. */
        synchronized int await() {
            boolean interrupted = false;
            while (over < steps.size()) {
                long leftNanos = since + patienceNanos - System.nanoTime();
                if (leftNanos <= 0 || interrupted) {
                    left = true;
                    kept.incrementAndGet();
                    break;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
                } catch (InterruptedException stopped) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return over;
        }
    }
}
