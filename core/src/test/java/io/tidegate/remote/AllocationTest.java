package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.memory.Allocations;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationTest extends RemoteBulkheadTest {
    private static final int CALLS = 100_000;

    private static long bytesOf(LongConsumer call) {
        return Allocations.of(CALLS, call);
    }

    private static RemoteBulkhead bulkhead(int latencyWindow) {
        return RemoteBulkhead.builder(2)
                .eventCapacity(100)
                .latencyWindow(latencyWindow)
                .build();
    }

    /** Returns a latency that moves p99 up and down. */
    private static long latency(long i) {
        return i * 7919 % 1009;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 1024, 2000})
    @DisplayName("RB-20 recording allocates nothing, in a window of any size")
    void record_any_allocatesNothing(int window) {
        RemoteBulkhead bulkhead = bulkhead(window);

        assertThat(bytesOf(i -> bulkhead.recordForegroundLatency(latency(i)))).isLessThan(Allocations.SLACK);
        assertThat(bytesOf(i -> bulkhead.recordForegroundLatency(latency(i), i)))
                .isLessThan(Allocations.SLACK);
    }

    @Test
    @DisplayName("RB-20 reading p99 allocates nothing, with samples or without")
    void p99_any_allocatesNothing() {
        RemoteBulkhead empty = bulkhead(1024);
        RemoteBulkhead full = bulkhead(1024);
        for (long i = 0; i < CALLS; i++) {
            full.recordForegroundLatency(latency(i));
        }
        OptionalLong[] kept = new OptionalLong[1];

        assertThat(bytesOf(i -> kept[0] = empty.p99ForegroundLatencyMs())).isLessThan(Allocations.SLACK);
        assertThat(bytesOf(i -> kept[0] = full.p99ForegroundLatencyMs())).isLessThan(Allocations.SLACK);
        assertThat(kept[0]).isNotEmpty();
    }

    @Test
    @DisplayName("RB-20 comparing p99 with the target allocates nothing, though p99 moves")
    void latencyWithinTarget_movingP99_allocatesNothing() {
        RemoteBulkhead bulkhead = bulkhead(50);
        int[] within = new int[1];

        assertThat(bytesOf(i -> {
                    bulkhead.recordForegroundLatency(latency(i));
                    within[0] += bulkhead.latencyWithinTarget() ? 1 : 0;
                }))
                .isLessThan(Allocations.SLACK);
        assertThat(within[0]).isNotNegative();
    }

    @Test
    @DisplayName("RB-20 a p99 that has moved costs the answer alone, whatever the window's size")
    void p99_moved_allocatesTheAnswer() {
        long largestAnswer = 32;
        for (int window : new int[] {1, 1000}) {
            RemoteBulkhead bulkhead = bulkhead(window);
            OptionalLong[] kept = new OptionalLong[1];

            assertThat(bytesOf(i -> {
                        bulkhead.recordForegroundLatency(latency(i));
                        kept[0] = bulkhead.p99ForegroundLatencyMs();
                    }))
                    .isLessThan(CALLS * largestAnswer + Allocations.SLACK);
        }
    }

    @Test
    @DisplayName("RB-20 reading does not sort: half a million reads and records take no time in a window of 100,000")
    void p99_largeWindow_isNotSorted() {
        int window = 100_000;
        RemoteBulkhead bulkhead = bulkhead(window);
        for (int i = 0; i < 5 * window; i++) {
            bulkhead.recordForegroundLatency(latency(i));
            assertThatP99IsRead(bulkhead);
        }
    }

    /** With a sort of the window for each answer this test would take hours. */
    private static void assertThatP99IsRead(RemoteBulkhead bulkhead) {
        if (bulkhead.p99ForegroundLatencyMs().isEmpty()) {
            throw new AssertionError("no p99");
        }
    }
}
