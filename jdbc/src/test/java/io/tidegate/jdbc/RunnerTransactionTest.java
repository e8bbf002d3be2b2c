package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.Completion;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The example of the guide: a runner whose tasks write and succeed in one transaction, in two processes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RunnerTransactionTest {
    private static final int DOMAINS = 6;
    private static final long OFFSETS = 12;

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    private final class Process implements AutoCloseable {
        final JdbcWorkLease lease;
        final LeaseRunner runner;
        private final TestDatabase database;
        private final ExecutorService threads = Executors.newFixedThreadPool(3);
        private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

        Process(TestDatabase database) {
            this.database = database;
            lease = JdbcWorkLease.builder(database.pool(), "orders", 3)
                    .lockTimeout(Duration.ofMinutes(5))
                    .build();
            runner = LeaseRunner.builder(lease, this::book, threads, scheduler)
                    .backoff(Backoff.none())
                    .sweepEvery(Duration.ofMillis(20))
                    .listener(new LeaseRunnerListener() {
                        @Override
                        public void onLost(LeasedWork work, IllegalStateException refusal) {
                            errors.add("lost " + work);
                        }

                        @Override
                        public void onError(String domainId, Throwable error) {
                            errors.add(error.toString());
                        }
                    })
                    .build();
        }

        /** Books the work. Every fourth attempt fails after all writes, and is rolled back. */
        private void book(LeasedWork work) throws SQLException {
            try (Connection connection = database.pool().getConnection()) {
                connection.setAutoCommit(false);
                try {
                    write(connection, work);
                    lease.succeed(connection, work);
                    if (work.retryCount() == 0 && work.offset() % 4 == 0) {
                        throw new SQLException("something else");
                    }
                    connection.commit();
                } catch (RuntimeException | SQLException refused) {
                    connection.rollback();
                    throw refused;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        }

        private static void write(Connection connection, LeasedWork work) throws SQLException {
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into booked (domain, number, fence) values (?, ?, ?)")) {
                insert.setString(1, work.domainId());
                insert.setLong(2, work.offset());
                insert.setLong(3, work.fence());
                insert.executeUpdate();
            }
        }

        @Override
        public void close() {
            runner.close();
            threads.shutdown();
            scheduler.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    @DisplayName("WL-25 WR-1 WR-4 two runners' writes in their tasks' transactions are there once, in order, none lost")
    void tasks_inTheirOwnTransactions_writeOnce(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute("create table booked (domain varchar(20), number bigint, fence bigint)");
            List<CompletableFuture<Completion>> ends = new ArrayList<>();
            try (Process one = new Process(database);
                    Process other = new Process(database)) {
                for (long offset = 1; offset <= OFFSETS; offset++) {
                    for (int domain = 0; domain < DOMAINS; domain++) {
                        Process process = (offset + domain) % 2 == 0 ? one : other;
                        ends.add(process.runner
                                .completion("domain " + domain, offset)
                                .toCompletableFuture());
                    }
                }
                CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
            }

            assertThat(ends).allSatisfy(end -> assertThat(end.join()).isEqualTo(Completion.PROCESSED));
            assertThat(errors).isEmpty();
            for (int domain = 0; domain < DOMAINS; domain++) {
                assertThat(booked(database, "domain " + domain))
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(1, OFFSETS).boxed().toList());
            }
        }
    }

    private static List<Long> booked(TestDatabase database, String domain) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                Statement query = connection.createStatement();
                ResultSet rows = query.executeQuery(
                        "select number from booked where domain = '" + domain + "' order by fence, number")) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
    }
}
