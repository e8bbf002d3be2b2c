package io.tidegate.lab.groups;

import io.tidegate.lab.groups.TenantPlan.Offer;
import io.tidegate.lab.print.Cells;
import java.util.Arrays;
import java.util.Locale;

/** Draws a chart of the wild tenant's load over time, and of its effect on the others. */
record GroupsChart(TenantPlan plan) {
    String draw(TenantLog pool, TenantLog groups) {
        int cells = Cells.count(plan.length());
        int[] offered = offered(cells);
        int longest = highest(pool.waitMsByCell(), groups.waitMsByCell());
        int refused = highest(pool.refusedByCell(), groups.refusedByCell());
        return Cells.seconds(cells)
                + row("the wild one", offered, highest(offered))
                + "the others:\n"
                + row("  wait, pool", pool.waitMsByCell(), longest)
                + row("  wait, groups", groups.waitMsByCell(), longest)
                + row("  refused, pool", pool.refusedByCell(), refused)
                + row("  refused, groups", groups.refusedByCell(), refused)
                + String.format(Locale.ROOT, """
                        each character is %d ms; full height: %,d tasks offered by the wild one, a mean wait of %,d ms,
                        %,d tasks refused
                        """, Cells.LENGTH.toMillis(), highest(offered), longest, refused);
    }

    private int[] offered(int cells) {
        int[] offered = new int[cells];
        for (Offer offer : plan.offers()) {
            if (offer.tenant() == TenantPlan.WILD_ONE && !offer.due().isNegative()) {
                offered[Cells.at(offer.due(), cells)]++;
            }
        }
        return offered;
    }

    private static String row(String label, int[] numbers, int tallest) {
        return Cells.row(label, numbers.length, cell -> Cells.bar(numbers[cell], tallest));
    }

    private static int highest(int[]... numbers) {
        return Arrays.stream(numbers).flatMapToInt(Arrays::stream).max().orElse(0);
    }
}
