package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuringTest {
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    @Test
    void measure_benchmarkThatIsNone_failsAndNamesIt() {
        Row row = new Row("a job", "toString", List.of(Contestant.floor("nobody", Object.class)), List.of());
        Part part = new Part("part", "Part", List.of(), List.of(row), List.of());

        assertThatThrownBy(() -> new Measuring(Effort.QUICK, NOWHERE, NOWHERE).measure(part))
                .isInstanceOf(BenchmarkFailed.class)
                .hasMessageStartingWith("failed: a job · nobody · t1 (java.lang.Object.toString): ");
    }
}
