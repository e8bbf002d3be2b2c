package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_AT_CAPACITY;
import static io.tidegate.remote.BulkheadEventCode.RB_CAP_CHANGED;
import static io.tidegate.remote.BulkheadEventCode.RB_DRAIN_ACTIVE;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_QUEUED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest extends RemoteBulkheadTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 1500, 5000})
    @DisplayName("RB-17 the log keeps the newest, the oldest go first, and the count of the dropped is exact")
    void events_beyondCapacity_dropTheOldest(int capacity) {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(1).eventCapacity(capacity));
        for (int i = 1; i <= 3 * capacity + 1; i++) {
            bulkhead.recordForegroundLatency(1, i);
            if (i <= capacity + 1 || i % 1000 == 0) {
                assertThat(bulkhead.droppedEvents()).isEqualTo(Math.max(0, i - capacity));
            }
        }

        assertThat(bulkhead.events())
                .extracting(BulkheadEvent::nowMs)
                .containsExactlyElementsOf(IntStream.rangeClosed(2 * capacity + 2, 3 * capacity + 1)
                        .mapToObj(Long::valueOf)
                        .toList());
        assertThat(bulkhead.droppedEvents()).isEqualTo(2L * capacity + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 1500, 5000})
    @DisplayName("RB-17 the samples are bounded too, oldest first")
    void latencySamples_beyondTheWindow_dropTheOldest(int window) {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(1).latencyWindow(window));
        for (int i = 1; i <= 2 * window + 1; i++) {
            bulkhead.recordForegroundLatency(i);
        }

        assertThat(bulkhead.latencySamples())
                .extracting(ForegroundLatencySample::latencyMs)
                .containsExactlyElementsOf(IntStream.rangeClosed(window + 2, 2 * window + 1)
                        .mapToObj(Long::valueOf)
                        .toList());
    }

    @Test
    @DisplayName("RB-17 lists that were given out do not change, and cannot be changed")
    void events_givenOut_areSnapshots() {
        RemoteBulkhead bulkhead =
                made(RemoteBulkhead.builder(1).eventCapacity(2).latencyWindow(2));
        bulkhead.recordForegroundLatency(1, 1);
        bulkhead.recordForegroundLatency(2, 2);
        List<BulkheadEvent> events = bulkhead.events();
        List<ForegroundLatencySample> samples = bulkhead.latencySamples();
        List<BulkheadEvent> copy = List.copyOf(events);
        List<ForegroundLatencySample> sampleCopy = List.copyOf(samples);

        bulkhead.recordForegroundLatency(3, 3);

        assertThat(events).isEqualTo(copy);
        assertThat(samples).isEqualTo(sampleCopy);
        assertThatThrownBy(() -> events.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> samples.remove(0)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("RB-18 every event has the time of its call and the counts after the change it reports")
    void events_wholeLife_haveCountsAfterTheChange() {
        RemoteBulkhead bulkhead = queueing(2, 1);
        BulkheadPermit first = take(bulkhead, "a", 1);
        BulkheadPermit second = take(bulkhead, "b", 2);
        bulkhead.acquire(true, "c", 3);
        bulkhead.acquire(true, "d", 4);
        bulkhead.setMaxInFlight(1, 5);
        bulkhead.acquire(true, "d", 6);
        giveBack(bulkhead, first, 7);
        giveBack(bulkhead, second, 8);
        poll(bulkhead, "c", 9);
        bulkhead.acquire(false, "e", 10);
        bulkhead.acquire(true, "f", 11);
        bulkhead.cancelQueued("f", 12);

        assertThat(bulkhead.events())
                .containsExactly(
                        new BulkheadEvent(RB_PERMIT_ACQUIRED, 1, 1, 2, "permit=1 request=a"),
                        new BulkheadEvent(RB_PERMIT_ACQUIRED, 2, 2, 2, "permit=2 request=b"),
                        new BulkheadEvent(RB_AT_CAPACITY, 3, 2, 2, "request=c"),
                        new BulkheadEvent(RB_REQUEST_QUEUED, 3, 2, 2, "position=1 request=c"),
                        new BulkheadEvent(RB_AT_CAPACITY, 4, 2, 2, "request=d"),
                        new BulkheadEvent(RB_REQUEST_REJECTED, 4, 2, 2, "reason=RB_ERR_QUEUE_SATURATED request=d"),
                        new BulkheadEvent(RB_CAP_CHANGED, 5, 2, 1, "from=2 to=1"),
                        new BulkheadEvent(RB_DRAIN_ACTIVE, 5, 2, 1, "target=1"),
                        new BulkheadEvent(RB_DRAIN_ACTIVE, 6, 2, 1, "target=1"),
                        new BulkheadEvent(RB_REQUEST_REJECTED, 6, 2, 1, "reason=RB_ERR_DRAINING request=d"),
                        new BulkheadEvent(RB_PERMIT_RELEASED, 7, 1, 1, "permit=1"),
                        new BulkheadEvent(RB_DRAIN_ACTIVE, 7, 1, 1, "target=1"),
                        new BulkheadEvent(RB_PERMIT_RELEASED, 8, 0, 1, "permit=2"),
                        new BulkheadEvent(RB_PERMIT_ACQUIRED, 9, 1, 1, "permit=3 request=c"),
                        new BulkheadEvent(RB_REQUEST_REJECTED, 10, 1, 1, "reason=RB_ERR_NO_REMOTECAP request=e"),
                        new BulkheadEvent(RB_AT_CAPACITY, 11, 1, 1, "request=f"),
                        new BulkheadEvent(RB_REQUEST_QUEUED, 11, 1, 1, "position=1 request=f"),
                        new BulkheadEvent(RB_REQUEST_REJECTED, 12, 1, 1, "reason=CANCELLED request=f"));
    }

    @Test
    @DisplayName("RB-18 looking at it logs nothing")
    void getters_any_logNothing() {
        RemoteBulkhead bulkhead = queueing(1, 1);
        take(bulkhead, "a", 0);
        List<Object> before = state(bulkhead);
        bulkhead.latencyWithinTarget();

        assertThat(state(bulkhead)).isEqualTo(before);
        assertThat(bulkhead.toString()).isEqualTo("RemoteBulkhead(remote-bulkhead, 1 of 1 in flight, 0 waiting)");
    }

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.of(new BulkheadError.RemoteCapRequired(), "RB_ERR_NO_REMOTECAP"),
                Arguments.of(new BulkheadError.AtCapacity(1, 2), "RB_ERR_AT_CAPACITY"),
                Arguments.of(new BulkheadError.QueueSaturated(1), "RB_ERR_QUEUE_SATURATED"),
                Arguments.of(new BulkheadError.Queued("a", 1, 2), "RB_ERR_QUEUED"),
                Arguments.of(new BulkheadError.QueueTimeout("a"), "RB_ERR_QUEUE_TIMEOUT"),
                Arguments.of(new BulkheadError.UnknownRequest("a"), "RB_ERR_UNKNOWN_REQUEST"),
                Arguments.of(new BulkheadError.UnknownPermit(1), "RB_ERR_UNKNOWN_PERMIT"),
                Arguments.of(new BulkheadError.Draining(2, 1), "RB_ERR_DRAINING"),
                Arguments.of(new BulkheadError.NoLease("why"), "RB_ERR_NO_LEASE"),
                Arguments.of(new BulkheadError.InvalidConfig("why"), "RB_ERR_INVALID_CONFIG"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName("RB-19 every error has its code, alone and as an exception")
    void code_ofEveryError_isStable(BulkheadError error, String code) {
        assertThat(error.code()).isEqualTo(code);
        if (!(error instanceof BulkheadError.InvalidConfig)) {
            assertThatThrownBy(() -> new AcquireResult.Refused(error).orElseThrow())
                    .isInstanceOfSatisfying(
                            BulkheadException.class,
                            thrown -> assertThat(thrown.code()).isEqualTo(code));
        }
    }

    @Test
    @DisplayName("RB-19 the nine errors and that of the cluster are all there are, and so are the eight event codes")
    void codes_all_areTheListedOnes() {
        assertThat(BulkheadError.class.getPermittedSubclasses()).hasSameSizeAs(errors().toList());
        assertThat(BulkheadEventCode.values())
                .extracting(BulkheadEventCode::name)
                .containsExactly(
                        "RB_PERMIT_ACQUIRED",
                        "RB_PERMIT_RELEASED",
                        "RB_AT_CAPACITY",
                        "RB_REQUEST_QUEUED",
                        "RB_REQUEST_REJECTED",
                        "RB_CAP_CHANGED",
                        "RB_DRAIN_ACTIVE",
                        "RB_LATENCY_REPORT");
    }

    @Test
    @DisplayName("RB-2 RB-19 an event is one line of text, whatever the request is called")
    void toLine_hostileName_isOneLine() {
        RemoteBulkhead bulkhead = rejecting(1);
        take(bulkhead, "two\nlines\r and a \\ = permit=7", 12);

        assertThat(bulkhead.events().get(0).toLine())
                .isEqualTo("RB_PERMIT_ACQUIRED nowMs=12 inFlight=1 maxInFlight=1 "
                        + "permit=1 request=two\\nlines\\r and a \\\\ = permit=7");
    }
}
