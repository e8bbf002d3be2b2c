package io.tidegate.lab.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.State;
import io.tidegate.lab.load.ManualTime;
import io.tidegate.lab.load.Work;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerChartTest {
    private static final Outage SHORT = new Outage(
            100,
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofMillis(550),
            Duration.ofMillis(500),
            Duration.ofMillis(100));

    private final ManualTime time = new ManualTime();
    private final FailingWork open = new FailingWork(SHORT, time);
    private final FailingWork guarded = new FailingWork(SHORT, time);
    private final StateLog states = new StateLog(guarded::elapsed);

    @Test
    void draw_outage_hasOneCharacterForEachCell() throws InterruptedException {
        open.begin();
        guarded.begin();
        answer(open, 4);
        answer(guarded, 1);
        at(Duration.ofMillis(310), State.OPEN);
        at(Duration.ofMillis(450), State.HALF_OPEN);
        at(Duration.ofMillis(460), State.OPEN);
        at(Duration.ofMillis(800), State.HALF_OPEN);
        at(Duration.ofMillis(810), State.CLOSED);

        assertThat(new BreakerChart(SHORT).draw(open, guarded, states).lines())
                .startsWith(
                        "seconds            0         1",
                        "the service        ..xxxxx......",
                        "calls, unprotected █",
                        "calls, breaker     ▂",
                        "its state          CCCOHOOOHCCCC");
    }

    @Test
    void draw_nothingSent_drawsNoBars() {
        assertThat(new BreakerChart(SHORT).draw(open, guarded, states))
                .contains("calls, unprotected\n", "calls, breaker\n", "CCCCCCCCCCCCC");
    }

    @Test
    void draw_defaultOutage_fitsIn100Columns() {
        FailingWork work = new FailingWork(Outage.DEFAULT, time);

        assertThat(new BreakerChart(Outage.DEFAULT).draw(work, work, states).lines())
                .allMatch(line -> line.length() <= 100);
    }

    private static void answer(Work work, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            work.answer();
        }
    }

    private void at(Duration elapsed, State to) {
        time.sleep(elapsed.minus(guarded.elapsed()).toNanos());
        states.onStateChange("lab", State.CLOSED, to);
    }
}
