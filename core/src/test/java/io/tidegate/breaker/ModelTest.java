package io.tidegate.breaker;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts. A failure names its seed: {@code -Dtidegate.seed=N} plays that script alone, and
 * {@code -Dtidegate.seeds=N} plays the first N.
 */
class ModelTest {
    private static final int STEPS = 150;

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", 500));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-4 to CB-13 and CB-16 to CB-21: random scripts agree with the reference")
    void script_tidegate_agrees(ModelRun.Window window) {
        seeds().forEach(seed -> ModelRun.play(window, seed, STEPS));
    }
}
