package io.tidegate.time;

import java.time.Duration;

/** Converts durations to nanoseconds. */
public final class Nanos {
    private Nanos() {}

    /** The nanoseconds of a duration, or the nearest long if they do not fit. */
    public static long of(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
