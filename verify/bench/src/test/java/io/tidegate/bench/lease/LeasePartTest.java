package io.tidegate.bench.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Row;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class LeasePartTest {
    private static final int ROUNDS = 200;

    static Stream<Arguments> contestants() {
        return LeasePart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), row, contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_doesTheWork(String work, String label, Row row, Contestant contestant) throws Exception {
        assertThat(contestant.benchmarks().getMethods()).extracting("name").contains(row.method());
        Object benchmarks = contestant.benchmarks().getConstructor().newInstance();
        if (benchmarks instanceof CycleBenchmark cycles) {
            checkCycles(cycles);
        } else if (benchmarks instanceof BacklogBenchmark backlog) {
            for (int i = 1; i <= ROUNDS; i++) {
                backlog.enqueue();
                assertThat(backlog.waiting()).isEqualTo(i);
            }
        } else if (benchmarks instanceof TokenBenchmark tokens) {
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(seen.add(tokens.token())).isTrue();
            }
        } else {
            assertThat(benchmarks).isInstanceOf(ManyDomainsBenchmark.class);
        }
    }

    private static void checkCycles(CycleBenchmark cycles) {
        CycleBenchmark.Offers offers = new CycleBenchmark.Offers();
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(cycles.sharedDomain(offers)).isTrue();
            assertThat(cycles.ownDomain(offers)).isTrue();
        }
        if (cycles instanceof CycleBenchmark.HashSets || cycles instanceof CycleBenchmark.Tidegate) {
            assertThat(cycles.cycle(CycleBenchmark.DOMAIN, 1))
                    .as("done already")
                    .isFalse();
        }
    }
}
