package io.tidegate.lab.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardStats;
import io.tidegate.lab.SceneTest;
import io.tidegate.lab.breaker.Outage;
import io.tidegate.lab.guard.GuardScene.Result;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GuardSceneTest extends SceneTest {
    private static final Storm SMALL = new Storm(
            new Outage(
                    60,
                    Duration.ofMillis(5),
                    Duration.ofMillis(50),
                    Duration.ofMillis(200),
                    Duration.ofMillis(300),
                    Duration.ofMillis(500),
                    Duration.ofMillis(500),
                    Duration.ofMillis(100)),
            2,
            Duration.ofMillis(100),
            Duration.ofMillis(20));

    private final GuardScene scene = new GuardScene(SMALL);

    @Test
    void play_smallStorm_printsTableAndChart() throws Exception {
        scene.play(screen);

        assertThat(printed()).contains("retries", "guard", "answered in the last second", "in time, guard");
    }

    @Test
    void run_retrying_everyCallHasOneOutcomeAndNoneIsRefused() throws Exception {
        Result result = scene.runRetrying(screen);

        assertThat(total(result.outcomes())).isEqualTo(calls());
        assertThat(result.outcomes().count(Outcomes.Kind.REFUSED)).isZero();
        assertThatNothingElseArrived(result);
    }

    @Test
    void run_guarded_everyCallHasOneOutcome() throws Exception {
        Result result = scene.runGuarded(screen);

        assertThat(total(result.outcomes())).isEqualTo(calls());
        assertThatNothingElseArrived(result);
    }

    @Test
    void play_recorded_tableHasTheGuardedParts() throws Exception {
        Recorder recorder = new Recorder(Time.SYSTEM);
        scene.recordedBy(recorder).orElseThrow().play(screen);

        String table = recorder.table();
        assertThat(table)
                .startsWith("millis\t0")
                .contains(
                        "tidegate_guard_calls_total{name=\"lab\"}\t0",
                        "tidegate_breaker_state{name=\"lab\",state=\"CLOSED\"}\t1",
                        "tidegate_bulkhead_limit{name=\"lab\"}\t" + Guard.STANDARD_MAX_IN_FLIGHT);
    }

    private static void assertThatNothingElseArrived(Result result) {
        GuardStats stats = result.stats();
        assertThat(stats.calls()).isEqualTo(calls());
        // A request of the warm-up may still be on its way when the warm-up is over.
        long warmUp = SMALL.outage().load().warmUp().count();
        assertThat((long) result.arrived().total()).isLessThanOrEqualTo(warmUp + stats.calls() + stats.retries());
        assertThat(stats.retries()).isLessThanOrEqualTo((Storm.ATTEMPTS - 1) * stats.calls());
    }

    private static long calls() {
        return SMALL.outage().load().arrivals().count();
    }
}
