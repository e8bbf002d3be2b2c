package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.load.ManualTime;
import io.tidegate.lab.load.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LaneTest {
    private final Time time = new ManualTime();
    private final AtomicInteger calls = new AtomicInteger();
    private final Lane lane = new Lane(
            "lane",
            () -> {
                calls.incrementAndGet();
                return CompletableFuture.completedStage(204);
            },
            () -> 7,
            time);

    @Test
    void send_rateAndTime_makeTheCallsThatAreDue() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            time.sleep(Duration.ofMillis(10).toNanos());
            lane.send(25);
        }
        assertThat(calls.get()).isBetween(24, 25);

        lane.send(25);
        assertThat(calls.get()).isBetween(24, 25);
    }

    @Test
    void send_afterALongPause_isBounded() throws InterruptedException {
        time.sleep(Duration.ofHours(1).toNanos());
        lane.send(100);

        assertThat(calls).hasValue(20);
    }

    @Test
    void send_nothingOffered_makesNoCall() throws InterruptedException {
        time.sleep(Duration.ofHours(1).toNanos());
        lane.send(0);

        assertThat(calls).hasValue(0);
    }

    @Test
    void state_figures_areThoseOfItsCalls() throws InterruptedException {
        time.sleep(Duration.ofMillis(100).toNanos());
        lane.send(100);
        time.sleep(Duration.ofMillis(250).toNanos());

        assertThat(lane.state())
                .containsEntry("name", "lane")
                .containsEntry("offered", 5.0)
                .containsEntry("goodput", 5.0)
                .containsEntry("refused", 0.0)
                .containsEntry("inside", 7);
    }
}
