package io.tidegate.console;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.WorkLease;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.RemoteBulkheadClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The actions that change a part. */
final class Actions {
    /** Acts on the part. Returns how the part was before and after. */
    private interface Action {
        Done run(Body body);
    }

    record Done(String before, String after) {}

    private static final boolean HAS_GROUPS = isThere("io.tidegate.group.GroupExecutor");

    private Actions() {}

    private static boolean isThere(String type) {
        try {
            Class.forName(type, false, Actions.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    static boolean isGroup(Part part) {
        return HAS_GROUPS && GroupActions.isGroup(part);
    }

    /** Returns the names of the actions that a part has. */
    static List<String> of(Part part) {
        return List.copyOf(all(part).keySet());
    }

    /**
     * Runs an action on a part.
     *
     * @throws IllegalArgumentException if the part does not know the action, or not with this body
     */
    static Done run(Part part, String name, Body body) {
        Map<String, Action> known = all(part);
        Action action = known.get(name);
        if (action == null) {
            throw new IllegalArgumentException("action: " + name + " (expected: "
                    + (known.isEmpty() ? "none on a " + part.kind() : "one of " + known.keySet()) + ")");
        }
        return action.run(body);
    }

    private static Map<String, Action> all(Part part) {
        Map<String, Action> all = new LinkedHashMap<>();
        if (part instanceof CircuitBreaker breaker) {
            all.put("force-open", body -> change(breaker, body, breaker::forceOpen));
            all.put("reset", body -> change(breaker, body, breaker::reset));
            all.put("disable", body -> change(breaker, body, breaker::disable));
        } else if (part instanceof AsyncBulkhead bulkhead && bulkhead.isLimitFixed()) {
            all.put("set-limit", body -> {
                int limit = limit(body.only("limit"));
                String before = Integer.toString(bulkhead.maxInFlight());
                bulkhead.setMaxInFlight(limit);
                return new Done(before, Integer.toString(bulkhead.maxInFlight()));
            });
        } else if (part instanceof RemoteBulkheadClient client) {
            String measure = part.kind().equals("cluster") ? "cap" : "limit";
            all.put("set-limit", body -> {
                int limit = limit(body.only("limit"));
                String before = gauge(part, measure);
                client.setMaxInFlight(limit);
                return new Done(before, Integer.toString(limit)); // calls in flight may exceed it for a while
            });
        } else if (part instanceof RateLimiter rate) {
            all.put("set-rate", body -> {
                body.only("permits", "periodMillis");
                long permits = body.whole("permits", 1, RateLimiter.LARGEST);
                long millis = body.whole("periodMillis", 1, RateLimiter.LARGEST / 1_000_000);
                String before = gauge(part, "limit") + " a second";
                rate.setRate(permits, Duration.ofMillis(millis));
                return new Done(before, gauge(part, "limit") + " a second");
            });
        } else if (part instanceof LeaseRunner runner) {
            all.put("replay", body -> LeaseActions.replay(runner::replay, body));
            all.put("release", body -> LeaseActions.revoke(runner, body));
        } else if (part instanceof WorkLease lease) {
            all.put("replay", body -> LeaseActions.replay(lease::replay, body));
            if (lease instanceof SharedWorkLease shared) {
                all.put("release", body -> LeaseActions.release(shared, body));
            }
        } else if (isGroup(part)) {
            all.put("set-limit", body -> GroupActions.setLimit(part, body));
            all.put("evict", body -> GroupActions.evict(part, body));
        }
        return all;
    }

    private static Done change(CircuitBreaker breaker, Body body, Runnable change) {
        body.only();
        String before = breaker.state().toString();
        change.run();
        return new Done(before, breaker.state().toString());
    }

    static int limit(Body body) {
        return (int) body.whole("limit", 1, Integer.MAX_VALUE);
    }

    /** Returns a gauge of a part as text. */
    static String gauge(Part part, String measure) {
        String[] found = {"unknown"};
        part.read(new Reading() {
            @Override
            public void gauge(String name, double value, String... tags) {
                if (name.equals(measure) && tags.length == 0) {
                    found[0] = value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
                }
            }

            @Override
            public void count(String name, long total, String... tags) {}

            @Override
            public void time(String name, long count, long total, long p50, long p99, long max, String... tags) {}

            @Override
            public void state(String name, String value) {}
        });
        return found[0];
    }
}
