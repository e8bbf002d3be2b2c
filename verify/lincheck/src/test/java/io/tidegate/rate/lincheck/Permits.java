package io.tidegate.rate.lincheck;

import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Tries, and time that passes in between. */
@Param(name = "permits", gen = IntGen.class, conf = "1:2")
public class Permits {
    /** Two permits, or all there can be. */
    static final long[] SPANS = {1, 2_000_000_000L};

    static final long BURST = 2;

    private final AtomicLong now = new AtomicLong();
    private final RateLimiter limiter =
            Setting.factory.create(Setting.permits, Setting.period, BURST, Duration.ZERO, now::get, null);

    @Operation
    public boolean tryAcquire(@Param(name = "permits") int permits) {
        return limiter.tryAcquire(permits);
    }

    @Operation
    public long nanosUntil(@Param(name = "permits") int permits) {
        return limiter.nanosUntil(permits);
    }

    @Operation
    public void pass(@Param(name = "permits") int span) {
        now.addAndGet(SPANS[span - 1]);
    }
}
