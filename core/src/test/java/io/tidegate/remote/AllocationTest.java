package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationTest extends RemoteBulkheadTest {
    private static final int CALLS = 100_000;

    /** What the measuring itself, and a compiler at work, may cost. */
    private static final long SLACK = 16_384;

    private static final MethodHandle ALLOCATED_BYTES = allocatedBytes();

    /** The bytes this thread has allocated; by reflection, as core's module does not need the one that tells. */
    private static MethodHandle allocatedBytes() {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long allocated() {
        try {
            return (long) ALLOCATED_BYTES.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static long bytesOf(LongConsumer call) {
        repeat(call);
        long before = allocated();
        repeat(call);
        return allocated() - before;
    }

    private static void repeat(LongConsumer call) {
        for (long i = 0; i < CALLS; i++) {
            call.accept(i);
        }
    }

    private static RemoteBulkhead bulkhead(int latencyWindow) {
        return RemoteBulkhead.builder(2)
                .eventCapacity(100)
                .latencyWindow(latencyWindow)
                .build();
    }

    /** A latency that moves p99 up and down. */
    private static long latency(long i) {
        return i * 7919 % 1009;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 1024, 2000})
    @DisplayName("RB-20 recording allocates nothing, in a window of any size")
    void record_any_allocatesNothing(int window) {
        RemoteBulkhead bulkhead = bulkhead(window);

        assertThat(bytesOf(i -> bulkhead.recordForegroundLatency(latency(i)))).isLessThan(SLACK);
        assertThat(bytesOf(i -> bulkhead.recordForegroundLatency(latency(i), i)))
                .isLessThan(SLACK);
    }

    @Test
    @DisplayName("RB-20 reading p99 allocates nothing, with samples or without")
    void p99_any_allocatesNothing() {
        RemoteBulkhead empty = bulkhead(1024);
        RemoteBulkhead full = bulkhead(1024);
        repeat(i -> full.recordForegroundLatency(latency(i)));
        OptionalLong[] kept = new OptionalLong[1];

        assertThat(bytesOf(i -> kept[0] = empty.p99ForegroundLatencyMs())).isLessThan(SLACK);
        assertThat(bytesOf(i -> kept[0] = full.p99ForegroundLatencyMs())).isLessThan(SLACK);
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
                .isLessThan(SLACK);
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
                    .isLessThan(CALLS * largestAnswer + SLACK);
        }
    }

    @Test
    @DisplayName(
            "RB-20 reading does not sort: half a million reads and records in a window of a hundred thousand take no time")
    void p99_largeWindow_isNotSorted() {
        int window = 100_000;
        RemoteBulkhead bulkhead = bulkhead(window);
        for (int i = 0; i < 5 * window; i++) {
            bulkhead.recordForegroundLatency(latency(i));
            assertThatP99IsRead(bulkhead);
        }
    }

    /** A sort of the window here would make the test take hours. */
    private static void assertThatP99IsRead(RemoteBulkhead bulkhead) {
        if (bulkhead.p99ForegroundLatencyMs().isEmpty()) {
            throw new AssertionError("no p99");
        }
    }
}
