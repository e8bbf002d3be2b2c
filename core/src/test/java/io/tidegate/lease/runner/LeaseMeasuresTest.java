package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.WorkLease;
import io.tidegate.reading.Measures;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The measures of leases in memory and of their runners. */
class LeaseMeasuresTest extends RunnerFixture {
    private static final List<String> DOMAINS = List.of("A", "B", "C", "D");
    private static final int SEEDS = 30;
    private static final int STEPS = 200;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("OB-4 a lease in memory tells how many domains, waiting and failed offsets it has, after each step")
    void read_anyScript_agreesWithInspect(boolean ownClock) {
        for (int seed = 0; seed < SEEDS; seed++) {
            WorkLease.Builder builder = WorkLease.builder(1).maxBacklog(5);
            WorkLease store = (ownClock ? builder.clock(Clock.systemUTC()) : builder).build();
            Random random = new Random(seed);
            Map<String, String> tokens = new HashMap<>();
            for (int step = 0; step < STEPS; step++) {
                play(store, random, tokens);
                assertAgrees(store, "seed " + seed + ", step " + step);
            }
        }
    }

    private static void play(WorkLease store, Random random, Map<String, String> tokens) {
        String domain = DOMAINS.get(random.nextInt(DOMAINS.size()));
        String token = tokens.getOrDefault(domain, "none");
        long offset = random.nextInt(12);
        try {
            switch (random.nextInt(10)) {
                case 0 -> store.succeed(domain, token);
                case 1 ->
                    store.succeedAndTakeNext(domain, token)
                            .next()
                            .ifPresent(next -> tokens.put(domain, ((Acquired) next).token()));
                case 2, 3 -> store.fail(domain, token, new Failure(0, random.nextBoolean(), ""));
                case 4 -> store.replay(domain, offset);
                case 5 -> {
                    if (random.nextInt(8) == 0) {
                        store.deleteFailed(Duration.ZERO);
                        store.deleteIdle(Duration.ZERO);
                    }
                }
                default -> {
                    if (store.tryAcquire(domain, offset) instanceof Acquired acquired) {
                        tokens.put(domain, acquired.token());
                    }
                }
            }
        } catch (IllegalStateException refused) {
            // nothing has changed
        }
    }

    private static void assertAgrees(WorkLease store, String when) {
        long known = 0;
        long waiting = 0;
        long failed = 0;
        for (String domain : DOMAINS) {
            DomainSnapshot snapshot = store.inspect(domain).orElse(null);
            if (snapshot != null) {
                known++;
                waiting += snapshot.backlog().size();
                failed += snapshot.failedCount();
            }
        }
        assertThat(Measures.of(store).gauges)
                .as(when)
                .containsEntry("backlog", (double) waiting)
                .containsEntry("failed", (double) failed)
                .hasEntrySatisfying("domains", domains -> assertThat(domains).isBetween(0.0, (double) DOMAINS.size()));
        assertThat(Measures.of(store).gauges.get("domains")).as(when).isGreaterThanOrEqualTo(known);
    }

    @Test
    @DisplayName("OB-4 a runner tells attempts, retries and what was parked")
    void read_runner_tellsAttempts() {
        assertThat(Measures.of(runner).times.get("run").count()).isZero();
        failing(1);
        runner.offer(A, 1);
        runner.offer(A, 2);
        runToTheEnd();
        Measures told = Measures.of(runner);
        assertThat(told.counts)
                .isEqualTo(Map.of(
                        "ended[outcome, success]", 1L,
                        "ended[outcome, failure]", 1L + RETRIES,
                        "retries", (long) RETRIES,
                        "parked", 1L,
                        "lost", 0L));
        assertThat(told.gauges).isEqualTo(Map.of("domains", 0.0, "in.flight", 0.0, "waiting", 0.0));
        assertThat(told.times.get("run").count()).isEqualTo(2L + RETRIES);
    }

    @Test
    @DisplayName("OB-5 an attempt whose stage is pending runs until that ends")
    void read_pendingStage_runsUntilItsEnd() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        runner = LeaseRunner.stageBuilder(lease, work -> stage, executor, scheduler)
                .build();
        Measures.of(runner);
        runner.offer(A, 1);
        executor.runAll();
        assertThat(Measures.of(runner).times.get("run").count()).isZero();
        assertThat(Measures.of(runner).gauges).containsEntry("in.flight", 1.0);
        stage.complete("done");
        executor.runAll();
        assertThat(Measures.of(runner).times.get("run").count()).isEqualTo(1);
    }
}
