package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermitsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 100, 1 << 20, Integer.MAX_VALUE})
    @DisplayName("AB-20 totals go on when the field of the word that counts the taken ones starts over")
    void totals_acrossLaps_goOn(int limit) {
        int outBits = Integer.SIZE - Integer.numberOfLeadingZeros(limit);
        long halfLap = 1L << (Long.SIZE - 1 - outBits);
        for (long start : new long[] {halfLap - 2, 2 * halfLap - 2, 3 * halfLap - 2}) {
            if (start > 0) {
                takeFourAcross(new Permits(limit, start), start);
            }
        }
    }

    private static void takeFourAcross(Permits permits, long start) {
        for (long taken = start; taken < start + 4; taken++) {
            assertThat(permits.totals()).isEqualTo(new Permits.Totals(taken, taken));
            assertThat(permits.tryTake()).isTrue();
            assertThat(permits.out()).isEqualTo(1);
            assertThat(permits.totals()).isEqualTo(new Permits.Totals(taken + 1, taken));
            permits.giveBack();
            assertThat(permits.out()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 100})
    @DisplayName("AB-3 every limit is exact, on the bounds of its field in the word too")
    void tryTake_upToTheLimit_thenRefuses(int limit) {
        Permits permits = new Permits(limit);
        for (int i = 0; i < limit; i++) {
            assertThat(permits.tryTake()).isTrue();
        }
        assertThat(permits.tryTake()).isFalse();
        assertThat(permits.out()).isEqualTo(limit);
        permits.giveBack();
        assertThat(permits.tryTake()).isTrue();
        assertThat(permits.totals()).isEqualTo(new Permits.Totals(limit + 1L, 1));
    }

    @Test
    @DisplayName("AB-20 totals read while the field starts over neither fall nor run ahead")
    void totals_whileALapEnds_areExact() {
        long lap = 1L << 33;
        assertThat(Race.run(200_000, Duration.ofSeconds(5), () -> new TakeAtLapEnd(lap - 1)))
                .isNull();
    }

    private static final class TakeAtLapEnd implements Race.Round {
        private final long before;
        private final Permits permits;
        private Permits.Totals seen = new Permits.Totals(0, 0);

        TakeAtLapEnd(long before) {
            this.before = before;
            this.permits = new Permits(Integer.MAX_VALUE, before);
        }

        @Override
        public void first() {
            seen = permits.totals();
        }

        @Override
        public void second() {
            permits.tryTake();
        }

        @Override
        public @Nullable String verdict() {
            boolean exact = seen.returned() == before && (seen.taken() == before || seen.taken() == before + 1);
            return exact ? null : seen + " beside one take after " + before;
        }
    }
}
