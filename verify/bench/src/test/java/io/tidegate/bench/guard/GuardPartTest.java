package io.tidegate.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Row;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class GuardPartTest {
    private static final int MORE_THAN_THE_LIMIT = 3 * CallBenchmark.IN_FLIGHT;

    static Stream<Arguments> calls() {
        return contestants(CallBenchmark.class);
    }

    static Stream<Arguments> submissions() {
        return contestants(SubmitBenchmark.class);
    }

    private static Stream<Arguments> contestants(Class<?> kind) {
        return GuardPart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .filter(contestant -> kind.isAssignableFrom(contestant.benchmarks()))
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), row, contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("calls")
    void call_again_returnsItsValue(String work, String label, Row row, Contestant contestant) throws Exception {
        CallBenchmark calls = prepared(row, contestant);
        for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
            assertThat(calls.call()).isEqualTo(CallBenchmark.RESULT);
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("calls")
    void call_manyFailures_opens(String work, String label, Row row, Contestant contestant) throws Exception {
        CallBenchmark calls = prepared(row, contestant);
        calls.work = () -> {
            throw new IllegalStateException("fails");
        };
        for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
            assertThat(catchThrowable(calls::call)).isNotNull();
        }
        calls.work = () -> CallBenchmark.RESULT;

        assertThat(catchThrowable(calls::call)).isNotNull();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("submissions")
    void submit_again_endsWithItsValue(String work, String label, Row row, Contestant contestant) throws Exception {
        SubmitBenchmark submissions = newSubmissions(contestant);
        SubmitBenchmark.Operation operation = new SubmitBenchmark.Operation();
        for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
            CompletionStage<String> returned =
                    row.method().equals("done") ? submissions.done() : submissions.pending(operation);
            assertThat(returned.toCompletableFuture()).isCompletedWithValue(CallBenchmark.RESULT);
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("submissions")
    void submit_full_isRefused(String work, String label, Row row, Contestant contestant) throws Exception {
        SubmitBenchmark submissions = newSubmissions(contestant);
        // one more than the limit, for the contestant that must have a queue
        for (int i = 0; i <= CallBenchmark.IN_FLIGHT; i++) {
            CompletableFuture<String> unused =
                    submissions.submit(CompletableFuture::new).toCompletableFuture();
        }
        assertThat(submissions.done().toCompletableFuture()).isCompletedExceptionally();
    }

    private static CallBenchmark prepared(Row row, Contestant contestant) throws Exception {
        CallBenchmark calls =
                (CallBenchmark) contestant.benchmarks().getConstructor().newInstance();
        calls.build(row.method().equals("limited"));
        return calls;
    }

    private static SubmitBenchmark newSubmissions(Contestant contestant) throws Exception {
        return (SubmitBenchmark) contestant.benchmarks().getConstructor().newInstance();
    }
}
