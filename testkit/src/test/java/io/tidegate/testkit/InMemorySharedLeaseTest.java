package io.tidegate.testkit;

import io.tidegate.lease.SharedWorkLease;
import java.time.Duration;

class InMemorySharedLeaseTest extends SharedWorkLeaseContract {
    private ManualClock clock = new ManualClock();
    private InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);

    @Override
    protected void openStore() {
        clock = new ManualClock();
        store = new InMemorySharedLease.Store(clock);
    }

    @Override
    protected SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
        return store.lease(name, maxRetries, owner, leaseDuration);
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
