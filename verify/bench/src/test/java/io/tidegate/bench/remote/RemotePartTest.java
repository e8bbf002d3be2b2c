package io.tidegate.bench.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Row;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class RemotePartTest {
    private static final int ROUNDS = 200;

    static Stream<Arguments> contestants() {
        return RemotePart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), row, contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_doesTheWork(String work, String label, Row row, Contestant contestant) throws Exception {
        Object benchmarks = contestant.benchmarks().getConstructor().newInstance();
        if (benchmarks instanceof PermitBenchmark permits) {
            permits.permits = Integer.parseInt(contestant.params().getOrDefault("permits", "64"));
            permits.prepare();
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(permits.permit()).isTrue();
            }
        } else if (benchmarks instanceof WakeBenchmark wakes) {
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(wakes.wake()).isEqualTo("result");
            }
        } else {
            checkLatencies(row, (LatencyBenchmark) benchmarks);
        }
    }

    private static void checkLatencies(Row row, LatencyBenchmark latencies) {
        LatencyBenchmark expected = new LatencyBenchmark.CopyAndSort();
        expected.fill();
        latencies.fill();
        for (int i = 0; i < 3 * LatencyBenchmark.WINDOW; i++) {
            boolean reads = row.method().equals("read");
            assertThat(reads ? latencies.read() : latencies.recordAndRead())
                    .isEqualTo(reads ? expected.read() : expected.recordAndRead());
        }
    }
}
