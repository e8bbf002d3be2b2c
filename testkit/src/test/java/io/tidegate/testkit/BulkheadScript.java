package io.tidegate.testkit;

import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded random scripts for a bulkhead. */
final class BulkheadScript {
    private BulkheadScript() {}

    /** Ids repeat, time runs both ways, the cap goes up and down, and the queue overflows. */
    static RemoteBulkhead afterRandom(int seed, int eventCapacity, int steps) {
        Random random = new Random(seed);
        BackpressurePolicy policy = seed % 4 == 0 ? BackpressurePolicy.reject() : BackpressurePolicy.queue(3, 10);
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(1 + seed % 3)
                .policy(policy)
                .eventCapacity(eventCapacity)
                .build();
        List<BulkheadPermit> permits = new ArrayList<>();
        long now = 100;
        for (int step = 0; step < steps; step++) {
            now += random.nextInt(6) - 1;
            String id = "r" + random.nextInt(6);
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> keep(bulkhead.acquire(random.nextInt(10) > 0, id, now), permits);
                case 3, 4 -> keep(bulkhead.pollQueued(id, now), permits);
                case 5 -> bulkhead.cancelQueued(id, now);
                case 6 -> bulkhead.setMaxInFlight(1 + random.nextInt(4), now);
                case 7 -> bulkhead.recordForegroundLatency(random.nextInt(50), now);
                default -> {
                    if (!permits.isEmpty()) {
                        bulkhead.release(permits.remove(random.nextInt(permits.size())), now);
                    }
                }
            }
        }
        return bulkhead;
    }

    private static void keep(AcquireResult result, List<BulkheadPermit> permits) {
        if (result instanceof AcquireResult.Granted granted) {
            permits.add(granted.permit());
        }
    }
}
