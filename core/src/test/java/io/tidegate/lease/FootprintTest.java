package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.memory.Weight;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much memory a lease keeps, by the layout of its objects. */
class FootprintTest {
    private static final int OFFSETS = 200_000;

    /** The memory of an empty lease, with room for what it makes at its first use. */
    private static final long SMALL = 10_000;

    private static long bytesKept(Consumer<WorkLease> work) {
        WorkLease leases = WorkLease.inMemory(0);
        work.accept(leases);
        return Weight.of(leases);
    }

    private static void process(WorkLease leases, String domainId, long offset) {
        Acquired acquired = (Acquired) leases.tryAcquire(domainId, offset);
        leases.succeed(domainId, acquired.token());
    }

    @Test
    @DisplayName("WL-13 an idle domain takes at most 128 bytes beside its id")
    void domain_idle_isSmall() {
        int domains = 6_200; // the table of domains has just grown: this is the worst case
        Object[] ids = IntStream.range(0, domains).mapToObj(i -> "domain-" + i).toArray();

        long bytes = bytesKept(leases -> {
            for (Object id : ids) {
                process(leases, (String) id, 17);
                process(leases, (String) id, 18);
            }
        });

        assertThat(bytes - Weight.of(ids)).isLessThan(128L * domains);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("WL-13 dense processed offsets take at most half a byte each")
    void processed_dense_isSmall(long step) {
        long bytes = bytesKept(leases -> LongStream.range(0, OFFSETS).forEach(i -> process(leases, "A", i * step)));

        assertThat(bytes).isLessThan(OFFSETS / 2);
    }

    @Test
    @DisplayName("WL-13 the same in any order and not all of them")
    void processed_denseInRandomOrder_isSmall() {
        SplittableRandom random = new SplittableRandom(1);
        long[] offsets = random.longs(OFFSETS, 0, 2 * OFFSETS).distinct().toArray();

        long bytes = bytesKept(leases -> Arrays.stream(offsets).forEach(offset -> process(leases, "A", offset)));

        assertThat(bytes).isLessThan(offsets.length / 2);
    }

    @Test
    @DisplayName("WL-13 sparse processed offsets take at most 10 bytes each, ascending or not")
    void processed_sparse_isSmall() {
        long[] offsets = new SplittableRandom(1).longs(OFFSETS).toArray();

        for (boolean ascending : new boolean[] {false, true}) {
            if (ascending) {
                Arrays.sort(offsets);
            }
            long bytes = bytesKept(leases -> Arrays.stream(offsets).forEach(offset -> process(leases, "A", offset)));

            assertThat(bytes).isLessThan(10L * OFFSETS);
        }
    }

    @Test
    @DisplayName("WL-13 what is forgotten takes no memory")
    void processed_forgotten_isGone() {
        long[] offsets = new SplittableRandom(1).longs(OFFSETS).toArray();

        long bytes = bytesKept(leases -> {
            Arrays.stream(offsets).forEach(offset -> process(leases, "A", offset));
            leases.forget("A", Long.MAX_VALUE - 1);
        });

        assertThat(bytes).isLessThan(SMALL);
    }

    @Test
    @DisplayName("WL-12 an offset that waits takes at most 32 bytes, and none when it is done")
    void backlog_fullThenDrained_isGone() {
        assertThat(bytesKept(FootprintTest::enqueue)).isLessThan(32L * OFFSETS);
        assertThat(bytesKept(leases -> {
                    enqueue(leases);
                    LongStream.range(0, OFFSETS).forEach(i -> finish(leases, i));
                }))
                .isLessThan(SMALL);
    }

    private static void enqueue(WorkLease leases) {
        LongStream.range(0, OFFSETS).forEach(i -> leases.tryAcquire("A", i));
    }

    /* The first one is leased already. */
    private static void finish(WorkLease leases, long offset) {
        AcquireResult result = leases.tryAcquire("A", offset);
        leases.succeed(
                "A", result instanceof Acquired acquired ? acquired.token() : ((AlreadyAcquired) result).token());
    }
}
