package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetSetTest {
    private static final int STEPS = 20_000;
    private static final long SEED = 1;

    /** How the next random offset follows from the one before; each way leads to other forms of chunks. */
    enum Source {
        DENSE,
        RARE,
        AT_THE_EDGE_OF_A_BITMAP,
        CLUSTERS,
        RUNS,
        DOWNWARDS,
        ANY,
        ENDS;

        long next(SplittableRandom random, long before) {
            return switch (this) {
                case DENSE -> random.nextLong(-3_000, 3_000);
                case RARE -> random.nextLong(-1_000_000, 1_000_000);
                case AT_THE_EDGE_OF_A_BITMAP -> random.nextLong(0, 64L * STEPS);
                case CLUSTERS -> random.nextLong(-20, 20) * 100_000 + random.nextLong(0, 400);
                case RUNS -> random.nextInt(300) == 0 ? random.nextLong(0, 200_000) : before + 1;
                case DOWNWARDS -> before - random.nextInt(1, 4);
                case ANY -> random.nextLong();
                case ENDS ->
                    random.nextBoolean()
                            ? Long.MIN_VALUE + random.nextInt(2_000)
                            : Long.MAX_VALUE - random.nextInt(2_000);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("WL-13 whatever the offsets, the set has exactly those that were added")
    void add_anyOffsets_agreesWithTreeSet(Source source) {
        SplittableRandom random = new SplittableRandom(SEED);
        OffsetSet set = new OffsetSet();
        Set<Long> expected = new TreeSet<>();
        long offset = 0;
        for (int i = 0; i < STEPS; i++) {
            offset = source.next(random, offset);
            set.add(offset);
            expected.add(offset);
            assertSame(set, expected, offset);
        }
        assertSame(set, expected);
    }

    private static void assertSame(OffsetSet set, Set<Long> expected, long around) {
        for (long offset = around - 2; offset != around + 3; offset++) {
            if (set.contains(offset) != expected.contains(offset)) {
                assertThat(set.contains(offset)).as("contains %d", offset).isEqualTo(expected.contains(offset));
            }
        }
    }

    private static void assertSame(OffsetSet set, Set<Long> expected) {
        assertThat(set.count()).isEqualTo(expected.size());
        assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
        expected.forEach(offset -> assertSame(set, expected, offset));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 64, 65, 1_000, 1_000_000})
    void dropUpTo_steps_keepsWhatIsAbove(long step) {
        int offsets = 5_000;
        for (int dropped : new int[] {-1, 0, 1, 2, 255, 256, 257, 2_500, offsets - 2, offsets - 1, offsets}) {
            OffsetSet set = new OffsetSet();
            LongStream.range(0, offsets).forEach(i -> set.add(i * step));

            set.dropUpTo(dropped * step);

            LongStream.range(dropped + 1, offsets)
                    .forEach(i -> assertThat(set.contains(i * step)).isTrue());
            assertThat(set.isEmpty()).isEqualTo(dropped >= offsets - 1);
        }
    }

    @Test
    @DisplayName("WL-13 many random offsets take no time: adding is not quadratic")
    void add_manyRandomOffsets_isNotQuadratic() {
        int offsets = 300_000;
        OffsetSet set = new OffsetSet();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < offsets; i++) {
            set.add(random.nextLong());
        }
        assertThat(set.count()).isEqualTo(offsets);
        new SplittableRandom(1).longs(offsets).forEach(offset -> {
            if (!set.contains(offset)) {
                throw new AssertionError(offset);
            }
        });
    }

    @Test
    @DisplayName("WL-13 the offsets of a range in random order end as one run")
    void add_rangeInRandomOrder_becomesOneRun() {
        int offsets = 100_000;
        OffsetSet set = new OffsetSet();
        long prime = 99_991;
        LongStream.range(0, offsets).map(i -> i * prime % offsets).forEach(set::add);

        assertThat(set.count()).isEqualTo(offsets);
        set.dropUpTo(offsets - 2);
        assertThat(set.count()).as("the run is one piece").isEqualTo(offsets);
    }
}
