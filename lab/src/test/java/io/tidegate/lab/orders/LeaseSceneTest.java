package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import io.tidegate.lab.orders.LeaseScene.Result;
import io.tidegate.lab.orders.OrderLog.End;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseSceneTest extends SceneTest {
    private static final OrderPlan SMALL = new OrderPlan(
            List.of("Ada", "Bob", "Cleo"),
            8,
            Duration.ofMillis(20),
            Duration.ofMillis(10),
            3,
            2,
            Duration.ofMillis(10),
            List.of(Duration.ofMillis(30), Duration.ofMillis(80)),
            Duration.ofMillis(20),
            Duration.ofSeconds(60));

    private final LeaseScene scene = new LeaseScene(SMALL);

    @Test
    void play_smallPlan_printsTableHistoryAndFinding() throws Exception {
        scene.play(screen);

        assertThat(printed()).contains("Ada", "orders parked", "what ran", "2 workers died");
    }

    @Test
    void run_smallPlan_everyOrderEndsOnceAndInItsTurn() throws Exception {
        Result result = scene.run(screen);

        OrderLog log = result.log();
        assertThat(result.deaths()).isEqualTo(2);
        assertThat(log.count(End.CUT_OFF)).isGreaterThanOrEqualTo(2);
        assertThat(log.count(End.DONE)).isEqualTo(SMALL.total() - 1);
        assertThat(log.count("Bob", End.PARKED)).isEqualTo(1);
        assertThat(log.overlaps()).isZero();
        assertThat(log.outOfTurn()).isZero();
    }
}
