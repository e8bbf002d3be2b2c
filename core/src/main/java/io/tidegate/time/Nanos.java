package io.tidegate.time;

import java.time.Duration;

/** Durations as numbers. */
public final class Nanos {
    private Nanos() {}

    /** One too long to count is the longest there is. */
    public static long of(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
