package io.tidegate.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.lab.remote.RemoteScene.Result;
import io.tidegate.remote.BulkheadEventCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RemoteSceneTest extends SceneTest {
    private static final LoweredCap SMALL = new LoweredCap(
            100,
            Duration.ofMillis(50),
            8,
            1,
            4,
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(500));

    private final RemoteScene scene = new RemoteScene(SMALL);

    @Test
    void play_smallLoad_printsTablesAndChart() throws Exception {
        scene.play(screen);

        assertThat(printed())
                .contains("before, cap 8", "lowered, cap 1", "p99", "in flight", "drain", "left:")
                .contains(BulkheadEventCode.RB_LATENCY_REPORT.name());
    }

    @Test
    void run_smallLoad_everyCallHasOneOutcomeAndEveryRefusalACode() throws Exception {
        Result result = scene.run(screen);

        assertThat(result.outcomes()).hasSize(3).allSatisfy(outcomes -> {
            assertThat(total(outcomes)).isEqualTo(SMALL.arrivals().count());
            assertThat(outcomes.codes().stream()
                            .mapToLong(outcomes::refusedWith)
                            .sum())
                    .isEqualTo(outcomes.count(Outcomes.Kind.REFUSED));
        });
    }

    @Test
    void run_smallLoad_theCapHoldsAndNobodyIsAdmittedOutOfTurn() throws Exception {
        Result result = scene.run(screen);

        RemoteLog log = result.log();
        assertThat(result.latencies()).hasSize(3);
        assertThat(log.count(Phase.LOWERED, BulkheadEventCode.RB_CAP_CHANGED)).isEqualTo(1);
        assertThat(log.count(Phase.AFTER, BulkheadEventCode.RB_CAP_CHANGED)).isEqualTo(1);
        assertThat(log.during(Phase.AFTER))
                .allMatch(standing -> standing.inFlight() <= SMALL.cap() && standing.waiting() <= SMALL.maxDepth());
        assertThat(log.admittedWhileDraining()).isZero();
        assertThat(log.admittedOutOfTurn()).isZero();
    }
}
