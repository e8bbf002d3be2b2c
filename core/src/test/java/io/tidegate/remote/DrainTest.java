package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_CAP_CHANGED;
import static io.tidegate.remote.BulkheadEventCode.RB_DRAIN_ACTIVE;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrainTest extends RemoteBulkheadTest {
    @Test
    @DisplayName("RB-14 an unchanged cap changes nothing and is no event, draining included")
    void setMaxInFlight_unchanged_changesNothing() {
        RemoteBulkhead bulkhead = rejecting(2);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        List<Object> before = state(bulkhead);
        bulkhead.setMaxInFlight(2, 5);
        assertThat(state(bulkhead)).isEqualTo(before);

        bulkhead.setMaxInFlight(1, 5);
        giveBack(bulkhead, permits.get(0), 5);
        before = state(bulkhead);
        bulkhead.setMaxInFlight(1, 5);

        assertThat(state(bulkhead)).isEqualTo(before);
        assertThat(bulkhead.drainingTarget()).hasValue(1);
    }

    @Test
    @DisplayName("RB-14 a cap not below what is in flight is one event and no drain")
    void setMaxInFlight_notBelowInFlight_doesNotDrain() {
        RemoteBulkhead bulkhead = rejecting(3);
        take(bulkhead, "a", 0);
        take(bulkhead, "b", 0);

        for (int cap : new int[] {2, 5}) {
            assertThat(codesOf(bulkhead, () -> bulkhead.setMaxInFlight(cap, 1))).containsExactly(RB_CAP_CHANGED);
            assertThat(bulkhead.maxInFlight()).isEqualTo(cap);
            assertThat(bulkhead.drainingTarget()).isEmpty();
        }
        assertThat(bulkhead.events()).last().isEqualTo(new BulkheadEvent(RB_CAP_CHANGED, 1, 2, 5, "from=2 to=5"));
    }

    @Test
    @DisplayName("RB-14 a cap below what is in flight takes effect at once and drains, with two events")
    void setMaxInFlight_belowInFlight_drains() {
        RemoteBulkhead bulkhead = rejecting(3);
        takeAll(bulkhead);

        assertThat(codesOf(bulkhead, () -> bulkhead.setMaxInFlight(2, 1)))
                .containsExactly(RB_CAP_CHANGED, RB_DRAIN_ACTIVE);
        assertThat(bulkhead.maxInFlight()).isEqualTo(2);
        assertThat(bulkhead.inFlight()).isEqualTo(3);
        assertThat(bulkhead.drainingTarget()).hasValue(2);
    }

    @Test
    @DisplayName("RB-14 while draining the target moves with the cap, down and up")
    void setMaxInFlight_whileDraining_movesTheTarget() {
        RemoteBulkhead bulkhead = rejecting(4);
        takeAll(bulkhead);
        for (int cap : new int[] {2, 1, 3}) {
            assertThat(codesOf(bulkhead, () -> bulkhead.setMaxInFlight(cap, 1)))
                    .containsExactly(RB_CAP_CHANGED, RB_DRAIN_ACTIVE);
            assertThat(bulkhead.drainingTarget()).hasValue(cap);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    @DisplayName("RB-14 a cap equal to or above what is in flight ends draining")
    void setMaxInFlight_notBelowInFlight_endsDraining(int cap) {
        RemoteBulkhead bulkhead = rejecting(5);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        giveBack(bulkhead, permits.get(0), 0);
        giveBack(bulkhead, permits.get(1), 0);
        bulkhead.setMaxInFlight(2, 0);

        assertThat(codesOf(bulkhead, () -> bulkhead.setMaxInFlight(cap, 1))).containsExactly(RB_CAP_CHANGED);
        assertThat(bulkhead.drainingTarget()).isEmpty();
        AcquireResult next = bulkhead.acquire(true, "a", 1);
        if (cap == 3) {
            assertThat(next).isEqualTo(refused(new BulkheadError.AtCapacity(3, 3)));
        } else {
            giveBack(bulkhead, next.orElseThrow(), 1);
        }
    }

    @Test
    @DisplayName("RB-15 draining refuses under either policy with two events and enqueues nobody")
    void acquire_draining_isRefused() {
        for (RemoteBulkhead bulkhead : List.of(rejecting(3), queueing(3, 2))) {
            takeAll(bulkhead);
            bulkhead.setMaxInFlight(1, 0);

            assertThat(codesOf(
                            bulkhead,
                            () -> assertThat(bulkhead.acquire(true, "a", 1))
                                    .isEqualTo(refused(new BulkheadError.Draining(3, 1)))))
                    .containsExactly(RB_DRAIN_ACTIVE, RB_REQUEST_REJECTED);
            assertThat(bulkhead.queueDepth()).isZero();
            assertThat(bulkhead.pollQueued("a", 1)).isEqualTo(unknown("a"));
        }
    }

    @Test
    @DisplayName(
            "RB-15 RB-13 draining goes on at the target and ends below it; each release before says that it goes on")
    void release_draining_endsBelowTheTarget() {
        RemoteBulkhead bulkhead = rejecting(4);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        bulkhead.setMaxInFlight(2, 0);

        for (int left : new int[] {3, 2}) {
            assertThat(codesOf(bulkhead, () -> giveBack(bulkhead, permits.get(left), 1)))
                    .containsExactly(RB_PERMIT_RELEASED, RB_DRAIN_ACTIVE);
            assertThat(bulkhead.acquire(true, "a", 1)).isEqualTo(refused(new BulkheadError.Draining(left, 2)));
        }
        assertThat(codesOf(bulkhead, () -> giveBack(bulkhead, permits.get(1), 1)))
                .containsExactly(RB_PERMIT_RELEASED);
        assertThat(bulkhead.drainingTarget()).isEmpty();
        assertThat(codesOf(bulkhead, () -> take(bulkhead, "a", 1))).containsExactly(RB_PERMIT_ACQUIRED);
        assertThat(bulkhead.acquire(true, "b", 1)).isEqualTo(refused(new BulkheadError.AtCapacity(2, 2)));
    }

    @Test
    @DisplayName("RB-15 draining to one ends only when nothing is in flight")
    void release_drainingToOne_endsAtZero() {
        RemoteBulkhead bulkhead = rejecting(2);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        bulkhead.setMaxInFlight(1, 0);
        giveBack(bulkhead, permits.get(0), 0);
        assertThat(bulkhead.drainingTarget()).hasValue(1);
        giveBack(bulkhead, permits.get(1), 0);

        assertThat(bulkhead.drainingTarget()).isEmpty();
        assertThat(take(bulkhead, "a", 0).capSnapshot()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "RB-15 those queued before stay while draining, polls say so without an event, and they go first after")
    void poll_draining_staysQueued() {
        RemoteBulkhead bulkhead = queueing(2, 2);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.setMaxInFlight(1, 0);
        giveBack(bulkhead, permits.get(0), 1);

        assertThat(codesOf(
                        bulkhead, () -> assertThat(bulkhead.pollQueued("a", 1)).isEqualTo(queued("a", 1))))
                .isEmpty();
        giveBack(bulkhead, permits.get(1), 2);
        assertThat(bulkhead.acquire(true, "b", 2)).isEqualTo(queued("b", 2));
        poll(bulkhead, "a", 2);
    }

    @Test
    @DisplayName("RB-15 RB-10 the time of those queued runs while draining")
    void poll_expiredWhileDraining_isTimedOut() {
        RemoteBulkhead bulkhead = queueing(2, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.setMaxInFlight(1, 0);

        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(timedOut("a"));
        assertThat(bulkhead.drainingTarget()).hasValue(1);
    }
}
