package io.tidegate.jcstress.retry;

import io.tidegate.jcstress.StressTest;
import io.tidegate.retry.broken.BrokenBudget;

class RetryStressTest extends StressTest {
    RetryStressTest() {
        super("retry", BrokenBudget.values());
    }
}
