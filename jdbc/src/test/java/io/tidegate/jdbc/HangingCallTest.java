package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.Completion;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeasedWork;
import io.tidegate.relay.Protocol;
import io.tidegate.relay.Relay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** One call hangs. The pool is as small as the guide allows, and tasks use it, too. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HangingCallTest {
    private static final int THREADS = 2;
    private static final int CONNECTIONS = THREADS + 2;
    private static final Duration LEASE = Duration.ofMillis(400);
    private static final String LOCKED = "locked";
    private static final String RUNS = "runs";
    private static final String WAITS = "waits for a thread";

    /** A service with its own pool. No other process takes anything over, so a slow call costs no lease. */
    private static final class Service implements AutoCloseable {
        final CountDownLatch begun = new CountDownLatch(THREADS);
        final CountDownLatch end = new CountDownLatch(1);
        final LeaseRunner runner;
        private final JdbcWorkLease lease;
        private final HikariDataSource pool;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

        Service(String url) {
            pool = TestDatabase.newPool(url);
            pool.setMaximumPoolSize(CONNECTIONS);
            openAll();
            lease = JdbcWorkLease.builder(pool, "orders", 2)
                    .leaseDuration(LEASE)
                    .lockTimeout(Duration.ofMinutes(5))
                    .build();
            runner = LeaseRunner.builder(lease, this::work, threads, scheduler)
                    .sweepEvery(Duration.ofHours(1))
                    .build();
        }

        /**
         * Opens all connections: one that is opened later could be the one that hangs, and the pool opens one at a
         * time.
         */
        private void openAll() {
            List<Connection> all = new ArrayList<>();
            try {
                for (int i = 0; i < CONNECTIONS; i++) {
                    all.add(pool.getConnection());
                }
                for (Connection connection : all) {
                    connection.close();
                }
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }

        private void work(LeasedWork work) throws SQLException, InterruptedException {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                if (work.domainId().equals(LOCKED)) {
                    lease.succeed(connection, work);
                }
                begun.countDown();
                end.await();
                connection.commit();
            }
        }

        CompletableFuture<Completion> offer(String domainId, long offset) {
            return runner.completion(domainId, offset).toCompletableFuture();
        }

        @Override
        public void close() {
            end.countDown();
            runner.close();
            threads.shutdown();
            scheduler.shutdown();
            pool.close();
        }
    }

    /** Waits until each lease was prolonged so often from now on. */
    private static void awaitRenewals(TestDatabase database, String... domainIds) {
        JdbcWorkLease witness =
                JdbcWorkLease.builder(database.pool(), "orders", 2).build();
        for (String domainId : domainIds) {
            for (int renewals = 0; renewals < 3; renewals++) {
                long before = until(witness, domainId);
                while (until(witness, domainId) == before) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static long until(JdbcWorkLease witness, String domainId) {
        return witness.summary(domainId)
                .orElseThrow()
                .lease()
                .orElseThrow()
                .holder()
                .orElseThrow()
                .untilMillis();
    }

    private static void assertAllProcessed(Service service, Stream<CompletableFuture<Completion>> ends) {
        assertThat(ends).allSatisfy(end -> assertThat(end.join()).isEqualTo(Completion.PROCESSED));
        assertThat(service.runner.stats().lost()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2_FILE")
    @DisplayName("WR-6 while a task's own transaction locks a domain, and an offer waits for it, others are renewed")
    void task_locksItsDomain_othersAreRenewed(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind);
                Service service = new Service(database.url())) {
            List<CompletableFuture<Completion>> ends =
                    List.of(service.offer(LOCKED, 1), service.offer(RUNS, 1), service.offer(WAITS, 1));
            service.begun.await();
            CompletableFuture<CompletableFuture<Completion>> hanging =
                    CompletableFuture.supplyAsync(() -> service.offer(LOCKED, 2));
            while (!database.somebodyWaits()) {
                Thread.onSpinWait();
            }

            awaitRenewals(database, RUNS, WAITS);

            assertThat(hanging).isNotDone();
            service.end.countDown();
            assertAllProcessed(service, Stream.concat(ends.stream(), Stream.of(hanging.join())));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "REDIS")
    @DisplayName("WR-6 while a renewal hangs whose connection does not answer any more, all leases are renewed")
    void renewal_neverAnswered_allAreRenewed(Protocol protocol) throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.valueOf(protocol.name()))) {
            Relay relay = new Relay(protocol, database.serverPort());
            Service service = new Service(database.urlThrough(relay.port()));
            try {
                List<CompletableFuture<Completion>> ends =
                        List.of(service.offer("one", 1), service.offer(RUNS, 1), service.offer(WAITS, 1));
                service.begun.await();
                relay.hangNextReply();
                while (relay.hanging() == 0) {
                    Thread.onSpinWait();
                }

                awaitRenewals(database, "one", RUNS, WAITS);

                service.end.countDown();
                assertAllProcessed(service, ends.stream());
            } finally {
                relay.close(); // ends the hanging call
                service.close();
            }
        }
    }
}
