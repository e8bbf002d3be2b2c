package io.tidegate.bench.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Row;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class BulkheadPartTest {
    private static final int MORE_THAN_THE_LIMIT = 3 * PermitBenchmark.LIMIT;

    static Stream<Arguments> contestants() {
        return BulkheadPart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), row, contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_doesTheWork(String work, String label, Row row, Contestant contestant) throws Exception {
        Object benchmarks = contestant.benchmarks().getConstructor().newInstance();
        if (benchmarks instanceof PermitBenchmark permits) {
            checkPermits(row, permits);
        } else {
            checkSubmissions(row, (SubmitBenchmark) benchmarks);
        }
    }

    private static void checkPermits(Row row, PermitBenchmark permits) {
        boolean full = row.method().equals("refused");
        if (full) {
            permits.fill();
        }
        for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
            assertThat(full ? permits.refused() : permits.permit()).isEqualTo(!full);
        }
    }

    private static void checkSubmissions(Row row, SubmitBenchmark submissions) {
        boolean full = row.method().equals("refused");
        if (full) {
            submissions.fill();
        }
        SubmitBenchmark.Operation operation = new SubmitBenchmark.Operation();
        for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
            CompletableFuture<String> returned = switch (row.method()) {
                case "done" -> submissions.done().toCompletableFuture();
                case "pending" -> submissions.pending(operation).toCompletableFuture();
                default -> submissions.refused().toCompletableFuture();
            };
            assertThat(returned).isDone();
            assertThat(returned.isCompletedExceptionally()).isEqualTo(full);
        }
    }
}
