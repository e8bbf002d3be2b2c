package io.tidegate.rate.lincheck;

import io.tidegate.rate.broken.LimiterFactory;
import java.time.Duration;

/** The limiter of the running check. Static, because Lincheck makes its objects without arguments. */
final class Setting {
    static LimiterFactory factory = LimiterFactory.TIDEGATE;
    static long permits = 1;
    static Duration period = Duration.ofSeconds(1);

    private Setting() {}
}
