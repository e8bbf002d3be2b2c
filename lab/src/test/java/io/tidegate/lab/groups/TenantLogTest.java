package io.tidegate.lab.groups;

import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.groups.TenantPlan.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TenantLogTest {
    private final TenantScript script = new TenantScript(TenantScript.PLAN);
    private final TenantLog log = script.log;

    @Test
    void ended_warmUp_isNotCounted() {
        script.done(-1, 1, 500).refused(-1, 2).done(-1, 0, 10);

        assertThat(log.others(IN_TIME) + log.others(LATE) + log.others(REFUSED)).isZero();
        assertThat(log.tenantsHurt()).isZero();
    }

    @Test
    void ended_others_countInThePhaseInWhichTheyWereDue() {
        script.done(199, 1, 400).done(200, 1, 10).done(499, 2, 10).refused(500, 2);

        assertThat(log.others(Phase.BEFORE).count(LATE)).isEqualTo(1);
        assertThat(log.others(Phase.WILD).count(IN_TIME)).isEqualTo(2);
        assertThat(log.others(Phase.AFTER).count(REFUSED)).isEqualTo(1);
        assertThat(log.others(IN_TIME)).isEqualTo(2);
    }

    @Test
    void ended_wildOne_countsOnlyWhileItIsWildAndNotAmongTheOthers() {
        script.done(100, 0, 10).done(200, 0, 10).refused(300, 0).done(600, 0, 10);

        assertThat(log.wildOne().count(IN_TIME)).isEqualTo(1);
        assertThat(log.wildOne().count(REFUSED)).isEqualTo(1);
        assertThat(log.others(IN_TIME) + log.others(REFUSED)).isZero();
        assertThat(log.tenantsHurt()).isZero();
    }

    @Test
    void tenantsHurt_lateOrRefused_countsEachTenantOnce() {
        script.done(200, 1, 100);
        assertThat(log.tenantsHurt()).isZero();

        script.done(200, 1, 101).refused(210, 1);
        assertThat(log.tenantsHurt()).isEqualTo(1);

        script.refused(220, 2);
        assertThat(log.tenantsHurt()).isEqualTo(2);
    }

    @Test
    void byCell_others_meansAndRefusalsOfEachCell() {
        script.done(0, 1, 10).done(99, 2, 30).done(100, 1, 50).refused(100, 2).done(100, 0, 999);

        assertThat(log.waitMsByCell()).containsExactly(20, 50, 0, 0, 0, 0, 0);
        assertThat(log.refusedByCell()).containsExactly(0, 1, 0, 0, 0, 0, 0);
    }

    @Test
    void peak_tasksAtOnce_isTheBusiestMoment() {
        script.ran(0, 0, 1);
        log.stopped(0);
        log.stopped(0);
        log.stopped(1);
        script.ran(0, 2);

        assertThat(log.peak()).isEqualTo(3);
        assertThat(log.peakOfWildOne()).isEqualTo(2);
    }

    @Test
    void latestHandIn_several_isTheWorstAfterTheWarmUp() {
        script.handedIn(-1, 9).handedIn(0, 2).handedIn(10, 7).handedIn(20, 3);

        assertThat(log.latestHandIn()).isEqualTo(Duration.ofMillis(7));
    }
}
