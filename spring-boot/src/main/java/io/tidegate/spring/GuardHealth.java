package io.tidegate.spring;

import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of the guards, for the health endpoint, whose classes are in other packages on each line of Boot.
 *
 * @param isUp whether the service is up
 * @param details by the name of a guard
 */
record GuardHealth(boolean isUp, Map<String, Object> details) {
    static GuardHealth of(Registry registry, boolean openBreakerIsDown) {
        boolean open = false;
        Map<String, Object> details = new LinkedHashMap<>();
        for (Part part : registry.parts()) {
            if (part instanceof Guard guard) {
                details.put(guard.name(), detail(guard));
            } else if (part instanceof CircuitBreaker breaker) {
                State state = breaker.state();
                open |= state == State.OPEN || state == State.FORCED_OPEN;
            }
        }
        return new GuardHealth(!(open && openBreakerIsDown), details);
    }

    private static Map<String, Object> detail(Guard guard) {
        Map<String, Object> detail = new LinkedHashMap<>();
        for (Part part : guard.parts()) {
            if (part instanceof CircuitBreaker breaker) {
                detail.put("breaker", breaker.state().name());
            } else if (part instanceof AsyncBulkhead bulkhead) {
                detail.put("limit", bulkhead.maxInFlight());
            }
        }
        detail.put("inFlight", guard.stats().inFlight());
        return detail;
    }
}
