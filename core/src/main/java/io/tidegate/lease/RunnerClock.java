package io.tidegate.lease;

import io.tidegate.time.Timekeeper;
import java.util.concurrent.ThreadLocalRandom;

/** The clock of a runner, and timers that run on time whatever else runs. */
interface RunnerClock {
    /** The system's clock, and timers on threads of the library, which users' tasks cannot keep busy. */
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

    /** Returns a random number from 0 up to the bound, without it. */
    long random(long bound);

    /** Runs the task once, after so many milliseconds, on a thread that delays no others. */
    void later(Runnable task, long millis);
}
