package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.RemoteCapability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of a cluster bulkhead on a real server. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClusterBulkheadTest {
    private static final String NAME = "payments";
    private static final int CAP = 5;
    private static final Duration LEASE = Duration.ofMillis(500);

    @TempDir
    Path folder;

    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(3);
    private RealRedis redis;
    private CapStore store;

    @BeforeEach
    void start() throws IOException {
        redis = new RealRedis(folder);
        StatefulRedisConnection<String, String> connection = redis.connect();
        connection.setTimeout(Duration.ofSeconds(10));
        store = RedisCapStore.of(connection);
    }

    @AfterEach
    void stop() throws IOException {
        scheduler.shutdownNow();
        redis.close();
    }

    private ClusterBulkhead.Builder builder() {
        return ClusterBulkhead.builder(store, NAME, CAP, scheduler).leaseDuration(LEASE);
    }

    private static Throwable submit(ClusterBulkhead bulkhead, RemoteCapability capability, String requestId) {
        return bulkhead.submit(capability, requestId, () -> CompletableFuture.completedFuture("done"))
                .handle((value, error) -> error)
                .toCompletableFuture()
                .join();
    }

    /** Repeats the request until it is admitted, because the engine may be slow at first. */
    private static void awaitAdmission(ClusterBulkhead bulkhead, RemoteCapability capability, String requestId) {
        while (submit(bulkhead, capability, requestId) != null) {
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName(
            "without the engine requests go on until the lease ends, then are refused with a code, until it is back")
    void engine_isAway_failsClosed() throws IOException {
        AtomicLong nanos = new AtomicLong();
        ClusterBulkhead bulkhead = builder().ticker(nanos::get).build();
        RemoteCapability capability = bulkhead.takeCapability();
        awaitAdmission(bulkhead, capability, "before");

        redis.stop();
        assertThat(submit(bulkhead, capability, "first")).isNull();
        nanos.addAndGet(LEASE.toNanos());
        Throwable refusal = submit(bulkhead, capability, "late");

        assertThat(refusal).isInstanceOfSatisfying(BulkheadException.class, thrown -> {
            assertThat(thrown.code()).isEqualTo("RB_ERR_NO_LEASE");
            assertThat(thrown.retryAfterMs().orElse(0)).isPositive();
        });
        assertThat(bulkhead.standing().slice()).isZero();
        redis.start();
        awaitAdmission(bulkhead, capability, "after");
        assertThat(bulkhead.standing().failedClaims()).isZero();
        bulkhead.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("INV-RB-CAPPED three members under load stay within the cap, and each gets something")
    void members_underLoad_stayWithinTheCap(boolean strict) throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        List<ClusterBulkhead> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ClusterBulkhead.Builder builder =
                    builder().leaseDuration(Duration.ofSeconds(6)).policy(BackpressurePolicy.queue(100, 600_000));
            ClusterBulkhead member = strict ? builder.strict().build() : builder.build();
            members.add(member);
            RemoteCapability capability = member.takeCapability();
            for (int request = 0; request < 60; request++) {
                ends.add(member.submit(capability, "r" + request, () -> {
                            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                            CompletableFuture<String> operation = new CompletableFuture<>();
                            scheduler.schedule(
                                    () -> {
                                        inFlight.decrementAndGet();
                                        operation.complete("done");
                                    },
                                    2,
                                    TimeUnit.MILLISECONDS);
                            return operation;
                        })
                        .toCompletableFuture());
            }
        }

        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(5, TimeUnit.MINUTES);

        assertThat(most).hasValueBetween(1, CAP);
        members.forEach(ClusterBulkhead::close);
        while (!store.inspect(NAME).orElseThrow().members().isEmpty()) {
            Thread.onSpinWait(); // a claim may be under way; leaving comes after it
        }
    }
}
