package io.tidegate.rate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.rate.broken.BrokenLimiter;
import io.tidegate.rate.broken.LimiterFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts. A failure names its seed: {@code -Dtidegate.seed=N} plays that script alone, and
 * {@code -Dtidegate.seeds=N} plays the first N.
 */
class ModelTest {
    private static final int STEPS = 120;

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", 600));
    }

    @Test
    @DisplayName("RL-1 RL-3 RL-4 RL-5 RL-6 random scripts agree with exact arithmetic, whatever rate and time do")
    void script_tidegate_agrees() {
        seeds().forEach(seed -> ModelRun.play(LimiterFactory.TIDEGATE, seed, STEPS, seed % 2 == 1));
    }

    /** One thread cannot see a gap between comparing and taking: the races look for that fault. */
    @ParameterizedTest
    @Tag("broken")
    @EnumSource(value = BrokenLimiter.class, mode = EnumSource.Mode.EXCLUDE, names = "CHECK_THEN_ACT")
    @DisplayName("the model catches every limiter that is wrong on one thread, and replays from the seed")
    void script_broken_isCaught(BrokenLimiter broken) {
        assertThatThrownBy(() -> LongStream.range(0, 3_000).forEach(seed -> ModelRun.play(broken, seed, STEPS, false)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed ")
                .satisfies(caught -> {
                    long seed = Long.parseLong(caught.getMessage().replaceFirst("(?s)seed (\\d+),.*", "$1"));
                    assertThatThrownBy(() -> ModelRun.play(broken, seed, STEPS, false))
                            .hasMessage(caught.getMessage());
                });
    }
}
