package io.tidegate.console;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of parts, one after the other, on a thread of its own. One that does not return keeps that thread; the
 * others go on with another.
 */
final class Round {
    /** The most threads that are kept at a time. Then nothing is run until one of them comes back. */
    static final int MOST_KEPT = 16;

    /** Something to run. */
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

        /** Whether it keeps a thread. */
        boolean isRunning() {
            return begun && !over;
        }

        /** Whether it has come to its end. */
        boolean isOver() {
            return over;
        }

        /** What it has thrown, if it is over. */
        @Nullable
        Throwable failure() {
            return over ? failure : null;
        }
    }

    private final long patienceNanos;
    private final AtomicInteger kept = new AtomicInteger();
    private volatile boolean closed;

    /** That gives each step so much time. */
    Round(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /** Runs each; those that are not over then have taken too long, or were not begun because others do. */
    void run(List<? extends Step> steps) {
        int from = 0;
        while (from < steps.size() && kept.get() < MOST_KEPT && !closed) {
            Run run = new Run(steps.subList(from, steps.size()));
            run.start();
            from += run.await() + 1;
        }
    }

    /** Waits for no more than the present step from now on. */
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

        /** How many are over when all are, or when the next one takes too long. */
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
