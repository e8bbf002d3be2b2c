package io.tidegate.lab.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import io.tidegate.lab.breaker.BreakerScene.Guarded;
import io.tidegate.lab.breaker.BreakerScene.Unprotected;
import io.tidegate.lab.load.Outcomes;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BreakerSceneTest extends SceneTest {
    private static final Outage SMALL = new Outage(
            100,
            Duration.ofMillis(5),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(400),
            Duration.ofMillis(500),
            Duration.ofMillis(100));

    private final BreakerScene scene = new BreakerScene(SMALL);

    @Test
    void play_smallOutage_printsTableAndChart() throws Exception {
        scene.play(screen);

        assertThat(printed())
                .contains("unprotected", "CircuitBreaker", "calls spared", "p99", "probes sent", "its state");
    }

    @Test
    void run_unprotected_everyCallHasOneOutcomeAndNoneIsRefused() throws Exception {
        Unprotected result = scene.runUnprotected(screen);

        assertThat(total(result.outcomes())).isEqualTo(calls());
        assertThat(result.outcomes().count(Outcomes.Kind.REFUSED)).isZero();
        assertThat(reached(result.work())).isLessThanOrEqualTo(calls());
    }

    @Test
    void run_behindBreaker_everyCallHasOneOutcomeAndWhatIsRefusedDoesNotReachTheService() throws Exception {
        Guarded result = scene.runGuarded(screen);

        long reached = reached(result.work());
        assertThat(total(result.outcomes())).isEqualTo(calls());
        assertThat(reached).isLessThanOrEqualTo(calls() - result.outcomes().count(Outcomes.Kind.REFUSED));
        assertThat(result.work().callsWhileFailing()).isLessThanOrEqualTo(reached);
    }

    private static int calls() {
        return SMALL.load().arrivals().count();
    }

    private static long reached(FailingWork work) {
        return Arrays.stream(work.callsByCell()).sum();
    }
}
