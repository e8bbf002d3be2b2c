package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_AT_CAPACITY;
import static io.tidegate.remote.BulkheadEventCode.RB_DRAIN_ACTIVE;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_QUEUED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest extends RemoteBulkheadTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
    @DisplayName("RB-3 a blank id is misuse before all else, with the capability or without")
    void acquire_blankId_throws(String blank) {
        RemoteBulkhead bulkhead = queueing(1, 1);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);

        for (boolean capable : new boolean[] {true, false}) {
            assertThrowsAndChangesNothing(
                    bulkhead, IllegalArgumentException.class, () -> bulkhead.acquire(capable, blank, TIMEOUT));
        }
    }

    @Test
    @DisplayName("RB-3 RB-4 the capability is checked before expiry, the queue, draining and capacity")
    void acquire_withoutCapability_comesFirst() {
        RemoteBulkhead bulkhead = queueing(2, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.setMaxInFlight(1, 0);

        List<BulkheadEventCode> logged = codesOf(
                bulkhead,
                () -> assertThat(bulkhead.acquire(false, "a", TIMEOUT))
                        .isEqualTo(refused(new BulkheadError.RemoteCapRequired())));

        assertThat(logged).containsExactly(RB_REQUEST_REJECTED);
        assertThat(bulkhead.queueDepth()).as("nobody evicted").isEqualTo(1);
    }

    @Test
    @DisplayName("RB-3 RB-10 expired entries go before the queue is looked at")
    void acquire_expiredEntries_makeRoom() {
        RemoteBulkhead bulkhead = queueing(1, 1);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);

        assertThat(bulkhead.acquire(true, "b", TIMEOUT)).isEqualTo(queued("b", 1));
        assertThat(codes(bulkhead))
                .containsExactly(
                        RB_PERMIT_ACQUIRED,
                        RB_AT_CAPACITY,
                        RB_REQUEST_QUEUED,
                        RB_REQUEST_REJECTED,
                        RB_AT_CAPACITY,
                        RB_REQUEST_QUEUED);
    }

    @Test
    @DisplayName("RB-3 RB-8 RB-15 one that is queued already is answered before draining is looked at")
    void acquire_queuedWhileDraining_isPolled() {
        RemoteBulkhead bulkhead = queueing(2, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.setMaxInFlight(1, 0);

        assertThat(bulkhead.acquire(true, "a", 1)).isEqualTo(queued("a", 1));
        assertThat(bulkhead.acquire(true, "b", 1)).isEqualTo(refused(new BulkheadError.Draining(2, 1)));
    }

    @Test
    @DisplayName("RB-3 RB-15 expired entries go even while draining, before the refusal is logged")
    void acquire_expiredWhileDraining_evictsThenRefuses() {
        RemoteBulkhead bulkhead = queueing(2, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.setMaxInFlight(1, 0);

        assertThat(codesOf(bulkhead, () -> bulkhead.acquire(true, "b", TIMEOUT)))
                .containsExactly(RB_REQUEST_REJECTED, RB_DRAIN_ACTIVE, RB_REQUEST_REJECTED);
        assertThat(bulkhead.queueDepth()).isZero();
    }

    @Test
    @DisplayName("RB-4 without the capability one event is logged and nothing else changes, free or full")
    void acquire_withoutCapability_changesNothingElse() {
        RemoteBulkhead bulkhead = rejecting(1);
        for (int inFlight = 0; inFlight < 2; inFlight++) {
            List<BulkheadEventCode> logged = codesOf(
                    bulkhead,
                    () -> assertThat(bulkhead.acquire(false, "a", 3))
                            .isEqualTo(refused(new BulkheadError.RemoteCapRequired())));

            assertThat(logged).containsExactly(RB_REQUEST_REJECTED);
            assertThat(bulkhead.inFlight()).isEqualTo(inFlight);
            takeAll(bulkhead);
        }
        assertThat(bulkhead.events()).last().extracting(BulkheadEvent::inFlight).isEqualTo(1);
    }

    @Test
    @DisplayName("RB-4 RB-11 without the capability a notice of expiry is kept")
    void acquire_withoutCapability_keepsTheNotice() {
        RemoteBulkhead bulkhead = queueing(1, 1);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.pollQueued("other", TIMEOUT);

        bulkhead.acquire(false, "a", TIMEOUT);

        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(timedOut("a"));
    }

    @Test
    @DisplayName(
            "RB-5 ids start at 1 and rise by one, whatever is refused between; time and cap are those of the grant")
    void acquire_free_issuesPermits() {
        RemoteBulkhead bulkhead = rejecting(2);
        BulkheadPermit first = take(bulkhead, "a", 7);
        BulkheadPermit second = take(bulkhead, "b", 5);
        bulkhead.acquire(true, "c", 8);
        bulkhead.acquire(false, "c", 8);
        bulkhead.setMaxInFlight(3, 9);
        BulkheadPermit third = take(bulkhead, "c", 0);
        giveBack(bulkhead, first, 10);
        BulkheadPermit fourth = take(bulkhead, "a", 11);

        assertThat(List.of(first, second, third, fourth))
                .extracting(BulkheadPermit::permitId)
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(List.of(first, second, third, fourth))
                .extracting(BulkheadPermit::issuedAtMs)
                .containsExactly(7L, 5L, 0L, 11L);
        assertThat(List.of(first, second, third, fourth))
                .extracting(BulkheadPermit::capSnapshot)
                .containsExactly(2, 2, 3, 3);
    }

    @Test
    @DisplayName("RB-5 a grant is one event, and the permit knows nothing of later caps")
    void acquire_free_logsOneEvent() {
        RemoteBulkhead bulkhead = rejecting(2);
        BulkheadPermit permit = take(bulkhead, "a", 7);
        bulkhead.setMaxInFlight(9, 8);

        assertThat(permit.capSnapshot()).isEqualTo(2);
        assertThat(bulkhead.events().get(0))
                .isEqualTo(new BulkheadEvent(RB_PERMIT_ACQUIRED, 7, 1, 2, "permit=1 request=a"));
    }

    @Test
    @DisplayName("RB-5 the same id may hold several permits: only waiting requests are known by name")
    void acquire_idInFlight_isAnotherRequest() {
        RemoteBulkhead bulkhead = rejecting(2);

        assertThat(take(bulkhead, "a", 0).permitId()).isEqualTo(1);
        assertThat(take(bulkhead, "a", 0).permitId()).isEqualTo(2);
    }

    @Test
    @DisplayName("RB-5 a free permit is not for a newcomer while a request waits")
    void acquire_freeButOthersWait_isNotGranted() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        bulkhead.acquire(true, "a", 0);
        giveBack(bulkhead, permit, 1);

        assertThat(bulkhead.acquire(true, "b", 1)).isEqualTo(queued("b", 2));
        assertThat(poll(bulkhead, "a", 1).permitId()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17})
    @DisplayName("RB-6 rejecting and full: the refusal says cap and load, and two events are logged")
    void acquire_rejectingAndFull_isAtCapacity(int cap) {
        RemoteBulkhead bulkhead = rejecting(cap);
        takeAll(bulkhead);

        List<BulkheadEventCode> logged = codesOf(
                bulkhead,
                () -> assertThat(bulkhead.acquire(true, "late", 3))
                        .isEqualTo(refused(new BulkheadError.AtCapacity(cap, cap))));

        assertThat(logged).containsExactly(RB_AT_CAPACITY, RB_REQUEST_REJECTED);
        assertThat(bulkhead.queueDepth()).isZero();
        assertThat(bulkhead.pollQueued("late", 3)).isEqualTo(unknown("late"));
    }

    @Test
    @DisplayName("RB-6 after a release there is room again, for one")
    void acquire_afterRelease_isGrantedOnce() {
        RemoteBulkhead bulkhead = rejecting(2);
        giveBack(bulkhead, takeAll(bulkhead).get(1), 1);

        take(bulkhead, "a", 1);

        assertThat(bulkhead.acquire(true, "b", 1)).isEqualTo(refused(new BulkheadError.AtCapacity(2, 2)));
    }

    @Test
    @DisplayName("RB-6 RB-19 a refusal becomes an exception on demand, a grant the permit")
    void orElseThrow_refused_throwsTheError() {
        RemoteBulkhead bulkhead = rejecting(1);
        BulkheadPermit permit = take(bulkhead, "a", 0);
        AcquireResult refusal = bulkhead.acquire(true, "b", 0);

        assertThat(new AcquireResult.Granted(permit).orElseThrow()).isSameAs(permit);
        assertThatThrownBy(refusal::orElseThrow).isInstanceOfSatisfying(BulkheadException.class, thrown -> {
            assertThat(thrown.error()).isEqualTo(new BulkheadError.AtCapacity(1, 1));
            assertThat(thrown.code()).isEqualTo("RB_ERR_AT_CAPACITY");
            assertThat(thrown).hasMessageContaining("RB_ERR_AT_CAPACITY");
        });
    }
}
