package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.memory.Weight;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What leases in memory delete. */
class DeletionTest {
    private static final String A = "A";
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicLong millis = new AtomicLong(1_000_000_000_000L);
    private final WorkLease lease = WorkLease.builder(0).clock(clock()).build();

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(millis.get());
            }
        };
    }

    private static Acquired acquire(WorkLease from, String domainId, long offset) {
        return (Acquired) from.tryAcquire(domainId, offset);
    }

    private static long process(WorkLease from, String domainId, long offset) {
        Acquired acquired = acquire(from, domainId, offset);
        from.succeed(domainId, acquired.token());
        return acquired.fence();
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Test
    @DisplayName("WL-8 WL-13 an idle domain is deleted, its offsets are new again, and its fence goes on rising")
    void deleteIdle_idle_fenceRises() {
        process(lease, "other", 1);
        process(lease, A, 1);
        long last = process(lease, A, 2);

        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(2);
        assertThat(lease.deleteIdle(Duration.ZERO)).isZero();

        assertThat(lease.inspect(A)).isEmpty();
        assertThatThrownBy(() -> lease.succeed(A, "token")).isInstanceOf(LeaseNotFoundException.class);
        assertThat(process(lease, A, 1)).isGreaterThan(last);
    }

    @Test
    @DisplayName("WL-13 a domain with something leased, queued or failed is not idle")
    void deleteIdle_open_isKept() {
        acquire(lease, "leased", 1);
        Acquired first = acquire(lease, "queued", 1);
        lease.tryAcquire("queued", 2);
        lease.succeed("queued", first.token());
        lease.fail("failed", acquire(lease, "failed", 1).token());

        assertThat(lease.deleteIdle(Duration.ZERO)).isZero();
        for (String kept : List.of("leased", "queued", "failed")) {
            assertThat(lease.inspect(kept)).isPresent();
        }
    }

    @Test
    @DisplayName(
            "WL-13 the time of an idle domain counts from the first call that finds it so, and anew when it was in use")
    void deleteIdle_usedMeanwhile_countsAnew() {
        process(lease, A, 1);
        pass(HOUR.multipliedBy(2));
        assertThat(lease.deleteIdle(HOUR)).isZero();
        pass(HOUR.minusSeconds(1));
        assertThat(lease.deleteIdle(HOUR)).isZero();
        process(lease, A, 2);
        pass(HOUR);
        assertThat(lease.deleteIdle(HOUR)).isZero();
        pass(HOUR.plusSeconds(1));
        assertThat(lease.deleteIdle(HOUR)).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-13 a clock that jumps back deletes nothing early")
    void deleteIdle_clockFallsBack_countsAnew() {
        process(lease, A, 1);
        lease.deleteIdle(HOUR);
        pass(HOUR.negated());
        assertThat(lease.deleteIdle(HOUR)).isZero();
        pass(HOUR);
        assertThat(lease.deleteIdle(HOUR)).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(lease.deleteIdle(HOUR)).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-13 deleted domains take no memory")
    void deleteIdle_many_leaveNothing() {
        WorkLease many = WorkLease.inMemory(0);
        process(many, A, 1);
        long before = Weight.of(many);
        for (int i = 0; i < 1_000; i++) {
            process(many, "domain " + i, 1);
            many.deleteIdle(Duration.ZERO);
        }

        assertThat(Weight.of(many)).isLessThanOrEqualTo(before);
    }

    @Test
    @DisplayName("WL-13 a failure that is deleted does not run again, and cannot be replayed")
    void deleteFailed_old_staysTerminal() {
        lease.fail(A, acquire(lease, A, 1).token());
        pass(HOUR);
        lease.fail(A, acquire(lease, A, 2).token());

        assertThat(lease.deleteFailed(HOUR)).isEqualTo(1);

        assertThat(lease.failedWork(A, 10)).extracting(FailedWork::offset).containsExactly(2L);
        assertThat(lease.tryAcquire(A, 1).code()).isEqualTo("ALREADY_PROCESSED");
        assertThat(lease.replay(A, 1)).isFalse();
        assertThat(lease.inspect(A).orElseThrow().processedCount()).isZero();
        assertThat(lease.deleteFailed(Duration.ZERO)).isEqualTo(1);
        assertThat(lease.deleteIdle(Duration.ZERO)).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-13 WL-32 all domains can be forgotten up to an offset at once")
    void forgetAll_everyDomain_isForgotten() {
        process(lease, A, 7);
        acquire(lease, "leased", 5);

        assertThat(lease.forgetAll(6)).isEqualTo(2);

        assertThat(lease.tryAcquire(A, 6).code()).isEqualTo("ALREADY_PROCESSED");
        assertThat(lease.tryAcquire("leased", 4).code()).isEqualTo("ALREADY_PROCESSED");
        assertThat(lease.tryAcquire("leased", 5).code()).isEqualTo("ALREADY_ACQUIRED");
        assertThat(lease.inspect("never seen")).isEmpty();
    }

    @Test
    void delete_negativeAge_isMisuse() {
        Duration negative = Duration.ofMillis(-1);
        assertThatThrownBy(() -> lease.deleteIdle(negative))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("idle: PT-0.001S (expected: not negative)");
        assertThatThrownBy(() -> lease.deleteFailed(negative)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("WL-8 WL-11 fences rise, and no lease is lost, while domains are deleted under their users' hands")
    void deleteIdle_whileInUse_losesNothing() throws InterruptedException, ExecutionException {
        for (Supplier<WorkLease> kind : List.<Supplier<WorkLease>>of(
                () -> WorkLease.inMemory(0),
                () -> WorkLease.builder(0)
                        .tokens((domainId, offset, fence) -> domainId + offset + "/" + fence)
                        .build())) {
            WorkLease shared = kind.get();
            ExecutorService threads = Executors.newFixedThreadPool(3);
            AtomicBoolean over = new AtomicBoolean();
            Future<?> deletes = threads.submit(() -> {
                while (!over.get()) {
                    shared.deleteIdle(Duration.ZERO);
                }
            });
            List<Future<?>> users = new ArrayList<>();
            for (String domainId : List.of("one", "two")) {
                users.add(threads.submit(() -> {
                    long fence = 0;
                    for (int i = 0; i < 20_000; i++) {
                        long next = process(shared, domainId, i);
                        assertThat(next).isGreaterThan(fence);
                        fence = next;
                    }
                }));
            }
            for (Future<?> user : users) {
                user.get();
            }
            over.set(true);
            deletes.get();
            threads.shutdown();
        }
    }
}
