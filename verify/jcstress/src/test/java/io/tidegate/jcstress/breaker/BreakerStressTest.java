package io.tidegate.jcstress.breaker;

import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.jcstress.StressTest;

class BreakerStressTest extends StressTest {
    BreakerStressTest() {
        super("breaker", SeparateAtomicsBreaker.values());
    }
}
