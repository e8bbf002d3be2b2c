package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.AcquireResult.Acquired;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A backlog that may hold two offsets. */
class BacklogBoundTest {
    private static final String A = "A";

    private final WorkLease lease = WorkLease.builder(0).maxBacklog(2).build();

    @Test
    @DisplayName(
            "WL-12 an offset more than may wait is refused, and nothing has changed; one that waits already is not")
    void tryAcquire_backlogFull_isRefused() {
        String token = ((Acquired) lease.tryAcquire(A, 1)).token();
        lease.tryAcquire(A, 2);
        lease.tryAcquire(A, 3);

        assertThatThrownBy(() -> lease.tryAcquire(A, 4))
                .isInstanceOfSatisfying(BacklogFullException.class, full -> {
                    assertThat(full.domainId()).isEqualTo(A);
                    assertThat(full.maxBacklog()).isEqualTo(2);
                    assertThat(full.code()).isEqualTo("WL_ERR_BACKLOG_FULL");
                })
                .hasMessage("backlog: full (expected: fewer than 2 offsets waiting in domain A)");

        assertThat(lease.inspect(A).orElseThrow().backlog()).containsExactly(2L, 3L);
        assertThat(lease.tryAcquire(A, 3).code()).isEqualTo("ENQUEUED");
        assertThat(lease.tryAcquire(A, 1).code()).isEqualTo("ALREADY_ACQUIRED");
        assertThat(lease.tryAcquire("B", 4).code()).isEqualTo("ACQUIRED");
        lease.succeed(A, token);
        lease.tryAcquire(A, 2);
        assertThat(lease.tryAcquire(A, 4).code()).isEqualTo("ENQUEUED");
    }

    @Test
    @DisplayName("WL-12 what is replayed finds room in a full backlog")
    void replay_backlogFull_waits() {
        lease.fail(A, ((Acquired) lease.tryAcquire(A, 1)).token());
        lease.tryAcquire(A, 2);
        lease.tryAcquire(A, 3);
        lease.tryAcquire(A, 4);

        assertThat(lease.replay(A, 1)).isTrue();
        assertThat(lease.inspect(A).orElseThrow().backlog()).containsExactly(3L, 4L, 1L);
    }

    @Test
    @DisplayName("WR-2 a runner's offer says at once that a backlog is full, and goes on with what waits")
    void offer_backlogFull_throws() {
        Deque<Runnable> threads = new ArrayDeque<>();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        LeaseRunner runner =
                LeaseRunner.builder(lease, work -> {}, threads::add, scheduler).build();
        for (long offset = 1; offset <= 3; offset++) {
            runner.offer(A, offset);
        }
        assertThatThrownBy(() -> runner.offer(A, 4)).isInstanceOf(BacklogFullException.class);
        assertThatThrownBy(() -> runner.completion(A, 4)).isInstanceOf(BacklogFullException.class);

        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(runner.stats().succeeded()).isEqualTo(3);
        runner.close();
        scheduler.shutdown();
    }

    @Test
    void maxBacklog_notPositive_isMisuse() {
        assertThatThrownBy(() -> WorkLease.builder(0).maxBacklog(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offsets: 0 (expected: >= 1)");
    }
}
