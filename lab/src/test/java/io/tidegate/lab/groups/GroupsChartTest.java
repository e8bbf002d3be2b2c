package io.tidegate.lab.groups;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupsChartTest {
    @Test
    void draw_script_hasOneCharacterForEachCell() {
        TenantLog pool = TenantScript.pool(TenantScript.PLAN).log;
        TenantLog groups = TenantScript.groups(TenantScript.PLAN).log;

        assertThat(new GroupsChart(TenantScript.PLAN).draw(pool, groups).lines())
                .startsWith(
                        "seconds            0",
                        "the wild one       ▂▂███▂▂",
                        "the others:",
                        "  wait, pool       ▁ ▆█ █",
                        "  wait, groups     ▁ ▁▁ ▁",
                        "  refused, pool        █",
                        "  refused, groups")
                .last()
                .isEqualTo("2 tasks refused");
    }

    @Test
    void draw_nothingEnded_drawsNoBars() {
        TenantLog empty = new TenantLog(TenantScript.PLAN);

        assertThat(new GroupsChart(TenantScript.PLAN).draw(empty, empty))
                .contains("  wait, pool\n", "  wait, groups\n", "  refused, pool\n", "  refused, groups\n");
    }

    @Test
    void draw_defaultPlan_fitsIn100Columns() {
        TenantLog log = TenantScript.pool(TenantPlan.DEFAULT).log;

        assertThat(new GroupsChart(TenantPlan.DEFAULT).draw(log, log).lines()).allMatch(line -> line.length() <= 100);
    }
}
