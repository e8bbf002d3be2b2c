package io.tidegate.bench.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Row;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class RatePartTest {
    static Stream<Arguments> contestants() {
        return RatePart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), row, contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_doesTheWork(String work, String label, Row row, Contestant contestant) throws Exception {
        TryBenchmark tries =
                (TryBenchmark) contestant.benchmarks().getConstructor().newInstance();
        boolean refused = row.method().equals("refused");
        if (refused) {
            tries.starve();
        }
        for (int i = 0; i < 100; i++) {
            assertThat(refused ? tries.refused() : tries.admitted()).isEqualTo(!refused);
        }
    }
}
