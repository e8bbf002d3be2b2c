package io.tidegate.spring;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/** Shows the parts, and changes them if {@code management.endpoint.tidegate.access} is unrestricted. */
@WebEndpoint(id = "tidegate", defaultAccess = Access.READ_ONLY)
final class TidegateEndpoint {
    private static final String ACTIONS = "forceOpen or reset of a breaker, setLimit of a bulkhead, rate or guard";

    private final Registry registry;
    private final @Nullable Guards guards;

    TidegateEndpoint(Registry registry, @Nullable Guards guards) {
        this.registry = registry;
        this.guards = guards;
    }

    @ReadOperation
    public Map<String, Object> parts() {
        return Map.of("parts", registry.parts().stream().map(this::shown).toList());
    }

    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> part(@Selector String kind, @Selector String name) {
        return registry.find(kind, name)
                .map(part -> new WebEndpointResponse<>(shown(part)))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    /**
     * Changes a part.
     *
     * @param limit the new limit of a bulkhead
     * @param permits the new permits of a rate
     * @param period the new period of a rate
     * @param timeLimit the new limit of a guard of the configuration
     * @param attemptTimeLimit the new limit on its attempts
     * @return the part after the change
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> change(
            @Selector String kind,
            @Selector String name,
            @Selector String action,
            @Nullable Integer limit,
            @Nullable Long permits,
            @Nullable Duration period,
            @Nullable Duration timeLimit,
            @Nullable Duration attemptTimeLimit) {
        Optional<Part> found = registry.find(kind, name);
        if (found.isEmpty()) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        Part part = found.get();
        try {
            if (part instanceof CircuitBreaker breaker && action.equals("forceOpen")) {
                breaker.forceOpen();
            } else if (part instanceof CircuitBreaker breaker && action.equals("reset")) {
                breaker.reset();
            } else if (part instanceof AsyncBulkhead bulkhead && action.equals("setLimit")) {
                bulkhead.setMaxInFlight(given("limit", limit, ">= 1"));
            } else if (part instanceof RateLimiter rate && action.equals("setLimit")) {
                rate.setRate(given("permits", permits, ">= 1"), given("period", period, "a duration, such as 1s"));
            } else if (part instanceof Guard && guards != null && action.equals("setLimit")) {
                if (timeLimit == null && attemptTimeLimit == null) {
                    given("timeLimit", null, "timeLimit or attemptTimeLimit, a duration, such as 2s");
                }
                guards.setTimeLimits(name, timeLimit, attemptTimeLimit);
            } else {
                throw new IllegalArgumentException("action: " + action + " (expected: " + ACTIONS + ")");
            }
        } catch (IllegalArgumentException | UnsupportedOperationException bad) {
            String reason = String.valueOf(bad.getMessage());
            throw new InvalidEndpointRequestException(reason, reason);
        }
        return new WebEndpointResponse<>(shown(part));
    }

    private static <T> T given(String name, @Nullable T value, String expected) {
        if (value == null) {
            throw new IllegalArgumentException(name + ": not given (expected: " + expected + ")");
        }
        return value;
    }

    // Shown

    private Map<String, Object> shown(Part part) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("kind", part.kind());
        shown.put("name", part.name());
        Map<String, String> tags = registry.tags(part);
        if (!tags.isEmpty()) {
            shown.put("tags", tags);
        }
        Measures measures = new Measures();
        part.read(measures);
        shown.put("measures", measures.all);
        return shown;
    }

    private static final class Measures implements Reading {
        final List<Map<String, Object>> all = new ArrayList<>();

        private Map<String, Object> add(String measure, String... tags) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("measure", measure);
            if (tags.length > 0) {
                Map<String, String> pairs = new LinkedHashMap<>();
                for (int i = 0; i < tags.length; i += 2) {
                    pairs.put(tags[i], tags[i + 1]);
                }
                shown.put("tags", pairs);
            }
            all.add(shown);
            return shown;
        }

        @Override
        public void gauge(String measure, double value, String... tags) {
            add(measure, tags).put("value", value);
        }

        @Override
        public void count(String measure, long total, String... tags) {
            add(measure, tags).put("total", total);
        }

        @Override
        public void time(
                String measure,
                long count,
                long totalNanos,
                long p50Nanos,
                long p99Nanos,
                long maxNanos,
                String... tags) {
            Map<String, Object> shown = add(measure, tags);
            shown.put("count", count);
            shown.put("totalNanos", totalNanos);
            shown.put("p50Nanos", p50Nanos);
            shown.put("p99Nanos", p99Nanos);
            shown.put("maxNanos", maxNanos);
        }

        @Override
        public void state(String measure, String value) {
            add(measure).put("state", value);
        }
    }
}
