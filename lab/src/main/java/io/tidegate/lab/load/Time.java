package io.tidegate.lab.load;

import java.util.concurrent.TimeUnit;

/** The clock of a run. */
public interface Time {
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

    /** Sleeps until a time, not at all if that is past. */
    default void sleepUntil(long due) throws InterruptedException {
        long early = due - nanos();
        if (early > 0) {
            sleep(early);
        }
    }
}
