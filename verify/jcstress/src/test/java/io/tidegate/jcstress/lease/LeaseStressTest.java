package io.tidegate.jcstress.lease;

import io.tidegate.jcstress.StressTest;
import io.tidegate.lease.broken.RacyLease;

class LeaseStressTest extends StressTest {
    LeaseStressTest() {
        super("lease", RacyLease.values());
    }
}
