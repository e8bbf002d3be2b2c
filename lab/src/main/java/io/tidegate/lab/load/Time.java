package io.tidegate.lab.load;

import java.util.concurrent.TimeUnit;

/** Where a run gets its time from. */
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

    /** Sleeps until then, not at all if that is past. */
    default void sleepUntil(long due) throws InterruptedException {
        long early = due - nanos();
        if (early > 0) {
            sleep(early);
        }
    }
}
