package io.tidegate.testkit;

import io.tidegate.cluster.CapStore;

class InMemoryCapStoreTest extends CapStoreContract {
    private long nowMs = 1_000;

    @Override
    protected CapStore open() {
        return new InMemoryCapStore(() -> nowMs);
    }

    @Override
    protected void pass(long millis) {
        nowMs += millis;
    }
}
