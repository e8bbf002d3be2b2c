package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts. A failure names its seed: {@code -Dtidegate.seed=N} plays that script alone, and
 * {@code -Dtidegate.seeds=N} plays the first N.
 */
class ModelTest {
    private static final int STEPS = 100;

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", 500));
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-3 AB-9 AB-10 AB-11 AB-12 AB-13 AB-14 AB-15 AB-17 random scripts agree with the reference")
    void script_tidegate_agrees(PermitLifetime lifetime) {
        BulkheadFactory factory = (limit, listener) -> AsyncBulkhead.builder(limit)
                .permitLifetime(lifetime)
                .listener(listener)
                .build();

        seeds().forEach(seed -> ModelRun.play(factory, lifetime, seed, STEPS));
    }

    /** One thread cannot see a gap between checking and taking: the races look for that fault. */
    @ParameterizedTest
    @EnumSource(value = BrokenBulkhead.class, mode = EnumSource.Mode.EXCLUDE, names = "CHECK_THEN_ACT")
    @DisplayName("the model catches every bulkhead that is wrong on one thread, and replays from the seed")
    void script_broken_isCaught(BrokenBulkhead broken) {
        assertThatThrownBy(() -> LongStream.range(0, 1_000).forEach(seed -> play(broken, seed)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed ")
                .satisfies(caught -> {
                    long seed = Long.parseLong(caught.getMessage().replaceFirst("(?s)seed (\\d+),.*", "$1"));
                    assertThatThrownBy(() -> play(broken, seed)).hasMessage(caught.getMessage());
                });
    }

    private static void play(BulkheadFactory factory, long seed) {
        ModelRun.play(factory, PermitLifetime.RETURNED_STAGE, seed, STEPS);
    }
}
