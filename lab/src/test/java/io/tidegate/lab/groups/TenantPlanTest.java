package io.tidegate.lab.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupExecutorStats;
import io.tidegate.group.GroupStats;
import io.tidegate.lab.groups.TenantPlan.Offer;
import io.tidegate.lab.groups.TenantPlan.Phase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TenantPlanTest {
    private final TenantPlan plan = TenantScript.PLAN;

    @Test
    void offers_wildOne_areDenserWhileItIsWild() {
        assertThat(duesMs(TenantPlan.WILD_ONE))
                .containsExactly(
                        -100L, 0L, 100L, 200L, 225L, 250L, 275L, 300L, 325L, 350L, 375L, 400L, 425L, 450L, 475L, 500L,
                        600L);
    }

    @Test
    void offers_others_areSteadyAndStaggered() {
        assertThat(duesMs(1)).containsExactly(-66L, 33L, 133L, 233L, 333L, 433L, 533L, 633L);
        assertThat(duesMs(2)).containsExactly(-33L, 66L, 166L, 266L, 366L, 466L, 566L, 666L);
    }

    @Test
    void offers_all_areInOrderOfTime() {
        assertThat(plan.offers()).extracting(Offer::due).isSorted();
    }

    @Test
    void phaseAt_borders_belongToTheLaterPhase() {
        assertThat(plan.phaseAt(Duration.ofMillis(-1))).isEqualTo(Phase.BEFORE);
        assertThat(plan.phaseAt(Duration.ofMillis(199))).isEqualTo(Phase.BEFORE);
        assertThat(plan.phaseAt(Duration.ofMillis(200))).isEqualTo(Phase.WILD);
        assertThat(plan.phaseAt(Duration.ofMillis(499))).isEqualTo(Phase.WILD);
        assertThat(plan.phaseAt(Duration.ofMillis(500))).isEqualTo(Phase.AFTER);
    }

    @Test
    void defaultPlan_placesCarryAllTenantsButNotTheWildOne() {
        TenantPlan usual = TenantPlan.DEFAULT;

        assertThat(usual.tenants() * usual.perSecond()).isLessThan(usual.capacityPerSecond());
        assertThat(usual.wildPerSecond()).isGreaterThan(usual.capacityPerSecond());
    }

    @Test
    void policy_twoTasksOfEachTenant_runAsManyAsThePlanHasPlaces() {
        CountDownLatch end = new CountDownLatch(1);
        try (GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(plan.policy())) {
            for (String task : List.of("first", "second")) {
                for (int tenant = 0; tenant < plan.tenants(); tenant++) {
                    executor.submit("tenant-" + tenant, task, () -> {
                        end.await();
                        return task;
                    });
                }
            }

            assertThat(executor.stats())
                    .returns(plan.places(), GroupExecutorStats::inFlight)
                    .returns(2 * plan.tenants() - plan.places(), GroupExecutorStats::waiting);
            assertThat(executor.groupStats("tenant-0"))
                    .get()
                    .returns(plan.placesEach(), GroupStats::running)
                    .returns(plan.waitingEach(), GroupStats::queueThreshold);
            end.countDown();
        }
    }

    private List<Long> duesMs(int tenant) {
        return plan.offers().stream()
                .filter(offer -> offer.tenant() == tenant)
                .map(offer -> offer.due().toMillis())
                .toList();
    }
}
