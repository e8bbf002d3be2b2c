package io.tidegate.time;

import java.time.Duration;

/** Durations as numbers. */
public final class Nanos {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Nanos() {}

    /** One too long to count is the longest there is. */
    public static long of(Duration duration) {
        return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
