package io.tidegate.rate.lincheck;

import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Tries for permits, each with its own time: a later try may have an earlier time. */
@Param(name = "permits", gen = IntGen.class, conf = "1:2")
@Param(name = "time", gen = IntGen.class, conf = "0:3")
public class Permits {
    /** The last two are too far from the first ones for the packed word. */
    static final long[] TIMES = {0, 1, 2_000_000_000L, 5_000_000_000L};

    static final long BURST = 2;

    private final ThreadLocal<Long> now = ThreadLocal.withInitial(() -> 0L);
    private final RateLimiter limiter =
            Setting.factory.create(Setting.permits, Setting.period, BURST, Duration.ZERO, now::get, null);

    @Operation
    public boolean tryAcquire(@Param(name = "permits") int permits, @Param(name = "time") int time) {
        now.set(TIMES[time]);
        return limiter.tryAcquire(permits);
    }

    @Operation
    public long nanosUntil(@Param(name = "permits") int permits, @Param(name = "time") int time) {
        now.set(TIMES[time]);
        return limiter.nanosUntil(permits);
    }
}
