package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The acceptance criteria of the contract, one by one. */
class AcceptanceTest extends RemoteBulkheadTest {
    @Test
    @DisplayName(
            "acceptance criterion 1: no permit is issued when as much is in flight as the cap, by acquire or by poll")
    void criterion1_capped() {
        RemoteBulkhead bulkhead = queueing(2, 2);
        takeAll(bulkhead);

        assertThat(bulkhead.acquire(true, "a", 0)).isInstanceOf(AcquireResult.Refused.class);
        assertThat(bulkhead.acquire(true, "a", 0)).isInstanceOf(AcquireResult.Refused.class);
        assertThat(bulkhead.pollQueued("a", 0)).isInstanceOf(AcquireResult.Refused.class);
        assertThat(bulkhead.inFlight()).isEqualTo(2);
    }

    @Test
    @DisplayName("acceptance criterion 2: rejecting, a request at capacity is refused at once")
    void criterion2_reject() {
        RemoteBulkhead bulkhead = rejecting(1);
        takeAll(bulkhead);

        assertThat(bulkhead.acquire(true, "a", 0)).isEqualTo(refused(new BulkheadError.AtCapacity(1, 1)));
    }

    @Test
    @DisplayName("acceptance criterion 3: queueing, requests at capacity wait up to the depth; the rest are refused")
    void criterion3_queue() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        takeAll(bulkhead);

        assertThat(bulkhead.acquire(true, "a", 0)).isEqualTo(queued("a", 1));
        assertThat(bulkhead.acquire(true, "b", 0)).isEqualTo(queued("b", 2));
        assertThat(bulkhead.acquire(true, "c", 0)).isEqualTo(refused(new BulkheadError.QueueSaturated(2)));
    }

    @Test
    @DisplayName(
            "acceptance criterion 4: entries expire after the time-out and are evicted by the next acquire or poll")
    void criterion4_expiry() {
        RemoteBulkhead byAcquire = queueing(1, 2);
        RemoteBulkhead byPoll = queueing(1, 2);
        for (RemoteBulkhead bulkhead : List.of(byAcquire, byPoll)) {
            takeAll(bulkhead);
            bulkhead.acquire(true, "a", 0);
            bulkhead.acquire(true, "b", 0);
        }

        byAcquire.acquire(true, "c", TIMEOUT);
        byPoll.pollQueued("c", TIMEOUT);

        assertThat(byAcquire.queueDepth()).as("only the newcomer").isEqualTo(1);
        assertThat(byPoll.queueDepth()).isZero();
    }

    @Test
    @DisplayName("acceptance criterion 5: without the capability a request is refused and the state is as before")
    void criterion5_gated() {
        RemoteBulkhead bulkhead = rejecting(1);

        assertThat(bulkhead.acquire(false, "a", 0)).isEqualTo(refused(new BulkheadError.RemoteCapRequired()));
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(take(bulkhead, "a", 0).permitId()).isEqualTo(1);
    }

    @Test
    @DisplayName("acceptance criterion 6: a cap below what is in flight starts draining")
    void criterion6_drain() {
        RemoteBulkhead bulkhead = rejecting(2);
        takeAll(bulkhead);
        bulkhead.setMaxInFlight(1, 0);

        assertThat(bulkhead.drainingTarget()).hasValue(1);
    }

    @Test
    @DisplayName("acceptance criterion 7: draining keeps new requests out until less is in flight than the target")
    void criterion7_drainEnds() {
        RemoteBulkhead bulkhead = rejecting(3);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        bulkhead.setMaxInFlight(2, 0);
        assertThat(bulkhead.acquire(true, "a", 0)).isEqualTo(refused(new BulkheadError.Draining(3, 2)));
        giveBack(bulkhead, permits.get(0), 0);
        assertThat(bulkhead.acquire(true, "a", 0)).isEqualTo(refused(new BulkheadError.Draining(2, 2)));
        giveBack(bulkhead, permits.get(1), 0);

        assertThat(take(bulkhead, "a", 0).capSnapshot()).isEqualTo(2);
    }

    @Test
    @DisplayName("acceptance criterion 8: the release of an unknown permit fails and frees nothing")
    void criterion8_unknownPermit() {
        RemoteBulkhead bulkhead = rejecting(1);
        BulkheadPermit permit = take(bulkhead, "a", 0);
        giveBack(bulkhead, permit, 0);
        take(bulkhead, "b", 0);

        assertThrowsAndChangesNothing(bulkhead, new BulkheadError.UnknownPermit(1), () -> bulkhead.release(permit, 0));
    }

    @Test
    @DisplayName("acceptance criterion 9: p99 is the same at every reading of the same samples")
    void criterion9_p99() {
        RemoteBulkhead bulkhead = rejecting(1);
        for (int i = 0; i < 200; i++) {
            bulkhead.recordForegroundLatency(i * 31 % 200);
        }

        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(197);
        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(197);
    }

    @Test
    @DisplayName("acceptance criterion 10: every change of state is an event, and all eight codes occur")
    void criterion10_audited() {
        RemoteBulkhead bulkhead = queueing(2, 1);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        List<Runnable> changes = List.of(
                () -> bulkhead.acquire(true, "a", 0),
                () -> bulkhead.acquire(true, "b", 0),
                () -> bulkhead.cancelQueued("a", 0),
                () -> bulkhead.setMaxInFlight(1, 0),
                () -> giveBack(bulkhead, permits.get(0), 0),
                () -> giveBack(bulkhead, permits.get(1), 0),
                () -> take(bulkhead, "c", 0),
                () -> bulkhead.recordForegroundLatency(1));

        for (Runnable change : changes) {
            assertThat(codesOf(bulkhead, change)).isNotEmpty();
        }
        assertThat(EnumSet.copyOf(codes(bulkhead))).containsExactly(BulkheadEventCode.values());
    }

    @Test
    @DisplayName(
            "acceptance criterion 11: the happy path; the tests above cover reject, queue, drain, latency and errors")
    void criterion11_happyPath() {
        RemoteBulkhead bulkhead = rejecting(1);
        BulkheadPermit permit = take(bulkhead, "a", 5);
        bulkhead.recordForegroundLatency(12, 17);
        giveBack(bulkhead, permit, 17);

        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.latencySamples()).containsExactly(new ForegroundLatencySample(1, 12));
        assertThat(bulkhead.latencyWithinTarget()).isTrue();
    }
}
