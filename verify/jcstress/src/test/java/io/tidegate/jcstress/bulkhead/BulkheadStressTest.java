package io.tidegate.jcstress.bulkhead;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.jcstress.StressTest;

class BulkheadStressTest extends StressTest {
    BulkheadStressTest() {
        super("bulkhead", BrokenBulkhead.values());
    }
}
