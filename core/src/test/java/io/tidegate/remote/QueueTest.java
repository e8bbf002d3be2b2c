package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_AT_CAPACITY;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_QUEUED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueueTest extends RemoteBulkheadTest {
    @Test
    @DisplayName("RB-7 full: enqueued at the tail with its place from 1, and two events")
    void acquire_full_isQueued() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        takeAll(bulkhead);

        for (int place = 1; place <= 3; place++) {
            String name = "r" + place;
            AcquireResult expected = queued(name, place);
            assertThat(codesOf(
                            bulkhead,
                            () -> assertThat(bulkhead.acquire(true, name, 0)).isEqualTo(expected)))
                    .containsExactly(RB_AT_CAPACITY, RB_REQUEST_QUEUED);
            assertThat(bulkhead.queueDepth()).isEqualTo(place);
        }
    }

    @Test
    @DisplayName("RB-7 queue full: saturated, not enqueued, and two events")
    void acquire_queueFull_isSaturated() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.acquire(true, "c", 0))
                                .isEqualTo(refused(new BulkheadError.QueueSaturated(2)))))
                .containsExactly(RB_AT_CAPACITY, RB_REQUEST_REJECTED);
        assertThat(bulkhead.queueDepth()).isEqualTo(2);
        assertThat(bulkhead.pollQueued("c", 0)).isEqualTo(unknown("c"));
    }

    @Test
    @DisplayName("RB-7 others wait but a permit is free: queued or saturated without an event of being at capacity")
    void acquire_freeButOthersWait_isNotAtCapacity() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        bulkhead.acquire(true, "a", 0);
        giveBack(bulkhead, permit, 1);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.acquire(true, "b", 1)).isEqualTo(queued("b", 2))))
                .containsExactly(RB_REQUEST_QUEUED);
        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.acquire(true, "c", 1))
                                .isEqualTo(refused(new BulkheadError.QueueSaturated(2)))))
                .containsExactly(RB_REQUEST_REJECTED);
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("RB-7 the time-out in an answer is the policy's, not what is left of it")
    void queued_later_saysTheWholeTimeout() {
        RemoteBulkhead bulkhead = queueing(1, 1);
        takeAll(bulkhead);

        assertThat(bulkhead.acquire(true, "a", 0)).isEqualTo(queued("a", 1));
        assertThat(bulkhead.pollQueued("a", TIMEOUT - 1)).isEqualTo(queued("a", 1));
    }

    @Test
    @DisplayName("RB-7 RB-9 requests are admitted in the order in which they came, whichever polls first")
    void poll_anyOrder_admitsFirstInFirstOut() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        List<String> names = List.of("a", "b", "c");
        for (String name : names) {
            bulkhead.acquire(true, name, 0);
        }
        for (int next = 0; next < 3; next++) {
            giveBack(bulkhead, permit, 1);
            for (int other = 2; other > next; other--) {
                String name = names.get(other);
                assertThat(bulkhead.pollQueued(name, 1)).isEqualTo(queued(name, other - next + 1));
            }
            permit = poll(bulkhead, names.get(next), 1);
        }
        assertThat(bulkhead.queueDepth()).isZero();
    }

    @Test
    @DisplayName("RB-8 acquire of one that waits is a poll: one entry, the same place, no event")
    void acquire_alreadyQueued_keepsItsPlace() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.acquire(true, "a", 1)).isEqualTo(queued("a", 1))))
                .isEmpty();
        assertThat(bulkhead.acquire(true, "b", 1)).isEqualTo(queued("b", 2));
        assertThat(bulkhead.queueDepth()).isEqualTo(2);
    }

    @Test
    @DisplayName("RB-8 RB-10 acquire of one that waits does not put off its deadline")
    void acquire_alreadyQueued_keepsItsDeadline() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "a", TIMEOUT - 1);

        assertThat(bulkhead.acquire(true, "a", TIMEOUT)).isEqualTo(timedOut("a"));
    }

    @Test
    @DisplayName("RB-8 RB-9 acquire of the head with a free permit promotes it")
    void acquire_headAndFree_isPromoted() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        giveBack(bulkhead, waitedFor(bulkhead, "a", "b"), 1);

        assertThat(codesOf(bulkhead, () -> take(bulkhead, "a", 2))).containsExactly(RB_PERMIT_ACQUIRED);
        assertThat(bulkhead.acquire(true, "b", 2)).isEqualTo(queued("b", 1));
    }

    @Test
    @DisplayName("RB-9 the head is promoted when a permit is free, with one event and the time and cap of the poll")
    void poll_headAndFree_isPromoted() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        giveBack(bulkhead, waitedFor(bulkhead, "a"), 1);
        bulkhead.setMaxInFlight(4, 1);

        assertThat(codesOf(bulkhead, () -> {
                    BulkheadPermit permit = poll(bulkhead, "a", 2);
                    assertThat(permit.permitId()).isEqualTo(2);
                    assertThat(permit.issuedAtMs()).isEqualTo(2);
                    assertThat(permit.capSnapshot()).isEqualTo(4);
                }))
                .containsExactly(RB_PERMIT_ACQUIRED);
        assertThat(bulkhead.queueDepth()).isZero();
        assertThat(bulkhead.pollQueued("a", 2)).isEqualTo(unknown("a"));
    }

    @Test
    @DisplayName("RB-9 RB-18 the head without a permit, and anyone else with one free, stays queued without an event")
    void poll_notYet_staysQueued() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        BulkheadPermit permit = waitedFor(bulkhead, "a", "b");
        List<BulkheadEvent> before = bulkhead.events();

        assertThat(bulkhead.pollQueued("a", 1)).isEqualTo(queued("a", 1));
        assertThat(bulkhead.events()).isEqualTo(before);
        giveBack(bulkhead, permit, 1);
        assertThat(codesOf(
                        bulkhead, () -> assertThat(bulkhead.pollQueued("b", 1)).isEqualTo(queued("b", 2))))
                .isEmpty();
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("RB-9 RB-18 an unknown id is said to be so, without an event: never seen, granted, or blank")
    void poll_unknown_isUnknown() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        takeAll(bulkhead);
        List<Object> before = state(bulkhead);

        for (String name : List.of("never", "holder0", " ")) {
            assertThat(bulkhead.pollQueued(name, 1)).isEqualTo(unknown(name));
        }
        assertThat(state(bulkhead)).isEqualTo(before);
    }

    @Test
    @DisplayName("RB-9 a raised cap admits as many heads as it has room for, each when it polls")
    void poll_afterCapRaised_admitsInOrder() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        waitedFor(bulkhead, "a", "b", "c");
        bulkhead.setMaxInFlight(3, 1);

        assertThat(bulkhead.queueDepth()).isEqualTo(3);
        poll(bulkhead, "a", 1);
        poll(bulkhead, "b", 1);
        assertThat(bulkhead.pollQueued("c", 1)).isEqualTo(queued("c", 1));
    }

    @Test
    @DisplayName("RB-12 cancel of one that waits: true, one event, and the others move up")
    void cancel_waiting_isRemoved() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        BulkheadPermit permit = waitedFor(bulkhead, "a", "b", "c");
        giveBack(bulkhead, permit, 1);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.cancelQueued("a", 1)).isTrue()))
                .containsExactly(RB_REQUEST_REJECTED);
        assertThat(bulkhead.pollQueued("c", 1)).isEqualTo(queued("c", 2));
        assertThat(bulkhead.pollQueued("a", 1)).isEqualTo(unknown("a"));
        poll(bulkhead, "b", 1);
    }

    @Test
    @DisplayName("RB-12 cancel of one that does not wait: false and no event")
    void cancel_notWaiting_changesNothing() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        waitedFor(bulkhead, "a");
        bulkhead.cancelQueued("a", 1);
        List<Object> before = state(bulkhead);

        for (String name : List.of("a", "holder0", "never", " ")) {
            assertThat(bulkhead.cancelQueued(name, 1)).isFalse();
        }
        assertThat(state(bulkhead)).isEqualTo(before);
    }

    @Test
    @DisplayName("RB-12 cancel evicts nobody else, and an expired entry that nobody evicted is still cancelled")
    void cancel_expiredEntries_evictsNobody() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        waitedFor(bulkhead, "a", "b", "c");

        assertThat(bulkhead.cancelQueued("b", TIMEOUT)).isTrue();
        assertThat(bulkhead.queueDepth()).isEqualTo(2);
        assertThat(bulkhead.pollQueued("b", TIMEOUT)).isEqualTo(unknown("b"));
        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(timedOut("a"));
    }

    @Test
    @DisplayName("RB-11 RB-12 cancel of an evicted id uses up its notice: false, no event, unknown from then on")
    void cancel_evicted_usesUpTheNotice() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        waitedFor(bulkhead, "a");
        bulkhead.pollQueued("other", TIMEOUT);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.cancelQueued("a", TIMEOUT)).isFalse()))
                .isEmpty();
        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(unknown("a"));
    }

    @Test
    @DisplayName("RB-12 a cancelled request may come again, at the tail")
    void acquire_afterCancel_queuesAtTheTail() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        waitedFor(bulkhead, "a", "b");
        bulkhead.cancelQueued("a", 1);

        assertThat(bulkhead.acquire(true, "a", 2)).isEqualTo(queued("a", 2));
    }

    /** Takes the only permit, and lets these requests wait for it. */
    private BulkheadPermit waitedFor(RemoteBulkhead bulkhead, String... names) {
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        for (String name : names) {
            bulkhead.acquire(true, name, 0);
        }
        return permit;
    }

    @Test
    @DisplayName("RB-7 RB-9 one that waits is told from one that is turned away by asking the answer")
    void isQueued_eachAnswer_isTrueForWaitingOnly() {
        RemoteBulkhead bulkhead = RemoteBulkhead.create(1, BackpressurePolicy.queue(1, 10), 5);
        AcquireResult granted = bulkhead.acquire(true, "a", 0);
        assertThat(granted.isQueued()).isFalse();
        assertThat(bulkhead.acquire(true, "b", 0).isQueued()).isTrue();
        assertThat(bulkhead.pollQueued("b", 1).isQueued()).isTrue();
        assertThat(bulkhead.acquire(true, "c", 1).isQueued()).as("saturated").isFalse();
        assertThat(bulkhead.pollQueued("b", 10).isQueued()).as("too late").isFalse();
        assertThat(bulkhead.acquire(false, "d", 10).isQueued())
                .as("no capability")
                .isFalse();
        bulkhead.release(granted.orElseThrow(), 10);
    }
}
