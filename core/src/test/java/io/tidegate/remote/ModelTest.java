package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.remote.broken.BrokenRemoteBulkhead;
import io.tidegate.remote.broken.RemoteBulkheadFactory;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    @DisplayName("RB-3 to RB-18: random scripts agree with the reference in every answer, event and count")
    void script_tidegate_agrees() {
        seeds().forEach(seed -> ModelRun.play(RemoteBulkheadFactory.TIDEGATE, seed, STEPS));
    }

    @Test
    @DisplayName("the model finds no fault with the reference itself")
    void script_reference_agrees() {
        LongStream.range(0, 300).forEach(seed -> ModelRun.play(ReferenceBulkhead::new, seed, STEPS));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("broken")
    @DisplayName("the model catches every broken bulkhead, and replays from the seed")
    void script_broken_isCaught(BrokenRemoteBulkhead broken) {
        assertThatThrownBy(() -> LongStream.range(0, 1_000).forEach(seed -> ModelRun.play(broken, seed, STEPS)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed ")
                .satisfies(caught -> {
                    long seed = Long.parseLong(caught.getMessage().replaceFirst("(?s)seed (\\d+),.*", "$1"));
                    assertThatThrownBy(() -> ModelRun.play(broken, seed, STEPS)).hasMessage(caught.getMessage());
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 99, 100, 101, 199, 200, 201, 1024, 2500})
    @DisplayName("RB-16 RB-20 p99 without a sort is p99 by a sort, in windows of every awkward size")
    void p99_anyWindow_isThatOfTheReference(int window) {
        ReferenceBulkhead.Settings settings =
                new ReferenceBulkhead.Settings(1, BackpressurePolicy.reject(), 500, 1, window);
        RemoteBulkhead bulkhead = RemoteBulkheadFactory.TIDEGATE.create(settings, event -> {});
        ReferenceBulkhead reference = new ReferenceBulkhead(settings, event -> {});
        Random random = new Random(window);
        int every = 1 + window / 300;
        for (int i = 0; i < 4 * window + 20; i++) {
            long latency = random.nextInt(i % 50 < 25 ? 1_000 : 3);
            bulkhead.recordForegroundLatency(latency);
            reference.recordForegroundLatency(latency);
            if (i % every == 0) {
                assertThat(bulkhead.p99ForegroundLatencyMs()).isEqualTo(reference.p99ForegroundLatencyMs());
                assertThat(bulkhead.latencyWithinTarget()).isEqualTo(reference.latencyWithinTarget());
            }
        }
        assertThat(bulkhead.latencySamples()).isEqualTo(reference.latencySamples());
    }
}
