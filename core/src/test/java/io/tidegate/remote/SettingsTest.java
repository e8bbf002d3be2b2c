package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest extends RemoteBulkheadTest {
    static Stream<Arguments> badSettings() {
        return Stream.of(0, -1, Integer.MIN_VALUE)
                .flatMap(bad -> Stream.of(
                        bad("cap", bad, () -> RemoteBulkhead.create(bad, REJECT, 50)),
                        bad(
                                "cap by builder",
                                bad,
                                () -> RemoteBulkhead.builder(bad).build()),
                        bad("p99 target", bad, () -> RemoteBulkhead.create(1, REJECT, bad)),
                        bad(
                                "p99 target by builder",
                                bad,
                                () -> RemoteBulkhead.builder(1).p99TargetMs(bad).build()),
                        bad("depth", bad, () -> RemoteBulkhead.create(1, BackpressurePolicy.queue(bad, 1), 50)),
                        bad("time-out", bad, () -> RemoteBulkhead.create(1, BackpressurePolicy.queue(1, bad), 50)),
                        bad("record", bad, () -> RemoteBulkhead.create(1, new BackpressurePolicy.Queue(bad, 1), 50)),
                        bad(
                                "event capacity",
                                bad,
                                () -> RemoteBulkhead.builder(1)
                                        .eventCapacity(bad)
                                        .build()),
                        bad(
                                "latency window",
                                bad,
                                () -> RemoteBulkhead.builder(1)
                                        .latencyWindow(bad)
                                        .build())));
    }

    private static Arguments bad(String what, int value, ThrowingCallable construction) {
        return Arguments.of(what, value, construction);
    }

    @ParameterizedTest(name = "RB-1 {0}: {1}")
    @MethodSource("badSettings")
    @DisplayName("RB-1 a number that is not positive is an invalid configuration, and there is no instance")
    void construction_notPositive_isInvalid(String what, int value, ThrowingCallable construction) {
        assertThatThrownBy(construction).isInstanceOfSatisfying(BulkheadException.class, thrown -> {
            assertThat(thrown.code()).isEqualTo("RB_ERR_INVALID_CONFIG");
            assertThat(thrown.error())
                    .isInstanceOfSatisfying(
                            BulkheadError.InvalidConfig.class,
                            invalid -> assertThat(invalid.reason()).contains(": " + value + " (expected: "));
        });
    }

    @Test
    @DisplayName("RB-1 the least of every setting works, and the greatest where it is only a bound")
    void construction_atTheBounds_works() {
        RemoteBulkhead least = made(RemoteBulkhead.builder(1)
                .policy(BackpressurePolicy.queue(1, 1))
                .p99TargetMs(1)
                .eventCapacity(1)
                .latencyWindow(1));
        RemoteBulkhead greatest = made(RemoteBulkhead.builder(Integer.MAX_VALUE)
                .policy(BackpressurePolicy.queue(Integer.MAX_VALUE, Long.MAX_VALUE))
                .p99TargetMs(Long.MAX_VALUE)
                .eventCapacity(Integer.MAX_VALUE)
                .latencyWindow(Integer.MAX_VALUE));

        take(least, "a", 0);
        take(greatest, "a", 0);
        greatest.recordForegroundLatency(1);

        assertThat(least.inFlight()).isEqualTo(1);
        assertThat(greatest.events()).hasSize(2);
    }

    @Test
    @DisplayName("RB-1 what was set can be read, and what was not set is the default")
    void getters_new_saySettings() {
        BackpressurePolicy queue = BackpressurePolicy.queue(3, 7);
        RemoteBulkhead set = RemoteBulkhead.create(5, queue, 20);
        RemoteBulkhead unset = RemoteBulkhead.builder(2).build();

        assertThat(set.maxInFlight()).isEqualTo(5);
        assertThat(set.policy()).isEqualTo(queue);
        assertThat(set.p99TargetMs()).isEqualTo(20);
        assertThat(unset.policy()).isEqualTo(REJECT);
        assertThat(unset.p99TargetMs()).isEqualTo(50);
        assertThat(unset.inFlight()).isZero();
        assertThat(unset.queueDepth()).isZero();
        assertThat(unset.drainingTarget()).isEmpty();
        assertThat(unset.events()).isEmpty();
        assertThat(unset.droppedEvents()).isZero();
        assertThat(unset.latencySamples()).isEmpty();
        assertThat(unset.p99ForegroundLatencyMs()).isEmpty();
    }

    @Test
    @DisplayName("RB-1 RB-17 by default 1024 events and 1024 samples are kept")
    void log_byDefault_keeps1024() {
        RemoteBulkhead bulkhead = rejecting(1);
        for (int i = 0; i < 1025; i++) {
            bulkhead.recordForegroundLatency(i);
        }

        assertThat(bulkhead.events()).hasSize(1024);
        assertThat(bulkhead.droppedEvents()).isEqualTo(1);
        assertThat(bulkhead.latencySamples()).hasSize(1024);
        assertThat(bulkhead.latencySamples().get(0).latencyMs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    @DisplayName("RB-1 RB-14 a bad new cap is invalid and changes nothing, not even the log, draining or not")
    void setMaxInFlight_notPositive_changesNothing(int bad) {
        RemoteBulkhead idle = rejecting(2);
        RemoteBulkhead draining = rejecting(2);
        takeAll(draining);
        draining.setMaxInFlight(1, 0);

        for (RemoteBulkhead bulkhead : new RemoteBulkhead[] {idle, draining}) {
            assertThrowsAndChangesNothing(bulkhead, BulkheadException.class, () -> bulkhead.setMaxInFlight(bad, 1));
            assertThatThrownBy(() -> bulkhead.setMaxInFlight(bad, 1))
                    .isInstanceOfSatisfying(
                            BulkheadException.class,
                            thrown -> assertThat(thrown.error()).isInstanceOf(BulkheadError.InvalidConfig.class));
        }
    }

    @Test
    @DisplayName("RB-1 null is misuse in every method that takes an object, and changes nothing")
    void anyMethod_null_throws() {
        RemoteBulkhead bulkhead = busy();
        Class<NullPointerException> npe = NullPointerException.class;

        assertThatThrownBy(() -> RemoteBulkhead.create(1, null, 1)).isInstanceOf(npe);
        assertThatThrownBy(() -> RemoteBulkhead.builder(1).policy(null)).isInstanceOf(npe);
        assertThatThrownBy(() -> RemoteBulkhead.builder(1).eventSink(null)).isInstanceOf(npe);
        assertThrowsAndChangesNothing(bulkhead, npe, () -> bulkhead.acquire(true, null, 1));
        assertThrowsAndChangesNothing(bulkhead, npe, () -> bulkhead.acquire(false, null, 1));
        assertThrowsAndChangesNothing(bulkhead, npe, () -> bulkhead.pollQueued(null, 1));
        assertThrowsAndChangesNothing(bulkhead, npe, () -> bulkhead.cancelQueued(null, 1));
        assertThrowsAndChangesNothing(bulkhead, npe, () -> bulkhead.release(null, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    @DisplayName("RB-1 RB-18 a negative time is misuse in every method that takes one, and changes nothing")
    void anyMethod_negativeTime_throws(long negative) {
        RemoteBulkhead bulkhead = rejecting(2);
        BulkheadPermit permit = take(bulkhead, "a", 5);
        Class<IllegalArgumentException> misuse = IllegalArgumentException.class;

        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.acquire(true, "b", negative));
        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.acquire(false, "b", negative));
        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.pollQueued("b", negative));
        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.cancelQueued("b", negative));
        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.release(permit, negative));
        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.setMaxInFlight(1, negative));
        assertThrowsAndChangesNothing(bulkhead, misuse, () -> bulkhead.recordForegroundLatency(1, negative));
        giveBack(bulkhead, permit, 5);
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("RB-1 RB-11 misuse evicts nobody and uses up no notice")
    void misuse_withExpiredEntries_evictsNobody() {
        RemoteBulkhead bulkhead = busy();
        assertThrowsAndChangesNothing(
                bulkhead, IllegalArgumentException.class, () -> bulkhead.acquire(true, " ", 10 * TIMEOUT));
        assertThat(bulkhead.acquire(true, "other", 10 * TIMEOUT)).isEqualTo(queued("other", 1));
        assertThrowsAndChangesNothing(
                bulkhead, IllegalArgumentException.class, () -> bulkhead.pollQueued("waiter", -1));
        assertThrowsAndChangesNothing(
                bulkhead, IllegalArgumentException.class, () -> bulkhead.cancelQueued("waiter", -1));

        assertThat(bulkhead.pollQueued("waiter", 10 * TIMEOUT)).isEqualTo(timedOut("waiter"));
    }

    private RemoteBulkhead busy() {
        RemoteBulkhead bulkhead = queueing(1, 2);
        takeAll(bulkhead);
        bulkhead.acquire(true, "waiter", 0);
        return bulkhead;
    }
}
