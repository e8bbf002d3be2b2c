package io.tidegate.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.remote.LoweredCap.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RemoteChartTest {
    @Test
    void draw_script_hasOneCharacterForEachCell() {
        RemoteLog log = new RemoteScript().before().lowered().raised().closing().log;

        assertThat(new RemoteChart(RemoteScript.PLAN)
                        .draw(log, Duration.ofMillis(100))
                        .lines())
                .startsWith(
                        "seconds            0         1",
                        "cap                ███▄▄▄▄████",
                        "in flight          ███▆▄▄▄███▂",
                        "waiting                 ██",
                        "drain              ...ddd....c");
    }

    @Test
    void draw_defaultPlanAndTheLongestClosing_fitsIn100Columns() {
        LoweredCap plan = LoweredCap.DEFAULT;
        RemoteLog log = new RemoteLog(plan.cap());
        log.begin(Phase.BEFORE, 0);
        log.begin(Phase.CLOSING, 3 * plan.phase().toMillis());

        assertThat(new RemoteChart(plan).draw(log, Duration.ofMillis(500)).lines())
                .allMatch(line -> line.length() <= 100);
    }
}
