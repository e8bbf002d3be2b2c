package io.tidegate.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.remote.RemoteScene.Closing;
import io.tidegate.lab.remote.RemoteScene.Latency;
import io.tidegate.lab.remote.RemoteScene.Result;
import io.tidegate.remote.DrainReport;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RemoteReportTest {
    private static final Closing CLOSED = new Closing(4, new DrainReport(0, 0), Duration.ofMillis(100));

    private final RemoteReport report = new RemoteReport(RemoteScript.PLAN);
    private final RemoteLog log = new RemoteScript().before().lowered().raised().closing().log;

    @Test
    void finding_drainedAndRaised_statesTheMeasuredNumbers() {
        assertThat(report.finding(result(log, answered(6), refused(2))))
                .contains(
                        "from 4 to 2 with 4 calls in flight",
                        "for 220 ms, until fewer than 2 were left",
                        "2 were refused",
                        "raised, 3\nwaited",
                        "empty after 55 ms",
                        "p99 was 40 ms\nbefore, 1,200 ms while the cap was low and - after; its target is 50 ms");
    }

    @Test
    void finding_neverDrained_saysSo() {
        assertThat(report.finding(result(new RemoteScript().before().log, answered(6), refused(2))))
                .startsWith("This run does not show");
    }

    @Test
    void finding_lineNotEmptied_saysSo() {
        assertThat(report.finding(result(new RemoteScript().before().lowered().log, answered(6), refused(2))))
                .startsWith("This run does not show");
    }

    @Test
    void finding_callFromBeforeLost_saysSo() {
        Outcomes before = answered(5);
        before.record(0, 1, new IOException());

        assertThat(report.finding(result(log, before, refused(2)))).startsWith("This run does not show");
    }

    @Test
    void finding_nobodyRefused_saysSo() {
        assertThat(report.finding(result(log, answered(6), answered(6)))).startsWith("This run does not show");
    }

    @Test
    void table_script_showsPhasesSideBySide() {
        assertThat(report.table(result(log, answered(6), refused(2))).render().lines())
                .anyMatch(line -> line.matches("answered in time +6 +0 +6"))
                .anyMatch(line -> line.matches("wait for the answer or time-out, p99 +1\\.00 ms +- +1\\.00 ms"))
                .anyMatch(line -> line.matches("  RB_ERR_AT_CAPACITY +0 +2 +0"))
                .anyMatch(line -> line.matches("retry-after of refusals, p50 +- +70 ms +-"))
                .anyMatch(line -> line.matches("in flight, peak +4 +4 +4"))
                .anyMatch(line -> line.matches("in flight, at the end +4 +2 +4"))
                .anyMatch(line -> line.matches("waiting, at the end +0 +3 +0"))
                .anyMatch(line -> line.matches("time to drain below the new cap +- +220 ms +-"))
                .anyMatch(line -> line.matches("time until nobody waited +- +- +55 ms"))
                .anyMatch(line -> line.matches("the bulkhead's p99 at the end +40 ms +1,200 ms +-"))
                .anyMatch(line -> line.matches("  within its target of 50 ms +yes +no +yes"));
    }

    @Test
    void events_script_countsEveryCode() {
        assertThat(report.events(log).lines())
                .hasSize(9)
                .anyMatch(line -> line.matches("RB_PERMIT_ACQUIRED +4 +1 +3 +0"))
                .anyMatch(line -> line.matches("RB_LATENCY_REPORT +0 +0 +0 +0"));
    }

    @Test
    void closing_somethingLeft_saysWhat() {
        assertThat(report.closing(new Closing(4, new DrainReport(2, 1), Duration.ofSeconds(1))))
                .contains("with 4 in flight", "took 1,000 ms", "left: 2 in flight, 1 waiting");
    }

    @Test
    void everyText_fitsIn100Columns() {
        RemoteReport usual = new RemoteReport(LoweredCap.DEFAULT);
        Outcomes before = answered(LoweredCap.DEFAULT.arrivals().count());
        String all = usual.opening() + usual.table(result(log, before, refused(2))) + usual.events(log)
                + usual.closing(CLOSED) + "\n" + usual.finding(result(log, before, refused(2))) + "\n"
                + usual.finding(result(log, answered(1), refused(2)));

        assertThat(all.lines()).allMatch(line -> line.length() <= 100);
    }

    private static Result result(RemoteLog log, Outcomes before, Outcomes lowered) {
        List<Latency> latencies = List.of(
                new Latency(OptionalLong.of(40), true),
                new Latency(OptionalLong.of(1_200), false),
                new Latency(OptionalLong.empty(), true));
        return new Result(List.of(before, lowered, answered(6)), log, latencies, CLOSED);
    }

    private static Outcomes answered(int calls) {
        Outcomes outcomes = outcomes();
        for (int i = 0; i < calls; i++) {
            outcomes.record(0, Duration.ofMillis(1).toNanos(), null);
        }
        return outcomes;
    }

    private static Outcomes refused(int calls) {
        RemoteBulkheadClient full = RemoteBulkheadClient.of(
                RemoteBulkhead.builder(1).p99TargetMs(70).build());
        RemoteCapability capability = full.takeCapability();
        var unused = full.submit(capability, "admitted", CompletableFuture::new);
        Outcomes outcomes = outcomes();
        for (int i = 0; i < calls; i++) {
            outcomes.record(
                    0,
                    1,
                    full.submit(capability, "refused", CompletableFuture::new)
                            .toCompletableFuture()
                            .exceptionNow());
        }
        return outcomes;
    }

    private static Outcomes outcomes() {
        return new Outcomes(RemoteScript.PLAN.patience(), 1);
    }
}
