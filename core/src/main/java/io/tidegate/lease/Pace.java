package io.tidegate.lease;

import io.tidegate.time.Timekeeper;

/** When things are due that nothing else may hold up, and the threads they run on. */
interface Pace {
    /** As the system does, whatever the users' executors are busy with. */
    Pace SYSTEM = new Pace() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void later(Runnable task, long millis) {
            Timekeeper.later(task, millis);
        }
    };

    /** Only differences mean something. */
    long nanoTime();

    /** Runs it once, after so many milliseconds, on a thread that others do not wait for. */
    void later(Runnable task, long millis);
}
