package io.tidegate.lab.guard;

import io.tidegate.lab.breaker.BreakerChart;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Cells;
import java.util.Locale;

/** Draws a chart of a storm of retries over time. */
record GuardChart(Storm storm) {
    String draw(GuardScene.Result retrying, GuardScene.Result guarded) {
        int tallest = Math.max(retrying.arrived().highest(), guarded.arrived().highest());
        int cells = BreakerChart.cells(storm.outage());
        return Cells.seconds(cells)
                + Cells.row("the service", cells, cell -> BreakerChart.service(storm.outage(), cell))
                + Cells.row(
                        "load, retries",
                        cells,
                        cell -> Cells.bar(retrying.arrived().at(cell), tallest))
                + Cells.row(
                        "load, guard",
                        cells,
                        cell -> Cells.bar(guarded.arrived().at(cell), tallest))
                + Cells.row("in time, retries", cells, inTime(retrying.outcomes()))
                + Cells.row("in time, guard", cells, inTime(guarded.outcomes()))
                + String.format(Locale.ROOT, """
                        each character is %d ms; the service: . works, x fails; load: requests that reach it, up to %d;
                        in time: of the calls of that second, up to all
                        """, Cells.LENGTH.toMillis(), tallest);
    }

    private Cells.Cell inTime(Outcomes outcomes) {
        int[] bySecond = outcomes.inTimeBySecond();
        int perSecond = storm.outage().perSecond();
        return cell -> Cells.bar(Math.min(bySecond[Cells.second(cell)], perSecond), perSecond);
    }
}
