package io.tidegate.lease;

import io.tidegate.time.Timekeeper;
import java.util.concurrent.ThreadLocalRandom;

/** When things are due that nothing else may hold up, and the threads they run on. */
interface RunnerClock {
    /** As the system does, whatever the users' executors are busy with. */
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

    /** Only differences mean something. */
    long nanoTime();

    /** The time of day, as this machine has it. */
    long millis();

    /** A number from 0 up to the bound. */
    long random(long bound);

    /** Runs it once, after so many milliseconds, on a thread that others do not wait for. */
    void later(Runnable task, long millis);
}
