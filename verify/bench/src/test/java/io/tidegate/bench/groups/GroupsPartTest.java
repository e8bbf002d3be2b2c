package io.tidegate.bench.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bench.Contestant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class GroupsPartTest {
    static Stream<Arguments> contestants() {
        return GroupsPart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_doesTheWork(String work, String label, Contestant contestant) throws Exception {
        TaskBenchmark<?> benchmark =
                (TaskBenchmark<?>) contestant.benchmarks().getConstructor().newInstance();
        benchmark.groups = Integer.parseInt(contestant.params().get("groups"));
        benchmark.parkMicros = Integer.parseInt(contestant.params().get("parkMicros"));
        benchmark.setUp();
        assertThat(benchmark.tasks()).isEqualTo(TaskBenchmark.TASKS);
        assertThat(benchmark.tasks()).isEqualTo(TaskBenchmark.TASKS);
        benchmark.tearDown();
    }

    @Test
    void waitingMemory_tidegate_isFarBelowAThread() {
        Limits oneAtATime = new Limits(1, 1, 1);
        double ours = WaitingMemory.bytes(new TaskRunner.Tidegate(1, oneAtATime), 50_000);
        double threads = WaitingMemory.bytes(new TaskRunner.OneSemaphore(1, oneAtATime), 50_000);

        assertThat(ours).isLessThan(threads / 2);
    }

    @Test
    void fairness_wild_measuresTheOthers() {
        assertThat(Fairness.p99Millis(new TaskRunner.Tidegate(17, new Limits(8, 4, 2)), 2, 100))
                .isPositive();
    }
}
