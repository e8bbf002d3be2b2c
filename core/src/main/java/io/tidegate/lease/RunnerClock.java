package io.tidegate.lease;

import io.tidegate.time.Timekeeper;
import java.util.concurrent.ThreadLocalRandom;

/** The clock of a runner, and timers that nothing else may delay. */
interface RunnerClock {
    /** The system's time, on threads that users' executors cannot keep busy. */
    RunnerClock SYSTEM = new RunnerClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long millis() {
            return System.currentTimeMillis();
        }

        @Override
        public long random(long bound) {
            return ThreadLocalRandom.current().nextLong(bound);
        }

        @Override
        public void later(Runnable task, long millis) {
            Timekeeper.later(task, millis);
        }
    };

    /** Monotonic nanoseconds: only differences mean something. */
    long nanoTime();

    /** The time of day on this machine. */
    long millis();

    /** A random number from 0 up to the bound. */
    long random(long bound);

    /** Runs the task once, after so many milliseconds, on a thread that delays no others. */
    void later(Runnable task, long millis);
}
