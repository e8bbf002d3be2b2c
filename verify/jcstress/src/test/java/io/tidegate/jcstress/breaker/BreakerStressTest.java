package io.tidegate.jcstress.breaker;

import io.tidegate.breaker.broken.SeedBreaker;
import io.tidegate.jcstress.StressTest;

class BreakerStressTest extends StressTest {
    BreakerStressTest() {
        super("breaker", SeedBreaker.values());
    }
}
