package io.tidegate.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.RunnerScale;
import io.tidegate.remote.BackpressurePolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulations of the command, in small sizes. */
class ScaleTest {
    private static final RunnerScale.Size FEW_RUNNERS = RunnerScale.Size.QUICK.with(6, 2_000, 200);
    private static final CapScale.Size FEW_MEMBERS = CapScale.Size.QUICK.with(12, 120, 12);

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void runner_few_nothingIsLost(long seed) {
        RunnerScale world = new RunnerScale(FEW_RUNNERS, seed, state -> {});

        world.run();

        assertThat(world.lost())
                .as("seed %d: acknowledged and never done", seed)
                .isZero();
        assertThat(world.finishedByTwo()).as("seed %d: done twice", seed).isZero();
        assertThat(world.leftBehind()).as("seed %d: nobody on it", seed).isZero();
    }

    @Test
    @DisplayName("WR-4 many processes that find far more than a page share it, and are seldom second")
    void runner_workInEveryDomain_isShared() {
        RunnerScale world = new RunnerScale(FEW_RUNNERS.with(50, 10_000, 50), 1, state -> {});

        world.run();

        assertThat(world.lost()).isZero();
        assertThat(world.lastRoundTrips()).as("for 10,000 domains").isLessThan(60_000);
    }

    @Test
    void runner_sameSeed_sameFigures() {
        RunnerScale.Size size = FEW_RUNNERS.with(3, 300, 50);

        assertThat(new RunnerScale(size, 7, state -> {}).run())
                .hasToString(new RunnerScale(size, 7, state -> {}).run().toString());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void cap_few_holdsAndServesAll(long seed) {
        CapScale world = new CapScale(FEW_MEMBERS, BackpressurePolicy.reject(), seed, state -> {});

        world.run();

        assertThat(world.mostInFlight()).as("seed %d", seed).isLessThanOrEqualTo(FEW_MEMBERS.cap());
        assertThat(world.sliced())
                .as("seed %d: slices of the living, under a load of 120 %%", seed)
                .isGreaterThanOrEqualTo(FEW_MEMBERS.cap() * 9 / 10);
    }

    @Test
    void cap_sameSeed_sameFigures() {
        BackpressurePolicy policy = BackpressurePolicy.queue(10, 100);

        assertThat(new CapScale(FEW_MEMBERS, policy, 7, state -> {}).run())
                .hasToString(
                        new CapScale(FEW_MEMBERS, policy, 7, state -> {}).run().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"runners", "--seed"})
    void unknownWord_twoWithUsage(String word) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        int code = new Scale(new PrintStream(said, true, StandardCharsets.UTF_8), false).run(List.of(word));

        assertThat(code).isEqualTo(2);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains(word, "usage: ./tidegate scale [runner|cap] [--quick] [--seed N]");
    }
}
