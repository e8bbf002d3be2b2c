package io.tidegate.lab.remote;

import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A real bulkhead in its own time: its cap of 4 is 2 from 300 ms on and raised at 700 ms; it closes at 1 s. */
final class RemoteScript {
    static final LoweredCap PLAN = new LoweredCap(
            20,
            Duration.ofMillis(100),
            4,
            2,
            3,
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            Duration.ZERO,
            Duration.ofMillis(300),
            Duration.ofSeconds(1));

    private static final long START = 1_000;

    final RemoteLog log = new RemoteLog(4);
    private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(4)
            .policy(BackpressurePolicy.queue(3, 1_000))
            .eventSink(log)
            .build();
    private final Map<String, BulkheadPermit> permits = new HashMap<>();

    RemoteScript before() {
        begin(Phase.BEFORE, 0);
        acquire(50, "a", "b", "c", "d");
        return this;
    }

    RemoteScript lowered() {
        begin(Phase.LOWERED, 300);
        bulkhead.setMaxInFlight(2, START + 300);
        acquire(310, "refused");
        release(350, "a");
        release(400, "b");
        release(520, "c");
        acquire(530, "e", "f", "g", "h", "refused");
        return this;
    }

    RemoteScript raised() {
        begin(Phase.AFTER, 700);
        bulkhead.setMaxInFlight(4, START + 700);
        acquire(705, "f", "g");
        release(750, "d");
        acquire(755, "h");
        return this;
    }

    RemoteScript closing() {
        begin(Phase.CLOSING, 1_000);
        release(1_010, "e");
        release(1_050, "f");
        release(1_080, "g");
        release(1_100, "h");
        return this;
    }

    private void begin(Phase phase, long ms) {
        log.begin(phase, START + ms);
    }

    private void acquire(long ms, String... requests) {
        for (String request : requests) {
            if (bulkhead.acquire(true, request, START + ms) instanceof AcquireResult.Granted granted) {
                permits.put(request, granted.permit());
            }
        }
    }

    private void release(long ms, String request) {
        bulkhead.release(permits.get(request), START + ms);
    }
}
