package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Domains and failures that are deleted while other processes use them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DeletionRaceTest {
    private static final int WORKERS = 3;
    private static final int CYCLES = 120;

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    @DisplayName("WL-8 fences rise although domains and failures are deleted all the time")
    void fences_deletedMeanwhile_rise(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            assertThat(fencesRise(lease, () -> deleteAll(lease))).isTrue();
        }
    }

    @Test
    @DisplayName("a database in which deleted domains leave nothing behind is caught")
    void fences_forgottenWithDomain_areCaught() throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.H2_MEMORY)) {
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            assertThat(fencesRise(lease, "domain", () -> {
                        deleteAll(lease);
                        database.execute("delete from tidegate_fence");
                    }))
                    .isFalse();
        }
    }

    private static void deleteAll(JdbcWorkLease lease) {
        lease.deleteFailed(Duration.ZERO);
        lease.deleteIdle(Duration.ZERO);
    }

    /** Each worker uses a separate domain, and succeeds and fails in turns. */
    private static boolean fencesRise(JdbcWorkLease lease, Runnable deletion) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS + 1);
        try {
            AtomicBoolean ended = new AtomicBoolean();
            Future<?> deleting = threads.submit(() -> {
                while (!ended.get()) {
                    deletion.run();
                }
            });
            List<Future<Boolean>> workers = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                String domainId = "domain " + worker;
                workers.add(threads.submit(() -> fencesRise(lease, domainId, () -> {})));
            }
            boolean rise = true;
            for (Future<Boolean> worker : workers) {
                rise &= worker.get();
            }
            ended.set(true);
            deleting.get();
            return rise;
        } finally {
            threads.shutdown();
        }
    }

    private static boolean fencesRise(JdbcWorkLease lease, String domainId, Runnable afterEach) {
        long last = 0;
        boolean rise = true;
        for (long offset = 1; offset <= CYCLES; offset++) {
            AcquireResult.Acquired acquired = (AcquireResult.Acquired) lease.tryAcquire(domainId, offset);
            rise &= acquired.fence() > last;
            last = acquired.fence();
            if (offset % 2 == 0) {
                lease.succeed(domainId, acquired.token());
            } else {
                lease.fail(domainId, acquired.token());
            }
            afterEach.run();
        }
        return rise;
    }
}
