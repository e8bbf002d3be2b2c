package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessedOffsetsTest {
    private final ProcessedOffsets offsets = new ProcessedOffsets();

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 20, -10, 0, Long.MAX_VALUE - 20, Long.MAX_VALUE})
    @DisplayName("WL-13 adding and forgetting in any order, anywhere, is as a plain set has it")
    void addAndForget_random_agreesWithPlainSet(long middle) {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ProcessedOffsets processed = new ProcessedOffsets();
            PlainSet expected = new PlainSet();
            for (int step = 0; step < 40; step++) {
                long offset = middle + random.nextLong(-20, 20);
                if (random.nextInt(8) == 0) {
                    processed.forget(offset);
                    expected.forget(offset);
                } else {
                    processed.add(offset);
                    expected.added.add(offset);
                }
                for (long near = middle - 25; near != middle + 25; near++) {
                    if (processed.contains(near) != expected.contains(near)) {
                        throw new AssertionError("seed " + seed + ", step " + step + ", offset " + near);
                    }
                }
                assertThat(processed.hasNone()).isFalse();
            }
        }
    }

    /** The reference: the same set, in the simplest form. */
    private static final class PlainSet {
        private final TreeSet<Long> added = new TreeSet<>();
        private final TreeSet<Long> forgotten = new TreeSet<>();

        void forget(long upTo) {
            forgotten.add(upTo);
        }

        boolean contains(long offset) {
            return added.contains(offset) || forgotten.ceiling(offset) != null;
        }
    }

    @Test
    void hasNone_fresh_isTrue() {
        assertThat(offsets.hasNone()).isTrue();
        assertThat(offsets.contains(0)).isFalse();
        assertThat(offsets.contains(1)).isFalse();
        assertThat(offsets.contains(Long.MIN_VALUE)).isFalse();
    }

    @Test
    void add_afterLastAndFirstOfAll_doesNotWrapAround() {
        offsets.add(Long.MAX_VALUE);
        offsets.add(Long.MIN_VALUE);
        offsets.add(Long.MIN_VALUE + 1);
        offsets.add(Long.MAX_VALUE - 1);

        assertThat(offsets.contains(Long.MIN_VALUE)).isTrue();
        assertThat(offsets.contains(Long.MIN_VALUE + 1)).isTrue();
        assertThat(offsets.contains(Long.MAX_VALUE)).isTrue();
        assertThat(offsets.contains(Long.MAX_VALUE - 1)).isTrue();
        assertThat(offsets.contains(0)).isFalse();
    }
}
