package io.tidegate.lab.groups;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import io.tidegate.lab.groups.TenantPlan.Offer;
import io.tidegate.lab.groups.TenantPlan.Phase;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class GroupsSceneTest extends SceneTest {
    private static final TenantPlan SMALL = new TenantPlan(
            4,
            10,
            1_000,
            Duration.ofMillis(20),
            4,
            1,
            3,
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(300),
            Duration.ofMillis(200));

    private final GroupsScene scene = new GroupsScene(SMALL);

    @Test
    void play_smallPlan_printsTableAndChart() throws Exception {
        scene.play(screen);

        assertThat(printed()).contains("shared pool", "GroupExecutor", "p99", "tenants that felt it", "wait, groups");
    }

    @Test
    void newPool_smallPlan_hasTheSameRoomAsTheGroups() {
        try (ThreadPoolExecutor pool = scene.newPool()) {
            assertThat(pool.getCorePoolSize()).isEqualTo(SMALL.places());
            assertThat(pool.getMaximumPoolSize()).isEqualTo(SMALL.places());
            assertThat(pool.getQueue().remainingCapacity()).isEqualTo(SMALL.tenants() * SMALL.waitingEach());
        }
    }

    @Test
    void run_pool_everyTaskHasOneOutcomeAndNoMoreRunThanThePoolHasThreads() throws Exception {
        TenantLog log = scene.runPool(screen);

        assertEveryTaskCounts(log);
        assertThat(log.peak()).isBetween(1, SMALL.places());
    }

    @Test
    void run_groups_everyTaskHasOneOutcomeAndTheLimitsHold() throws Exception {
        TenantLog log = scene.runGroups(screen);

        assertEveryTaskCounts(log);
        assertThat(log.peak()).isBetween(1, SMALL.places());
        assertThat(log.peakOfWildOne()).isEqualTo(SMALL.placesEach());
        assertThat(log.wildOne().count(REFUSED)).isPositive();
    }

    private static void assertEveryTaskCounts(TenantLog log) {
        long others = Arrays.stream(Phase.values())
                .mapToLong(phase -> total(log.others(phase)))
                .sum();
        assertThat(others).isEqualTo(offered(offer -> offer.tenant() != TenantPlan.WILD_ONE));
        assertThat(total(log.wildOne()))
                .isEqualTo(offered(
                        offer -> offer.tenant() == TenantPlan.WILD_ONE && SMALL.phaseAt(offer.due()) == Phase.WILD));
        assertThat(log.others(FAILED) + log.wildOne().count(FAILED)).isZero();
    }

    private static long offered(Predicate<Offer> which) {
        return SMALL.offers().stream()
                .filter(offer -> !offer.due().isNegative())
                .filter(which)
                .count();
    }
}
