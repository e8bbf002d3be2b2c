package io.tidegate.lab.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.guard.GuardStats;
import io.tidegate.lab.breaker.BreakerChart;
import io.tidegate.lab.guard.GuardScene.Result;
import io.tidegate.lab.load.Outcomes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GuardReportTest {
    private static final int LAST = 4;

    private final GuardReport report = new GuardReport(Storm.DEFAULT);

    @Test
    void finding_downUnderRetriesAndBackBehindTheGuard_statesTheMeasuredNumbers() {
        assertThat(report.finding(result(0, 350), result(95, 100)))
                .contains(
                        "worked again for 3.0 s",
                        "still got 350 requests a second, more than the\n200 it can answer",
                        "answered 0 %",
                        "Behind the guard it answered 95 %");
    }

    @Test
    void finding_backUnderRetries_saysSo() {
        assertThat(report.finding(result(60, 100), result(95, 100))).startsWith("This run does not show");
    }

    @Test
    void finding_downBehindTheGuard_saysSo() {
        assertThat(report.finding(result(0, 350), result(40, 100))).startsWith("This run does not show");
    }

    @Test
    void finding_downBeforeTheOutage_saysSo() {
        assertThat(report.finding(result(0, 0, 350), result(95, 100))).startsWith("This run does not show");
    }

    @Test
    void table_showsLoadAndAnswersOfTheLastSecond() {
        assertThat(report.table(result(0, 350), result(95, 100)).render().lines())
                .anyMatch(line -> line.matches("  a second, in the last one +350 +100"))
                .anyMatch(line -> line.matches("retries +7 +7"))
                .anyMatch(line -> line.matches("answered in the last second +0 % +95 %"));
    }

    @Test
    void chart_hasARowForEachRunAndFitsIn100Columns() {
        Result down = result(0, 350);
        Result back = result(100, 100);

        assertThat(new GuardChart(Storm.DEFAULT).draw(down, back).lines())
                .allMatch(line -> line.length() <= 100)
                .anyMatch(line -> line.equals("the service        ..........xxxxxxxxxx" + ".".repeat(30)))
                .anyMatch(
                        line -> line.equals("in time, guard     " + "█".repeat(10) + " ".repeat(30) + "█".repeat(10)));
    }

    @Test
    void everyText_fitsIn100Columns() {
        Result down = result(0, 350);
        Result back = result(95, 100);
        String all = report.opening() + report.table(down, back) + report.finding(down, back) + "\n"
                + report.finding(back, down);

        assertThat(all.lines()).allMatch(line -> line.length() <= 100);
    }

    /** Makes a result: all calls in the first second are well, and the rest come in the last. */
    private static Result result(int inTime, int load) {
        return result(100, inTime, load);
    }

    private static Result result(int before, int inTime, int load) {
        Outcomes outcomes = new Outcomes(Storm.DEFAULT.outage().patience(), LAST + 1);
        for (int i = 0; i < before; i++) {
            outcomes.record(0, 1, null);
        }
        for (int i = 0; i < inTime; i++) {
            outcomes.record(LAST, 1, null);
        }
        LoadLog arrived = new LoadLog(BreakerChart.cells(Storm.DEFAULT.outage()));
        arrived.count(Duration.ZERO); // in the warm-up
        arrived.begin();
        for (int i = 0; i < load; i++) {
            arrived.count(Duration.ofSeconds(LAST));
        }
        return new Result(outcomes, arrived, new GuardStats(load, inTime, 0, 0, 0, 0, 7, 0, 0));
    }
}
