package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordingTest {
    private static final double NONE = Double.NaN;
    private static final Map<String, String> A = Map.of("name", "a");

    private final Recording recording = Recording.of("""
            millis\t0\t100\t200\t300\t400\t500
            busy_seconds_count{name="a"}\t0\t0\t1\t2\t2\t2
            busy_seconds_sum{name="a"}\t0\t0\t0.5\t1.5\t1.5\t1.5
            limit{name="a"}\t7\t7\t7\t7\t7\t8
            limit{name="b"}\t1\t1\t1\t1\t1\t1
            late_total{name="a",code="X"}\t\t\t10\t10\t20\t40
            """);

    @Test
    void ask_series_hasThatOfEachName() {
        assertThat(recording.ask("limit{name=~\"$name\"}"))
                .hasEntrySatisfying(A, values -> assertThat(values).containsExactly(7, 7, 7, 7, 7, 8))
                .hasEntrySatisfying(
                        Map.of("name", "b"), values -> assertThat(values).containsExactly(1, 1, 1, 1, 1, 1))
                .hasSize(2);
    }

    @Test
    void ask_rate_isThatOfTheLastFourReadingsOrOfThoseThereAre() {
        assertThat(recording.ask("rate(late_total{name=~\"$name\"}[$__rate_interval])"))
                .hasEntrySatisfying(
                        Map.of("name", "a", "code", "X"),
                        values -> assertThat(values).containsExactly(NONE, NONE, NONE, 0, 50, 100));
        assertThat(recording.ask("rate(busy_seconds_count{name=~\"$name\"}[$__rate_interval])"))
                .hasEntrySatisfying(A, values -> assertThat(values[5]).isEqualTo(5));
    }

    @Test
    void ask_quotient_isNoneWhereNothingCame() {
        assertThat(recording.ask("rate(busy_seconds_sum{name=~\"$name\"}[$__rate_interval])"
                        + " / rate(busy_seconds_count{name=~\"$name\"}[$__rate_interval])"))
                .hasEntrySatisfying(A, values -> assertThat(values).containsExactly(NONE, NONE, 0.5, 0.75, 0.75, 0.75));
    }

    @Test
    void ask_whatWasNotRecorded_isEmpty() {
        assertThat(recording.ask("other{name=~\"$name\"}")).isEmpty();
    }

    @Test
    void ask_otherQuery_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> recording.ask("sum(limit{name=~\"$name\"})"));
        assertThatIllegalArgumentException().isThrownBy(() -> recording.ask("limit{name=\"a\"}"));
    }

    @Test
    void read_whatJsonWrote_isTheSame() {
        String dashboard = Dashboard.of(Measure.table());
        Map<String, String> odd = Map.of("a \"quoted\" \\n", "back\\slash\nnew line {[,:]} ${x}");

        assertThat(Json.write(Json.read(dashboard))).isEqualTo(dashboard);
        assertThat(Json.read(Json.write(odd))).isEqualTo(odd);
    }
}
