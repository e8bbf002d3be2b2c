package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 9, 40, 1_000, 1_000_000})
    @DisplayName("WL-2 order is arrival and each offset is in it once, while it grows and shrinks")
    void addAndRemove_random_agreesWithLinkedHashSet(int different) {
        SplittableRandom random = new SplittableRandom(different);
        Backlog backlog = new Backlog();
        Set<Long> expected = new LinkedHashSet<>();
        for (int i = 0; i < 50_000; i++) {
            boolean filling = i / 5_000 % 2 == 0;
            if (expected.isEmpty() || random.nextInt(10) < (filling ? 7 : 3)) {
                long offset = (random.nextInt(different) - different / 2) * 0x1_0000_0001L;
                backlog.add(offset);
                expected.add(offset);
                assertContains(backlog, expected, offset + 0x1_0000_0001L);
            } else {
                long head = backlog.head();
                backlog.removeHead();
                Iterator<Long> first = expected.iterator();
                assertThat(head).isEqualTo(first.next());
                first.remove();
                assertContains(backlog, expected, head);
            }
            assertThat(backlog.isEmpty()).isEqualTo(expected.isEmpty());
        }
        assertThat(backlog.first(Integer.MAX_VALUE))
                .containsExactly(expected.stream().mapToLong(Long::longValue).toArray());
    }

    private static void assertContains(Backlog backlog, Set<Long> expected, long offset) {
        assertThat(backlog.contains(offset)).isEqualTo(expected.contains(offset));
    }

    @Test
    @DisplayName("WL-12 offsets chosen to collide take no time, because the hash has a secret")
    void add_chosenToCollide_isNotQuadratic() {
        int offsets = 500_000;
        Backlog backlog = new Backlog();

        LongStream.range(0, offsets).map(BacklogTest::unmixed).forEach(backlog::add);

        assertThat(backlog.first(Integer.MAX_VALUE)).hasSize(offsets);
        assertThat(backlog.head()).isEqualTo(unmixed(0));
    }

    /**
     * Returns a number that the table's mixing, without its secret, would map to this one: only the lower half differs,
     * which the table does not use.
     */
    private static long unmixed(long mixed) {
        long second = mixed * inverse(0xBF58476D1CE4E5B9L);
        long first = (second ^ (second >>> 29) ^ (second >>> 58)) * inverse(0x9E3779B97F4A7C15L);
        return first ^ (first >>> 32);
    }

    /** Newton's method: each step doubles the number of right bits. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1L << 44})
    @DisplayName("WL-12 a million offsets, each twice, take no time, however far apart")
    void add_millionTwice_isNotQuadratic(long step) {
        int offsets = 1_000_000;
        Backlog backlog = new Backlog();
        for (int round = 0; round < 2; round++) {
            LongStream.range(0, offsets).forEach(i -> backlog.add(i * step));
        }
        for (long i = 0; i < offsets; i++) {
            if (backlog.head() != i * step) {
                throw new AssertionError(i);
            }
            backlog.removeHead();
        }
        assertThat(backlog.isEmpty()).isTrue();
    }

    @Test
    void first_wrapped_isInOrder() {
        Backlog backlog = new Backlog();
        LongStream.range(0, 4).forEach(backlog::add);
        backlog.removeHead();
        backlog.removeHead();
        backlog.add(Long.MIN_VALUE);
        backlog.add(Long.MAX_VALUE);

        assertThat(backlog.first(Integer.MAX_VALUE)).containsExactly(2, 3, Long.MIN_VALUE, Long.MAX_VALUE);
    }
}
