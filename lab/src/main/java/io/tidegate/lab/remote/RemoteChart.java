package io.tidegate.lab.remote;

import io.tidegate.lab.print.Cells;
import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.lab.remote.RemoteLog.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Draws a chart of a remote bulkhead over time. */
record RemoteChart(LoweredCap plan) {
    /**
     * Draws the chart.
     *
     * @param closing how long the drain at the end took
     */
    String draw(RemoteLog log, Duration closing) {
        Duration closes = log.startOf(Phase.CLOSING);
        int cells = Cells.count(closes.plus(closing));
        List<List<Standing>> standings = IntStream.range(0, cells)
                .mapToObj(cell -> log.during(Cells.start(cell), Cells.start(cell + 1)))
                .toList();
        return Cells.seconds(cells)
                + Cells.row("cap", cells, bars(standings, Standing::cap, plan.cap()))
                + Cells.row("in flight", cells, bars(standings, Standing::inFlight, plan.cap()))
                + Cells.row("waiting", cells, bars(standings, Standing::waiting, plan.maxDepth()))
                + Cells.row("drain", cells, cell -> drain(standings.get(cell), Cells.start(cell + 1), closes))
                + String.format(Locale.ROOT, """
                        each character is %d ms, as things stood at its end; full height: %d in flight, %d waiting;
                        drain: d at some moment because the cap was lowered, c for good at the end
                        """, Cells.LENGTH.toMillis(), plan.cap(), plan.maxDepth());
    }

    private static Cells.Cell bars(List<List<Standing>> standings, ToIntFunction<Standing> number, int tallest) {
        return cell -> Cells.bar(number.applyAsInt(last(standings.get(cell))), tallest);
    }

    private static char drain(List<Standing> standings, Duration end, Duration closes) {
        if (standings.stream().anyMatch(Standing::draining)) {
            return 'd';
        }
        return end.compareTo(closes) > 0 ? 'c' : '.';
    }

    private static Standing last(List<Standing> standings) {
        return standings.get(standings.size() - 1);
    }
}
