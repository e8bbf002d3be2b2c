package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InMemorySharedLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final ManualClock clock = new ManualClock();
    private final InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);
    private final SharedWorkLease ours = store.lease("orders", 3, "we", LEASE);
    private final SharedWorkLease theirs = store.lease("orders", 3, "they", LEASE);

    /** The contract, on leases in memory. */
    @Nested
    class Contract extends SharedWorkLeaseContract {
        private ManualClock time = new ManualClock();
        private InMemorySharedLease.Store opened = new InMemorySharedLease.Store(time);

        @Override
        protected void openStore() {
            time = new ManualClock();
            opened = new InMemorySharedLease.Store(time);
        }

        @Override
        protected SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
            return opened.lease(name, maxRetries, owner, leaseDuration);
        }

        @Override
        protected void pass(Duration time) {
            this.time.advance(time);
        }
    }

    @Test
    @DisplayName("WL-21 a lease ends at the end of its duration, to the millisecond, by the store's clock")
    void lease_duration_isExact() {
        ours.tryAcquire("A", 1);
        clock.advance(LEASE.minusMillis(1));
        assertThat(theirs.tryAcquire("A", 1)).isEqualTo(new AcquireResult.HeldElsewhere("we", 60_000));
        assertThat(ours.pending(1, "")).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(ours.pending(1, "")).containsExactly("A");
        assertThat(theirs.tryAcquire("A", 1)).isInstanceOf(AcquireResult.Acquired.class);
    }

    @Test
    @DisplayName("WL-30 if the clock is set back, a pending domain is held again")
    void pending_clockSetBack_isHeldAgain() {
        ours.tryAcquire("A", 1);
        clock.advance(LEASE);
        assertThat(ours.pending(1, "")).containsExactly("A");
        clock.advance(LEASE.negated());
        assertThat(ours.pending(1, "")).isEmpty();
        assertThat(theirs.tryAcquire("A", 1)).isInstanceOf(AcquireResult.HeldElsewhere.class);
        clock.advance(LEASE);
        assertThat(ours.pending(1, "")).containsExactly("A");
    }

    @Test
    @DisplayName("WL-30 pending does not look at domains whose leases have not ended")
    void pending_manyHeld_looksAtFew() {
        CountingClock counting = new CountingClock();
        SharedWorkLease lease = new InMemorySharedLease.Store(counting).lease("orders", 0, "we", LEASE);
        for (int domain = 0; domain < 10_000; domain++) {
            lease.tryAcquire("domain " + domain, 1);
            counting.now++;
        }
        counting.now = LEASE.toMillis() + 1;
        counting.asked = 0;
        assertThat(lease.pending(10, "")).containsExactly("domain 0", "domain 1");
        assertThat(counting.asked).isLessThan(10);
    }

    @Test
    @DisplayName("WL-14 WL-27 settings that make no sense are refused")
    void lease_misuse_isRefused() {
        assertThatThrownBy(() -> store.lease(" ", 0, "we", LEASE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: \" \" (expected: not blank)");
        assertThatThrownBy(() -> store.lease("orders", -1, "we", LEASE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxRetries: -1 (expected: >= 0)");
        assertThatThrownBy(() -> store.lease("orders", 0, "", LEASE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("owner: \"\" (expected: not empty)");
        assertThatThrownBy(() -> store.lease("orders", 0, "we", Duration.ofNanos(999_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("leaseDuration: PT0.000999999S (expected: >= PT0.001S)");
    }

    private static final class CountingClock extends Clock {
        private long now;
        private int asked;

        @Override
        public long millis() {
            asked++;
            return now;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
