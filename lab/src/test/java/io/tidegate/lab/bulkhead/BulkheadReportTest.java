package io.tidegate.lab.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Trial;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class BulkheadReportTest {
    private final BulkheadReport report = new BulkheadReport(Overload.DEFAULT);

    @Test
    void finding_bulkheadClearlyBetter_statesTheMeasuredNumbers() {
        Trial.Result open = result(200, Duration.ofMillis(900), 2_800);
        Trial.Result guarded = result(950, Duration.ofMillis(60), 0);

        assertThat(report.finding(open, guarded))
                .contains(
                        "190 answers a second in time instead of 40", "60 ms instead of", "93% of the calls timed out");
    }

    @Test
    void finding_goodputNotBetter_saysSo() {
        Trial.Result open = result(900, Duration.ofMillis(900), 10);
        Trial.Result guarded = result(950, Duration.ofMillis(60), 0);

        assertThat(report.finding(open, guarded)).startsWith("This run does not show");
    }

    @Test
    void finding_waitNotBetter_saysSo() {
        Trial.Result open = result(200, Duration.ofMillis(60), 0);
        Trial.Result guarded = result(950, Duration.ofMillis(900), 0);

        assertThat(report.finding(open, guarded)).startsWith("This run does not show");
    }

    @Test
    void finding_nothingAnswered_saysSo() {
        Trial.Result open = result(0, Duration.ZERO, 3_000);
        Trial.Result guarded = result(0, Duration.ZERO, 0);

        assertThat(report.finding(open, guarded)).startsWith("This run does not show");
    }

    @Test
    void table_nothingRefused_showsADashForItsPercentiles() {
        Trial.Result open = result(200, Duration.ofMillis(900), 2_800);

        assertThat(report.table(open, open).render().lines())
                .anyMatch(line -> line.matches("wait for the refusal, p99 +- +-"));
    }

    @Test
    void everyText_fitsIn100Columns() {
        Trial.Result open = result(2_000, Duration.ofMillis(900), 2_800);
        Trial.Result guarded = result(9_500, Duration.ofMillis(60), 0);
        String all = report.opening() + report.table(open, guarded) + report.finding(open, guarded) + "\n"
                + report.finding(guarded, open);

        assertThat(all.lines()).allMatch(line -> line.length() <= 100);
    }

    private static Trial.Result result(int inTime, Duration wait, int late) {
        Outcomes outcomes = new Outcomes(Overload.DEFAULT.patience(), 5);
        for (int i = 0; i < inTime; i++) {
            outcomes.record(i % 5, wait.toNanos(), null);
        }
        for (int i = 0; i < late; i++) {
            outcomes.record(i % 5, Overload.DEFAULT.patience().toNanos(), new TimeoutException());
        }
        return new Trial.Result(List.of(outcomes), 10);
    }
}
