package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_LATENCY_REPORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyTest extends RemoteBulkheadTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "2, 2",
        "50, 50",
        "99, 99",
        "100, 99",
        "101, 100",
        "199, 198",
        "200, 198",
        "201, 199",
        "1000, 990"
    })
    @DisplayName(
            "RB-16 p99 is the nearest rank: the ceil(99 n / 100)th of n, whether they come rising, falling or mixed")
    void p99_ofOneToN_isTheNearestRank(int n, long expected) {
        List<Long> latencies =
                new ArrayList<>(LongStream.rangeClosed(1, n).boxed().toList());
        assertThat(p99(latencies)).isEqualTo(expected);
        Collections.reverse(latencies);
        assertThat(p99(latencies)).isEqualTo(expected);
        Collections.shuffle(latencies, new Random(n));
        assertThat(p99(latencies)).isEqualTo(expected);
    }

    private long p99(List<Long> latencies) {
        RemoteBulkhead bulkhead = rejecting(1);
        latencies.forEach(bulkhead::recordForegroundLatency);
        return bulkhead.p99ForegroundLatencyMs().getAsLong();
    }

    @Test
    @DisplayName("RB-16 p99 is of the retained samples alone: what leaves the window is forgotten")
    void p99_afterTheWindow_forgets() {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(1).latencyWindow(3));
        for (long latency : new long[] {900, 5, 7}) {
            bulkhead.recordForegroundLatency(latency);
        }
        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(900);

        bulkhead.recordForegroundLatency(6);

        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(7);
        assertThat(bulkhead.latencySamples())
                .extracting(ForegroundLatencySample::latencyMs)
                .containsExactly(5L, 7L, 6L);
    }

    @Test
    @DisplayName("RB-16 equal, zero and greatest latencies are latencies like others")
    void p99_extremes_areExact() {
        RemoteBulkhead bulkhead = rejecting(1);
        bulkhead.recordForegroundLatency(0);
        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(0);
        bulkhead.recordForegroundLatency(Long.MAX_VALUE);
        bulkhead.recordForegroundLatency(Long.MAX_VALUE);
        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(Long.MAX_VALUE);
        assertThat(bulkhead.latencyWithinTarget()).isFalse();
    }

    @Test
    @DisplayName("RB-16 within the target means at most the target, and no samples are within it")
    void latencyWithinTarget_atTheTarget_isWithin() {
        RemoteBulkhead bulkhead = made(RemoteBulkhead.builder(1).p99TargetMs(20).latencyWindow(1));

        assertThat(bulkhead.p99ForegroundLatencyMs()).isEmpty();
        assertThat(bulkhead.latencyWithinTarget()).isTrue();
        bulkhead.recordForegroundLatency(20);
        assertThat(bulkhead.latencyWithinTarget()).isTrue();
        bulkhead.recordForegroundLatency(21);
        assertThat(bulkhead.latencyWithinTarget()).isFalse();
        bulkhead.recordForegroundLatency(19);
        assertThat(bulkhead.latencyWithinTarget()).isTrue();
    }

    @Test
    @DisplayName("RB-16 RB-1 a negative latency is misuse and changes nothing")
    void record_negative_throws() {
        RemoteBulkhead bulkhead = rejecting(1);
        for (long negative : new long[] {-1, Long.MIN_VALUE}) {
            assertThrowsAndChangesNothing(
                    bulkhead, IllegalArgumentException.class, () -> bulkhead.recordForegroundLatency(negative));
            assertThrowsAndChangesNothing(
                    bulkhead, IllegalArgumentException.class, () -> bulkhead.recordForegroundLatency(negative, 1));
        }
    }

    @Test
    @DisplayName("RB-16 every sample is one event and keeps the load it was seen under")
    void record_any_isOneEvent() {
        RemoteBulkhead bulkhead = rejecting(3);
        bulkhead.recordForegroundLatency(4, 1);
        take(bulkhead, "a", 2);
        take(bulkhead, "b", 2);
        bulkhead.recordForegroundLatency(5, 3);

        assertThat(bulkhead.latencySamples())
                .containsExactly(new ForegroundLatencySample(0, 4), new ForegroundLatencySample(2, 5));
        assertThat(bulkhead.events())
                .filteredOn(BulkheadEvent::eventCode, RB_LATENCY_REPORT)
                .containsExactly(
                        new BulkheadEvent(RB_LATENCY_REPORT, 1, 0, 3, "latencyMs=4"),
                        new BulkheadEvent(RB_LATENCY_REPORT, 3, 2, 3, "latencyMs=5"));
    }

    @Test
    @DisplayName("RB-16 without a time a sample has the greatest time of any call so far, 0 before")
    void record_withoutTime_isStampedWithTheGreatest() {
        RemoteBulkhead bulkhead = queueing(1, 1);
        assertThat(stamp(bulkhead)).isZero();
        BulkheadPermit permit = take(bulkhead, "a", 10);
        assertThat(stamp(bulkhead)).isEqualTo(10);
        bulkhead.pollQueued("a", 5);
        assertThat(stamp(bulkhead)).as("time does not run backwards").isEqualTo(10);
        bulkhead.pollQueued("stranger", 11);
        assertThat(stamp(bulkhead)).isEqualTo(11);
        bulkhead.cancelQueued("stranger", 12);
        assertThat(stamp(bulkhead)).isEqualTo(12);
        bulkhead.acquire(false, "b", 13);
        assertThat(stamp(bulkhead)).isEqualTo(13);
        giveBack(bulkhead, permit, 14);
        assertThat(stamp(bulkhead)).isEqualTo(14);
        bulkhead.setMaxInFlight(2, 15);
        assertThat(stamp(bulkhead)).isEqualTo(15);
        bulkhead.recordForegroundLatency(1, 16);
        assertThat(stamp(bulkhead)).isEqualTo(16);
    }

    private static long stamp(RemoteBulkhead bulkhead) {
        bulkhead.recordForegroundLatency(1);
        List<BulkheadEvent> events = bulkhead.events();
        return events.get(events.size() - 1).nowMs();
    }
}
