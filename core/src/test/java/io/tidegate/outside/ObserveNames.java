package io.tidegate.outside;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A program that reads the measures of parts, and has a part of its own. */
abstract class ObserveNames {
    private static final Duration LONG = Duration.ofMinutes(1);

    static final class Own implements Part {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public String kind() {
            return "own";
        }

        @Override
        public void read(Reading to) {
            to.gauge("limit", 4.0);
            to.gauge("limit", 4.0, "tag", "value");
            to.count("admitted", 5L);
            to.count("refused", 5L, "code", "FULL");
            to.time("run", 1L, 2L, 3L, 4L, 5L);
            to.time("run", 1L, 2L, 3L, 4L, 5L, "tag", "value");
            to.state("state", "CLOSED");
        }
    }

    static final class Reader implements Reading {
        @Override
        public void gauge(String measure, double value, String... tags) {}

        @Override
        public void count(String measure, long total, String... tags) {}

        @Override
        public void time(
                String measure,
                long count,
                long totalNanos,
                long p50Nanos,
                long p99Nanos,
                long maxNanos,
                String... tags) {}

        @Override
        public void state(String measure, String value) {}
    }

    List<Part> look() {
        Registry registry = new Registry();
        registry.onChange(() -> {});
        Own own = registry.add(new Own());
        CircuitBreaker breaker = registry.add(CircuitBreaker.of("a"), "team", "shop");
        RateLimiter limiter = registry.add(RateLimiter.of(5, LONG));
        boolean removed = registry.remove(own);
        Optional<Part> found = registry.find("breaker", "a");
        found.ifPresent(part -> part.read(new Reader()));
        String name = breaker.name() + breaker.kind() + limiter.name() + limiter.kind() + removed;
        List<Part> parts = registry.parts();
        return name.isEmpty() ? List.of() : parts;
    }

    List<Part> watched(RemoteBulkhead bulkhead) {
        AsyncBulkhead.Builder bulkheads = AsyncBulkhead.builder(4).watchHolders(LONG);
        RemoteBulkheadClient.Builder clients =
                RemoteBulkheadClient.builder(bulkhead).watchHolders(LONG);
        Guard.Builder guards = Guard.builder("a").watchHolders(LONG);
        return List.of(bulkheads.build(), clients.build(), guards.build());
    }
}
