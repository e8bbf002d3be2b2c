package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.broken.BrokenLease;
import io.tidegate.lease.broken.LeaseFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts. A failure names its seed: {@code -Dtidegate.seed=N} plays that script alone, and
 * {@code -Dtidegate.seeds=N} plays the first N.
 */
class ModelTest {
    private static final int STEPS = 200;

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", 300));
    }

    @Test
    @DisplayName("WL-1 to WL-9, WL-13: random scripts agree with the reference in every answer and snapshot")
    void script_tidegate_agrees() {
        seeds().forEach(seed -> ModelRun.play(LeaseFactory.TIDEGATE, seed, STEPS));
    }

    @Test
    @DisplayName("the model finds no fault with the reference itself")
    void script_reference_agrees() {
        LongStream.range(0, 200).forEach(seed -> ModelRun.play(ReferenceLease::new, seed, STEPS));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MISMATCH_TELLS_THE_TOKEN") // a message is no answer
    @DisplayName("the model catches every broken lease, and replays from the seed")
    void script_broken_isCaught(BrokenLease broken) {
        assertThatThrownBy(() -> LongStream.range(0, 1_000).forEach(seed -> ModelRun.play(broken, seed, STEPS)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed ")
                .satisfies(caught -> {
                    long seed = Long.parseLong(caught.getMessage().replaceFirst("(?s)seed (\\d+),.*", "$1"));
                    assertThatThrownBy(() -> ModelRun.play(broken, seed, STEPS)).hasMessage(caught.getMessage());
                });
    }
}
