package io.tidegate.lab;

import java.util.concurrent.TimeUnit;

/** Where a run gets its time from. */
interface Time {
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };

    long nanos();

    void sleep(long nanos) throws InterruptedException;
}
