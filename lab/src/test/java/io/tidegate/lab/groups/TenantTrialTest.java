package io.tidegate.lab.groups;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import io.tidegate.lab.groups.TenantPlan.Phase;
import io.tidegate.lab.load.ManualTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TenantTrialTest extends SceneTest {
    private final ManualTime time = new ManualTime();

    @Test
    void run_noTaskInAnothersWay_eachWaitsForItsOwnWorkOnly() throws InterruptedException {
        TenantLog log = run((tenant, task) -> tenant == TenantPlan.WILD_ONE ? refuse() : call(task));

        assertThat(log.others(IN_TIME)).isEqualTo(14);
        assertThat(log.others(Phase.WILD).waitAt(50).toMillis()).isEqualTo(20);
        assertThat(log.wildOne().count(REFUSED)).isEqualTo(12);
        assertThat(log.peak()).isEqualTo(1);
        assertThat(log.peakOfWildOne()).isZero();
    }

    @Test
    void run_oneAfterTheOther_theWaitBeginsWhenTheTaskIsDue() throws InterruptedException {
        TenantLog log = run((tenant, task) -> call(task));

        // While one is wild, 18 tasks of 20 ms come in 300 ms.
        assertThat(log.latestHandIn()).isEqualTo(Duration.ofMillis(70));
        assertThat(log.others(Phase.WILD).waitAt(1).toMillis()).isEqualTo(31);
        assertThat(log.others(Phase.WILD).waitAt(100).toMillis()).isEqualTo(78);
        assertThat(log.others(LATE) + log.others(REFUSED)).isZero();
    }

    @Test
    void run_standstill_makesTasksLateAndShows() throws InterruptedException {
        TenantLog log = run((tenant, task) -> {
            if (time.nanos() - ManualTime.START < Duration.ofMillis(1).toNanos()) {
                time.sleep(Duration.ofSeconds(1).toNanos());
            }
            return call(task);
        });

        assertThat(log.latestHandIn()).isGreaterThan(Duration.ofMillis(900));
        assertThat(log.others(LATE)).isEqualTo(14);
    }

    @Test
    void run_failingExecutor_countsFailures() throws InterruptedException {
        TenantLog log = run((tenant, task) -> CompletableFuture.failedFuture(new IllegalStateException()));

        assertThat(log.others(FAILED)).isEqualTo(14);
        assertThat(log.wildOne().count(FAILED)).isEqualTo(12);
    }

    @Test
    void run_end_saysHowTheOthersFare() throws InterruptedException {
        run((tenant, task) -> refuse());

        assertThat(printed()).contains("script", "it is over; the others: in time 0, late 0, refused 14");
    }

    private TenantLog run(TenantTrial.Shared executor) throws InterruptedException {
        return new TenantTrial("script", TenantScript.PLAN, executor, time).run(screen);
    }

    private static CompletableFuture<?> refuse() {
        return CompletableFuture.failedFuture(new RejectedExecutionException());
    }

    private static CompletableFuture<?> call(Callable<?> task) {
        try {
            return CompletableFuture.completedFuture(task.call());
        } catch (Exception failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }
}
