package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random crashes. A failure names its seed: {@code -Dtidegate.seed=N} plays that script alone, and {@code
 * -Dtidegate.seeds=N} plays the first N.
 */
class RunnerCrashTest {
    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", 300));
    }

    @Test
    void script_anyCrashes_allIsDoneInOrderAndPoisonIsParked() {
        seeds().forEach(seed -> assertThat(new CrashScript(seed, CrashScript::following).play())
                .as("seed %d", seed)
                .isEmpty());
    }

    @Test
    void script_naiveRunner_isCaught() {
        assertThat(LongStream.range(0, 100)).anyMatch(RunnerCrashTest::goesWrongWithTheNaiveRunner);
    }

    private static boolean goesWrongWithTheNaiveRunner(long seed) {
        try {
            return !new CrashScript(
                            seed,
                            (lease, task, executor, scheduler, listener) ->
                                    new NaiveRunner(lease, task, executor, listener))
                    .play()
                    .isEmpty();
        } catch (RuntimeException notHandled) {
            return true;
        }
    }
}
