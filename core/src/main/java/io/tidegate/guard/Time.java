package io.tidegate.guard;

import io.tidegate.time.Timekeeper;
import java.util.concurrent.TimeUnit;

/** What a guard asks of time; another one for tests. */
interface Time {
    /** The system's. */
    Time REAL = new Time() {};

    /** Monotonic nanoseconds. */
    default long nanos() {
        return System.nanoTime();
    }

    default void set(Timekeeper.Alarm alarm, long delayNanos) {
        alarm.set(delayNanos);
    }

    default void callOff(Timekeeper.Alarm alarm) {
        alarm.callOff();
    }

    /** Keeps this thread. */
    default void pause(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }
}
