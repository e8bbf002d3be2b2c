package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.memory.Allocations;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AllocationTest {
    private static final int CALLS = 100_000;

    private final WorkLease leases = WorkLease.inMemory(0);
    private long next;

    private void cycle() {
        Acquired acquired = (Acquired) leases.tryAcquire("A", next++);
        leases.succeed("A", acquired.token());
    }

    @Test
    @DisplayName("WL-13 to acquire and succeed costs its results, the token and the lease: at most 200 bytes")
    void cycle_ascending_allocatesLittle() {
        assertThat(Allocations.of(CALLS, i -> cycle())).isLessThan(200L * CALLS + Allocations.SLACK);
    }

    @Test
    @DisplayName("WL-1 what is answered without a lease costs nothing")
    void tryAcquire_processedOrQueued_allocatesNothing() {
        cycle();
        leases.tryAcquire("A", 10);
        leases.tryAcquire("A", 11);
        AcquireResult[] kept = new AcquireResult[1];

        assertThat(Allocations.of(CALLS, i -> kept[0] = leases.tryAcquire("A", 0)))
                .isLessThan(Allocations.SLACK);
        assertThat(kept[0]).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(Allocations.of(CALLS, i -> kept[0] = leases.tryAcquire("A", 11)))
                .isLessThan(Allocations.SLACK);
        assertThat(kept[0]).isEqualTo(new AcquireResult.Enqueued());
    }
}
