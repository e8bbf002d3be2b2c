package io.tidegate.jcstress.guard;

import io.tidegate.guard.broken.BrokenLimit;
import io.tidegate.jcstress.StressTest;

class GuardStressTest extends StressTest {
    GuardStressTest() {
        super("guard", BrokenLimit.values());
    }
}
