package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest extends RemoteBulkheadTest {
    private static final long END = Long.MAX_VALUE;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000_000, END - TIMEOUT})
    @DisplayName("RB-10 a wait is over at the time-out, not a millisecond before")
    void poll_aroundTheTimeout_expiresAtIt(long start) {
        RemoteBulkhead bulkhead = full(1, 1);
        bulkhead.acquire(true, "a", start);

        assertThat(bulkhead.pollQueued("a", start + TIMEOUT - 1)).isEqualTo(queued("a", 1));
        assertThat(bulkhead.pollQueued("a", start + TIMEOUT)).isEqualTo(timedOut("a"));
    }

    @Test
    @DisplayName("RB-10 a head that expires at the very moment a permit is free gets none")
    void poll_expiredHeadAndFree_isTimedOut() {
        RemoteBulkhead bulkhead = queueing(1, 1);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        bulkhead.acquire(true, "a", 0);
        giveBack(bulkhead, permit, TIMEOUT);

        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(timedOut("a"));
        assertThat(bulkhead.inFlight()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 9223372036854775807, 9223372036854775806, false",
        "0, 9223372036854775807, 9223372036854775807, true",
        "1, 9223372036854775807, 9223372036854775807, false",
        "9223372036854775807, 1, 0, false",
        "9223372036854775807, 9223372036854775807, 0, false",
        "9223372036854775806, 1, 9223372036854775807, true",
        "5, 1, 4, false",
        "5, 1, 5, false",
        "5, 1, 6, true"
    })
    @DisplayName("RB-10 no overflow, and time that runs backwards counts as none")
    void poll_extremeTimes_expiresOnlyWhenDue(long since, long timeout, long now, boolean expired) {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(1).policy(BackpressurePolicy.queue(1, timeout)));
        takeAll(bulkhead);
        bulkhead.acquire(true, "a", since);

        assertThat(bulkhead.pollQueued("a", now))
                .isEqualTo(expired ? timedOut("a") : refused(new BulkheadError.Queued("a", 1, timeout)));
    }

    @Test
    @DisplayName("RB-10 a poll of a stranger evicts every expired entry in queue order, one event each, and no other")
    void poll_stranger_evictsAllExpired() {
        RemoteBulkhead bulkhead = full(1, 5);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 1);
        bulkhead.acquire(true, "c", 0);

        int before = bulkhead.events().size();
        assertThat(bulkhead.pollQueued("stranger", TIMEOUT)).isEqualTo(unknown("stranger"));

        assertThat(bulkhead.events().subList(before, bulkhead.events().size()))
                .extracting(BulkheadEvent::eventCode, BulkheadEvent::nowMs, BulkheadEvent::detail)
                .containsExactly(
                        tuple(RB_REQUEST_REJECTED, TIMEOUT, "reason=RB_ERR_QUEUE_TIMEOUT request=a"),
                        tuple(RB_REQUEST_REJECTED, TIMEOUT, "reason=RB_ERR_QUEUE_TIMEOUT request=c"));
        assertThat(bulkhead.pollQueued("b", TIMEOUT)).isEqualTo(queued("b", 1));
    }

    @Test
    @DisplayName("RB-10 an expired entry behind one that is not goes too, as time may have run backwards between")
    void poll_expiredBehindAnother_isEvicted() {
        RemoteBulkhead bulkhead = full(1, 3);
        bulkhead.acquire(true, "young", 50);
        bulkhead.acquire(true, "old", 0);

        assertThat(bulkhead.pollQueued("old", TIMEOUT)).isEqualTo(timedOut("old"));
        assertThat(bulkhead.pollQueued("young", TIMEOUT)).isEqualTo(queued("young", 1));
        assertThat(bulkhead.pollQueued("young", 50 + TIMEOUT)).isEqualTo(timedOut("young"));
    }

    @Test
    @DisplayName("RB-10 an acquire evicts first, so a newcomer gets the permit that expired waiters left")
    void acquire_afterAllExpired_isGranted() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);
        giveBack(bulkhead, permit, 1);

        assertThat(codesOf(bulkhead, () -> take(bulkhead, "c", TIMEOUT)))
                .containsExactly(RB_REQUEST_REJECTED, RB_REQUEST_REJECTED, RB_PERMIT_ACQUIRED);
    }

    @Test
    @DisplayName("RB-10 release, a new cap, a latency and a cancel evict nobody")
    void otherOperations_afterTheTimeout_evictNobody() {
        RemoteBulkhead bulkhead = queueing(1, 3);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        bulkhead.acquire(true, "a", 0);

        giveBack(bulkhead, permit, 2 * TIMEOUT);
        bulkhead.setMaxInFlight(2, 2 * TIMEOUT);
        bulkhead.recordForegroundLatency(1, 2 * TIMEOUT);
        bulkhead.cancelQueued("b", 2 * TIMEOUT);

        assertThat(bulkhead.queueDepth()).isEqualTo(1);
        assertThat(poll(bulkhead, "a", TIMEOUT - 1).permitId()).isEqualTo(2);
    }

    @Test
    @DisplayName("RB-11 an owner learns once that another call evicted it, and nothing is logged for it")
    void poll_evictedByAnother_isToldOnce() {
        RemoteBulkhead bulkhead = full(1, 2);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", TIMEOUT);
        List<BulkheadEvent> before = bulkhead.events();

        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(timedOut("a"));
        assertThat(bulkhead.pollQueued("a", TIMEOUT)).isEqualTo(unknown("a"));
        assertThat(bulkhead.events()).isEqualTo(before);
    }

    @Test
    @DisplayName("RB-11 an acquire hears it too, once, and only the next one is a new request")
    void acquire_evicted_isToldOnce() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        BulkheadPermit permit = takeAll(bulkhead).get(0);
        bulkhead.acquire(true, "a", 0);
        giveBack(bulkhead, permit, 1);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.acquire(true, "a", TIMEOUT)).isEqualTo(timedOut("a"))))
                .as("the eviction alone")
                .containsExactly(RB_REQUEST_REJECTED);
        assertThat(take(bulkhead, "a", TIMEOUT).permitId()).isEqualTo(2);
    }

    @Test
    @DisplayName("RB-11 the news comes before draining")
    void acquire_evictedWhileDraining_isTimedOut() {
        RemoteBulkhead bulkhead = full(2, 2);
        bulkhead.acquire(true, "a", 0);
        bulkhead.pollQueued("other", TIMEOUT);
        bulkhead.setMaxInFlight(1, TIMEOUT);

        assertThat(codesOf(
                        bulkhead,
                        () -> assertThat(bulkhead.acquire(true, "a", TIMEOUT)).isEqualTo(timedOut("a"))))
                .isEmpty();
        assertThat(bulkhead.acquire(true, "a", TIMEOUT)).isEqualTo(refused(new BulkheadError.Draining(2, 1)));
    }

    @Test
    @DisplayName("RB-11 the last maxDepth untold evictions are remembered, the oldest is forgotten first")
    void poll_moreEvictionsThanDepth_oldestIsForgotten() {
        RemoteBulkhead bulkhead = full(1, 2);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);
        bulkhead.acquire(true, "c", TIMEOUT);
        bulkhead.pollQueued("stranger", 2 * TIMEOUT);

        assertThat(bulkhead.pollQueued("a", 2 * TIMEOUT)).isEqualTo(unknown("a"));
        assertThat(bulkhead.pollQueued("b", 2 * TIMEOUT)).isEqualTo(timedOut("b"));
        assertThat(bulkhead.pollQueued("c", 2 * TIMEOUT)).isEqualTo(timedOut("c"));
    }

    @Test
    @DisplayName("RB-11 a notice that was told makes room for another")
    void poll_toldEvictions_doNotCount() {
        RemoteBulkhead bulkhead = full(1, 2);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);
        assertThat(bulkhead.pollQueued("b", TIMEOUT)).isEqualTo(timedOut("b"));
        bulkhead.acquire(true, "c", TIMEOUT);
        bulkhead.pollQueued("stranger", 2 * TIMEOUT);

        assertThat(bulkhead.pollQueued("a", 2 * TIMEOUT)).isEqualTo(timedOut("a"));
        assertThat(bulkhead.pollQueued("c", 2 * TIMEOUT)).isEqualTo(timedOut("c"));
    }

    @Test
    @DisplayName("RB-11 the news waits for its owner even when time runs backwards meanwhile")
    void poll_evictedThenTimeBack_isStillTold() {
        RemoteBulkhead bulkhead = full(1, 1);
        bulkhead.acquire(true, "a", 50);
        bulkhead.pollQueued("stranger", 50 + TIMEOUT);

        assertThat(bulkhead.pollQueued("a", 0)).isEqualTo(timedOut("a"));
    }

    private RemoteBulkhead full(int cap, int maxDepth) {
        RemoteBulkhead bulkhead = queueing(cap, maxDepth);
        takeAll(bulkhead);
        return bulkhead;
    }
}
