package io.tidegate.processes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** The time of day in a worker whose clock is wrong. {@link WorkerJar} makes the worker use it. */
public final class ShiftedClock {
    static final String SHIFT_MILLIS = "tidegate.clock.shift";

    private static final Duration SHIFT = Duration.ofMillis(Long.getLong(SHIFT_MILLIS, 0));

    private ShiftedClock() {}

    public static long currentTimeMillis() {
        return System.currentTimeMillis() + SHIFT.toMillis();
    }

    public static Instant now() {
        return Instant.now().plus(SHIFT);
    }

    public static Clock systemUTC() {
        return Clock.offset(Clock.systemUTC(), SHIFT);
    }

    public static Clock systemDefaultZone() {
        return Clock.offset(Clock.system(ZoneId.systemDefault()), SHIFT);
    }
}
