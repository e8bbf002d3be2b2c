package io.tidegate.bench.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Contestant.Role;
import io.tidegate.bench.Row;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A contestant must do the row's work, or its time would be worth nothing. */
class BreakerPartTest {
    private static final int CALLS = 3 * CallBenchmark.ENOUGH_FAILURES;

    static Stream<Arguments> contestants() {
        return BreakerPart.PART.rows().stream()
                .flatMap(row -> row.contestants().stream()
                        .map(contestant -> Arguments.of(row.work(), contestant.label(), row, contestant)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_doesTheWork(String work, String label, Row row, Contestant contestant) throws Exception {
        CallBenchmark calls = prepared(row, contestant);
        if (row.method().equals("openAndClose")) {
            assertOpensAndCloses(calls);
            return;
        }
        boolean closed = row.method().equals("success") || row.method().equals("failureAndSuccess");
        for (int i = 0; i < CALLS; i++) {
            if (row.method().equals("failureAndSuccess")) {
                assertThat(calls.fail()).isIn(true, calls.failure);
            }
            if (closed) {
                assertThat(calls.succeed()).isIn(true, CallBenchmark.RESULT);
            } else {
                assertRefused(calls, calls.succeed());
            }
        }
    }

    private static void assertOpensAndCloses(CallBenchmark calls) {
        for (int i = 0; i < CALLS; i++) {
            calls.openByHand();
            assertRefused(calls, calls.succeed());
            calls.closeByHand();
            assertThat(calls.succeed()).isIn(true, CallBenchmark.RESULT);
            calls.openAndClose();
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("contestants")
    void contestant_tooManyFailures_opens(String work, String label, Row row, Contestant contestant) throws Exception {
        if (contestant.role() != Role.FLOOR) {
            CallBenchmark calls = prepared(row, contestant);
            calls.open();
            assertRefused(calls, calls.succeed());
        }
    }

    private static CallBenchmark prepared(Row row, Contestant contestant) throws Exception {
        CallBenchmark calls =
                (CallBenchmark) contestant.benchmarks().getConstructor().newInstance();
        calls.window = Window.valueOf(contestant.params().get("window"));
        calls.prepare(row.method());
        return calls;
    }

    private static void assertRefused(CallBenchmark calls, Object returned) {
        if (!returned.equals(false)) {
            assertThat(returned).isInstanceOf(Exception.class).isNotSameAs(calls.failure);
        }
    }
}
