package io.tidegate.docs;

import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.guard.Guard;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.WorkLease;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.testkit.InMemoryCapStore;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.h2.jdbcx.JdbcDataSource;

/** Real parts of every kind, used so that each of their series appears. */
final class EveryPart implements AutoCloseable {
    private static final Duration WATCH = Duration.ofHours(1);

    final Registry registry = new Registry();
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    private final CompletableFuture<Void> pending = new CompletableFuture<>();
    private final GroupExecutor groups = GroupExecutor.newVirtualThreadExecutor(
            GroupPolicy.builder().name("a").globalMaxInFlight(2).build());
    private final ClusterBulkhead cluster = ClusterBulkhead.builder(
                    new InMemoryCapStore(System::currentTimeMillis), "a", 2, scheduler)
            .watchHolders(WATCH)
            .build();
    private final LeaseRunner runner;

    EveryPart() {
        registry.add(AsyncBulkhead.builder(2).name("a").watchHolders(WATCH).build());
        registry.add(AdaptiveLimit.gradient().name("adaptive").build());
        registry.add(CircuitBreaker.of("a"));
        registry.add(RemoteBulkhead.builder(2).name("a").build());
        RemoteBulkheadClient client = registry.add(RemoteBulkheadClient.builder(
                        RemoteBulkhead.builder(2).name("client").build())
                .watchHolders(WATCH)
                .build());
        client.submit(null, "refused", () -> pending);
        registry.add(cluster).submit(null, "refused", () -> pending);
        groups.submitStage("a group", "a task", () -> pending);
        registry.add(groups);
        WorkLease lease = WorkLease.builder(3).name("lease").build();
        registry.add(lease);
        JdbcWorkLease database = registry.add(database());
        runner = LeaseRunner.builder(database, work -> {}, scheduler, scheduler)
                .name("a")
                .build();
        registry.add(runner);
        registry.add(Guard.standard("a"));
        CircuitBreaker open = CircuitBreaker.of("open");
        open.forceOpen();
        Guard watched = registry.add(
                Guard.builder("watched").breaker(open).watchHolders(WATCH).build());
        watched.submit(() -> pending);
        registry.add(RateLimiter.builder(1, Duration.ofSeconds(1)).name("a").build());
        reported(); // a measure that a part takes only for readers appears after the first reading
    }

    private static JdbcWorkLease database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:measures;DB_CLOSE_DELAY=-1");
        JdbcWorkLease.migrate(database);
        return JdbcWorkLease.builder(database, "database", 3).build();
    }

    /** Returns the measures that the parts report: the beginnings of the lines of the table. */
    Set<String> reported() {
        Set<String> reported = new TreeSet<>();
        registry.parts().forEach(part -> part.read(into(part.kind(), reported)));
        return reported;
    }

    private static Reading into(String kind, Set<String> reported) {
        return new Reading() {
            private void add(String measure, String type, String... tags) {
                Set<String> keys = new TreeSet<>();
                for (int i = 0; i < tags.length; i += 2) {
                    keys.add(tags[i]);
                }
                reported.add(Measure.reported(kind, measure, type, keys));
            }

            @Override
            public void gauge(String measure, double value, String... tags) {
                add(measure, "gauge", tags);
            }

            @Override
            public void count(String measure, long total, String... tags) {
                add(measure, "count", tags);
            }

            @Override
            public void time(String measure, long count, long total, long p50, long p99, long max, String... tags) {
                add(measure, "time", tags);
            }

            @Override
            public void state(String measure, String value) {
                add(measure, "state");
            }
        };
    }

    @Override
    public void close() {
        pending.complete(null);
        groups.close();
        cluster.close();
        runner.close();
        scheduler.shutdownNow();
    }
}
