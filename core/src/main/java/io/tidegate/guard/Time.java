package io.tidegate.guard;

import io.tidegate.time.Timekeeper;
import java.util.concurrent.TimeUnit;

/** The clock and the timers of a guard. Tests replace them. */
interface Time {
    /** The system's time. */
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

    /** Pauses this thread. */
    default void pause(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }
}
