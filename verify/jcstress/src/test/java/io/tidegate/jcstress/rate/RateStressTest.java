package io.tidegate.jcstress.rate;

import io.tidegate.jcstress.StressTest;
import io.tidegate.rate.broken.BrokenLimiter;

class RateStressTest extends StressTest {
    RateStressTest() {
        super("rate", new Enum<?>[] {BrokenLimiter.CHECK_THEN_ACT});
    }
}
