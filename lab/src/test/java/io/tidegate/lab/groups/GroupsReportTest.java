package io.tidegate.lab.groups;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupsReportTest {
    private final GroupsReport report = new GroupsReport(TenantScript.PLAN);
    private final TenantScript poolScript = TenantScript.pool(TenantScript.PLAN);
    private final TenantScript groupsScript = TenantScript.groups(TenantScript.PLAN);
    private final TenantLog pool = poolScript.log;
    private final TenantLog groups = groupsScript.log;

    @Test
    void finding_othersHurtInThePoolOnly_statesTheMeasuredNumbers() {
        assertThat(report.finding(pool, groups))
                .contains(
                        "hurt 2 of 2 others: 12 of their tasks were late or\nrefused, 8 of these when it was over",
                        "In groups it hurt 0 of 2, with 0 tasks",
                        "22 ms instead of 200 ms",
                        "of the wild one 1 tasks were\ndone instead of 2");
    }

    @Test
    void finding_othersHurtInGroupsToo_saysSo() {
        groupsScript.done(0, 1, 1_000);
        assertThat(report.finding(pool, groups)).startsWith("In the shared pool");

        groupsScript.done(0, 1, 1_000);
        assertThat(report.finding(pool, groups)).startsWith("This run does not show");
    }

    @Test
    void finding_nobodyHurt_saysSo() {
        assertThat(report.finding(groups, groups)).startsWith("This run does not show");
    }

    @Test
    void finding_machineStoodStill_saysSo() {
        poolScript.handedIn(0, 80);
        assertThat(report.finding(pool, groups)).startsWith("In the shared pool");

        groupsScript.handedIn(0, 81);
        assertThat(report.finding(pool, groups)).startsWith("This run shows nothing");
    }

    @Test
    void table_script_showsBothRunsSideBySide() {
        poolScript.handedIn(0, 3);

        assertThat(report.table(pool, groups).render().lines())
                .anyMatch(line -> line.startsWith("the 2 others"))
                .anyMatch(line -> line.matches("  wait for the end, p99: before +20 ms +20 ms"))
                .anyMatch(line -> line.matches("    while one is wild +200 ms +22 ms"))
                .anyMatch(line -> line.matches("    after +180 ms +20 ms"))
                .anyMatch(line -> line.matches("  done in time +1 +4"))
                .anyMatch(line -> line.matches("  late +10 +0"))
                .anyMatch(line -> line.matches("  refused +2 +0"))
                .anyMatch(line -> line.matches("  tenants that felt it +2 of 2 +0 of 2"))
                .anyMatch(line -> line.matches("  done +2 +1"))
                .anyMatch(line -> line.matches("  refused +1 +2"))
                .anyMatch(line -> line.matches("  places taken, peak +2 +1"))
                .anyMatch(line -> line.matches("places taken by all, peak +2 +2"))
                .anyMatch(line -> line.matches("handed in too late by, at worst +3\\.00 ms +0\\.00 ms"));
    }

    @Test
    void table_allRefused_showsADash() {
        TenantLog refused = new TenantScript(TenantScript.PLAN).refused(300, 1).log;

        assertThat(report.table(refused, groups).render().lines())
                .anyMatch(line -> line.matches("    while one is wild +- +22 ms"));
    }

    @Test
    void everyText_fitsIn100Columns() {
        GroupsReport usual = new GroupsReport(TenantPlan.DEFAULT);
        String all = usual.opening() + usual.table(pool, groups) + usual.finding(pool, groups) + "\n"
                + usual.finding(groups, groups);
        poolScript.handedIn(0, 1_000);

        assertThat((all + "\n" + usual.finding(pool, groups)).lines()).allMatch(line -> line.length() <= 100);
    }
}
