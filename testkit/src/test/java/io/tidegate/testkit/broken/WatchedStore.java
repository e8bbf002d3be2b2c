package io.tidegate.testkit.broken;

import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.InMemorySharedLease;
import io.tidegate.testkit.ManualClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A store, and what the broken leases on it record together. Keys are names and domains. */
public final class WatchedStore {
    private final ManualClock clock = new ManualClock();
    private final InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);
    final Map<String, String> liveTokens = new HashMap<>();
    final Map<String, Long> lookedAt = new HashMap<>();
    final Set<String> released = new HashSet<>();
    final Set<String> finished = new HashSet<>();
    final Map<String, Set<String>> domains = new HashMap<>();

    /** Makes an empty store. */
    public WatchedStore() {}

    SharedWorkLease sound(String name, int maxRetries, String owner, Duration leaseDuration) {
        return store.lease(name, maxRetries, owner, leaseDuration);
    }

    long now() {
        return clock.millis();
    }

    public void pass(Duration time) {
        clock.advance(time);
    }
}
