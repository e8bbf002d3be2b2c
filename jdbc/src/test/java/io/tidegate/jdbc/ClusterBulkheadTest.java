package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.RemoteCapability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of a cluster bulkhead in several processes, on PostgreSQL. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClusterBulkheadTest {
    private static final String NAME = "payments";
    private static final int CAP = 4;
    private static final String HOLDS_ALL = "holds all";

    private final TestDatabase database = TestDatabase.create(Kind.POSTGRES);
    private final CapStore store = JdbcCapStore.of(database.pool());
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
        database.close();
    }

    /** A process that takes everything and gives nothing back. */
    static final class Greedy {
        private Greedy() {}

        public static void main(String[] url) {
            CapStore store = JdbcCapStore.of(TestDatabase.newPool(url[0]));
            ClusterBulkhead bulkhead = member(store, Executors.newScheduledThreadPool(2));
            RemoteCapability capability = bulkhead.takeCapability();
            List<CompletableFuture<String>> starts = new ArrayList<>();
            for (int i = 0; i < CAP; i++) {
                CompletableFuture<String> start = new CompletableFuture<>();
                starts.add(start);
                bulkhead.submit(capability, "greedy " + i, () -> {
                    start.complete("started");
                    return new CompletableFuture<>();
                });
            }
            starts.forEach(CompletableFuture::join);
            System.out.println(HOLDS_ALL);
        }
    }

    private static ClusterBulkhead member(CapStore store, ScheduledExecutorService scheduler) {
        return ClusterBulkhead.builder(store, NAME, CAP, scheduler)
                .policy(BackpressurePolicy.queue(10, 600_000))
                .leaseDuration(Duration.ofSeconds(2))
                .build();
    }

    @Test
    @DisplayName("INV-RB-CAPPED the slice of a process that is killed comes back after its lease, and not before")
    void process_isKilled_sliceComesBack() throws Exception {
        Process greedy = start(Greedy.class, database.url());
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(greedy.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.lines().filter(HOLDS_ALL::equals).findFirst()).isPresent();
            ClusterBulkhead bulkhead = member(store, scheduler);
            RemoteCapability capability = bulkhead.takeCapability();
            List<CompletableFuture<Integer>> heldAtStart = new ArrayList<>();
            CompletableFuture<String> end = new CompletableFuture<>();
            for (int i = 0; i < CAP; i++) {
                CompletableFuture<Integer> start = new CompletableFuture<>();
                heldAtStart.add(start);
                bulkhead.submit(capability, "patient " + i, () -> {
                    start.complete(store.inspect(NAME).orElseThrow().held());
                    return end;
                });
            }

            greedy.destroyForcibly().waitFor();

            for (CompletableFuture<Integer> held : heldAtStart) {
                assertThat(held.get(5, TimeUnit.MINUTES)).isLessThanOrEqualTo(CAP);
            }
            assertThat(store.inspect(NAME).orElseThrow().members()).hasSize(1);
            end.complete("done");
            bulkhead.close();
            while (!store.inspect(NAME).orElseThrow().members().isEmpty()) {
                Thread.onSpinWait(); // a claim may be under way; leaving comes after it
            }
        } finally {
            greedy.destroyForcibly();
        }
    }

    @Test
    @DisplayName("a process that may not claim learns why, and so do its callers: it does not look like an outage")
    void claim_notAllowed_saysWhy() throws Exception {
        String schema = database.text("select current_schema()");
        String stranger = "stranger_" + schema;
        database.execute("create role " + stranger + " login");
        database.execute("grant usage on schema " + schema + " to " + stranger);
        database.execute("grant select on all tables in schema " + schema + " to " + stranger);
        try (HikariDataSource pool =
                TestDatabase.newPool(database.url().replace("user=postgres", "user=" + stranger))) {
            CompletableFuture<Throwable> reported = new CompletableFuture<>();
            ClusterBulkhead bulkhead = ClusterBulkhead.builder(JdbcCapStore.of(pool), NAME, CAP, scheduler)
                    .listener(new ClusterBulkhead.Listener() {
                        @Override
                        public void claimFailed(Throwable cause) {
                            reported.complete(cause);
                        }
                    })
                    .build();

            assertThat(reported.get(5, TimeUnit.MINUTES))
                    .isInstanceOfSatisfying(
                            JdbcLeaseException.class,
                            cause -> assertThat(cause.reason()).isEqualTo(Reason.NOT_ALLOWED));
            assertThat(bulkhead.standing().lastFailure()).containsInstanceOf(JdbcLeaseException.class);
            CompletionStage<String> refused = bulkhead.submit(
                    bulkhead.takeCapability(), "request", () -> CompletableFuture.completedFuture("done"));
            assertThatThrownBy(() -> refused.toCompletableFuture().get(5, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(BulkheadException.class)
                    .hasMessageContaining("Not allowed");
            bulkhead.close();
        }
    }

    private static Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
