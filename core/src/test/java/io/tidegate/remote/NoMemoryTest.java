package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.stage.PendingNotifications;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NoMemoryTest {
    /** A request for which there is no memory the first time. */
    private static final class Unlucky implements IncomingRequest<String> {
        private BulkheadPermit kept;
        private int tries;
        private boolean told;

        @Override
        public CompletionStage<String> answered(AcquireResult result) {
            return new CompletableFuture<>();
        }

        @Override
        public void queued() {}

        @Override
        public void keep(BulkheadPermit permit) {
            tries++;
            if (tries == 1) {
                throw new OutOfMemoryError("for a test");
            }
            kept = permit;
        }

        @Override
        public BulkheadPermit kept() {
            return kept;
        }

        @Override
        public PendingNotifications granted() {
            told = true;
            return PendingNotifications.NONE;
        }

        @Override
        public PendingNotifications expired() {
            throw new AssertionError("expired");
        }

        @Override
        public void cancelled() {
            throw new AssertionError("cancelled");
        }

        @Override
        public void refused(BulkheadError error) {
            throw new AssertionError(error);
        }
    }

    @Test
    @DisplayName("RB-21 a request that cannot be let in for want of memory keeps its place, and no permit is lost")
    void release_noMemoryForWhoIsNext_keepsItsPlace() {
        LockedBulkhead machine = (LockedBulkhead) RemoteBulkhead.builder(1)
                .policy(BackpressurePolicy.queue(5, 1_000))
                .build();
        BulkheadPermit first = machine.acquire(true, "a", 0).orElseThrow();
        Unlucky unlucky = new Unlucky();
        assertThat(machine.submit(true, "b", 0, unlucky)).isNotNull();

        assertThatThrownBy(() -> machine.release(first, 1)).isInstanceOf(OutOfMemoryError.class);

        assertThat(machine.queueDepth()).isEqualTo(1);
        assertThat(machine.inFlight()).isZero();
        machine.recordForegroundLatency(1, 2);
        assertThat(unlucky.told).isTrue();
        assertThat(machine.queueDepth()).isZero();
        assertThat(machine.inFlight()).isEqualTo(1);
        machine.release(unlucky.kept, 3);
        assertThat(machine.inFlight()).isZero();
    }
}
