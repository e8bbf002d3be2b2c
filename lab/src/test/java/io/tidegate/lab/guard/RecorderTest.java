package io.tidegate.lab.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.lab.load.ManualTime;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private final ManualTime time = new ManualTime();
    private final Recorder recorder = new Recorder(time);
    private Consumer<Reading> reports = to -> {};

    RecorderTest() {
        recorder.add(new Part() {
            @Override
            public String name() {
                return "a";
            }

            @Override
            public String kind() {
                return "kind";
            }

            @Override
            public void read(Reading to) {
                reports.accept(to);
            }
        });
    }

    @Test
    void table_nothingRead_hasNoColumn() {
        assertThat(recorder.table()).isEqualTo("millis\t\n");
    }

    @Test
    void table_twoReadings_hasALineForEachSeries() {
        read(to -> {
            to.gauge("the.gauge", 0.5, "tag", "x");
            to.count("the.count", 1);
        });
        time.sleep(Duration.ofMillis(700).toNanos());
        read(to -> {
            to.gauge("the.gauge", 2, "tag", "x");
            to.count("the.count", 3);
        });

        assertThat(recorder.table()).isEqualTo("""
                millis\t0\t700
                tidegate_kind_the_count_total{name="a"}\t1\t3
                tidegate_kind_the_gauge{name="a",tag="x"}\t0.5\t2
                """);
    }

    @Test
    void table_time_isInSeconds() {
        read(to -> to.time("run", 2, 3_000_000_000L, 1_000_000_000L, 1_500_000_000L, 2_000_000_000L));

        assertThat(recorder.table()).isEqualTo("""
                millis\t0
                tidegate_kind_run_max_seconds{name="a"}\t2
                tidegate_kind_run_p50_seconds{name="a"}\t1
                tidegate_kind_run_p99_seconds{name="a"}\t1.5
                tidegate_kind_run_seconds_count{name="a"}\t2
                tidegate_kind_run_seconds_sum{name="a"}\t3
                """);
    }

    @Test
    void table_stateThatChanges_isOneForThePresentOneAndZeroForThoseSeen() {
        read(to -> to.state("state", "CLOSED"));
        read(to -> to.state("state", "OPEN"));
        read(to -> to.state("state", "CLOSED"));

        assertThat(recorder.table()).isEqualTo("""
                millis\t0\t0\t0
                tidegate_kind_state{name="a",state="CLOSED"}\t1\t0\t1
                tidegate_kind_state{name="a",state="OPEN"}\t\t1\t0
                """);
    }

    private void read(Consumer<Reading> reports) {
        this.reports = reports;
        recorder.read();
    }
}
