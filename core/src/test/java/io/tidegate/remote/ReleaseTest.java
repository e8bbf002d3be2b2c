package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReleaseTest extends RemoteBulkheadTest {
    @Test
    @DisplayName("RB-13 a release is one event and frees one permit")
    void release_own_logsOneEvent() {
        RemoteBulkhead bulkhead = rejecting(2);
        BulkheadPermit permit = take(bulkhead, "a", 0);

        giveBack(bulkhead, permit, 9);

        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.events()).last().isEqualTo(new BulkheadEvent(RB_PERMIT_RELEASED, 9, 0, 2, "permit=1"));
        assertThat(bulkhead.events()).hasSize(2);
    }

    @Test
    @DisplayName("RB-13 RB-18 a second release is refused and changes nothing, whatever is in flight by then")
    void release_twice_isUnknown() {
        RemoteBulkhead bulkhead = rejecting(2);
        BulkheadPermit permit = take(bulkhead, "a", 0);
        take(bulkhead, "b", 0);
        giveBack(bulkhead, permit, 1);
        take(bulkhead, "c", 1);

        assertThrowsAndChangesNothing(bulkhead, new BulkheadError.UnknownPermit(1), () -> bulkhead.release(permit, 2));
    }

    @Test
    @DisplayName(
            "RB-13 a permit of another bulkhead is refused though its id is out here too, and is still good at home")
    void release_foreign_isUnknown() {
        RemoteBulkhead bulkhead = rejecting(2);
        RemoteBulkhead other = rejecting(2);
        take(bulkhead, "a", 0);
        BulkheadPermit foreign = take(other, "a", 0);

        assertThrowsAndChangesNothing(bulkhead, new BulkheadError.UnknownPermit(1), () -> bulkhead.release(foreign, 1));
        giveBack(other, foreign, 1);
        assertThat(other.inFlight()).isZero();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
    }

    @Test
    @DisplayName("RB-13 an unknown permit while draining neither drains nor logs")
    void release_unknownWhileDraining_changesNothing() {
        RemoteBulkhead bulkhead = rejecting(3);
        List<BulkheadPermit> permits = takeAll(bulkhead);
        bulkhead.setMaxInFlight(2, 0);
        giveBack(bulkhead, permits.get(0), 0);

        assertThrowsAndChangesNothing(
                bulkhead, new BulkheadError.UnknownPermit(1), () -> bulkhead.release(permits.get(0), 0));
    }

    @Test
    @DisplayName("RB-13 permits come back in any order, at any time")
    void release_anyOrder_works() {
        RemoteBulkhead bulkhead = rejecting(3);
        List<BulkheadPermit> permits = takeAll(bulkhead);

        giveBack(bulkhead, permits.get(2), 5);
        giveBack(bulkhead, permits.get(0), 3);
        giveBack(bulkhead, permits.get(1), Long.MAX_VALUE);

        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("RB-13 nobody but a bulkhead can make a permit")
    void permit_publicConstructors_areNone() {
        assertThat(BulkheadPermit.class.getConstructors()).isEmpty();
        assertThat(BulkheadPermit.class).isFinal();
    }
}
