package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls every operation once, on each database; the test also runs on the oldest JDK. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SmokeTest {
    @ParameterizedTest
    @EnumSource
    void operations_each_work(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            everyOperation(JdbcWorkLease.builder(database.pool(), "orders", 0).build(), "A");
            assertThat(database.connectionsInUse()).isZero();
        }
    }

    /** Calls every operation on a new domain. */
    static void everyOperation(JdbcWorkLease lease, String domainId) {
        String first = ((AcquireResult.Acquired) lease.tryAcquire(domainId, 1)).token();
        assertThat(lease.tryAcquire(domainId, 2)).isEqualTo(new AcquireResult.Enqueued());
        lease.renew(domainId, first);
        assertThat(lease.succeed(domainId, first).code()).isEqualTo("NEXT_HINT");
        String second = ((AcquireResult.Acquired) lease.tryAcquire(domainId, 2)).token();
        assertThat(lease.fail(domainId, second).code()).isEqualTo("GIVE_UP_NO_BACKLOG");
        assertThat(lease.failedWork(domainId, 10)).hasSize(1);
        assertThat(lease.replay(domainId, 2)).isTrue();
        lease.fail(domainId, ((AcquireResult.Acquired) lease.tryAcquire(domainId, 2)).token());
        assertThat(lease.deleteFailed(Duration.ZERO)).isEqualTo(1);
        lease.forget(domainId, 0);
        assertThat(lease.inspect(domainId).orElseThrow().processedCount()).isEqualTo(1);
        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(1);
        AcquireResult third =
                lease.tryAcquireAll(List.of(new Offer(domainId, 3))).get(0).orThrow();
        Finish finish = new Finish(domainId, ((AcquireResult.Acquired) third).token());
        assertThat(lease.succeedAll(List.of(finish)).get(0).orThrow().code()).isEqualTo("NO_BACKLOG");
        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(1);
    }
}
