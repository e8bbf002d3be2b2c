package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private final WorkLease lease = WorkLease.inMemory(0);

    @Test
    @DisplayName("WL-9 the texts of answers and snapshots do not show the live token")
    void toString_ofWhatHasAToken_doesNotShowIt() {
        AcquireResult.Acquired acquired = (AcquireResult.Acquired) lease.tryAcquire("A", 1);
        AcquireResult again = lease.tryAcquire("A", 1);
        DomainSnapshot domain = lease.inspect("A").orElseThrow();

        assertThat(acquired).hasToString("Acquired(fence 1)");
        assertThat(again).hasToString("AlreadyAcquired(fence 1)");
        assertThat(domain.toString()).contains("offset 1, fence 1").doesNotContain(acquired.token());
    }
}
