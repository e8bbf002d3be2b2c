package io.tidegate.lab.breaker;

import io.tidegate.breaker.State;
import io.tidegate.lab.print.Cells;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/** Draws a chart of an outage over time. */
public record BreakerChart(Outage outage) {
    public static int cells(Outage outage) {
        return Cells.count(outage.end().plus(outage.after()));
    }

    String draw(FailingWork open, FailingWork guarded, StateLog states) {
        int tallest = Math.max(highest(open), highest(guarded));
        int cells = cells(outage);
        return Cells.seconds(cells)
                + Cells.row("the service", cells, cell -> service(outage, cell))
                + Cells.row("calls, unprotected", cells, bars(open, tallest))
                + Cells.row("calls, breaker", cells, bars(guarded, tallest))
                + Cells.row("its state", cells, cell -> state(states.during(Cells.start(cell), Cells.start(cell + 1))))
                + String.format(Locale.ROOT, """
                        each character is %d ms; the service: . works, x fails; calls that reach it: up to %d;
                        state: H half-open at some moment, else O open at some moment, else C closed
                        """, Cells.LENGTH.toMillis(), tallest);
    }

    /** Returns the sign of a cell: whether the service fails at some moment of it. */
    public static char service(Outage outage, int cell) {
        Duration start = Cells.start(cell);
        Duration end = Cells.start(cell + 1);
        boolean fails = end.compareTo(outage.before()) > 0 && start.compareTo(outage.end()) < 0;
        return fails ? 'x' : '.';
    }

    private static Cells.Cell bars(FailingWork work, int tallest) {
        int[] calls = work.callsByCell();
        return cell -> Cells.bar(calls[cell], tallest);
    }

    private static char state(Set<State> states) {
        if (states.contains(State.HALF_OPEN)) {
            return 'H';
        }
        return states.contains(State.OPEN) ? 'O' : 'C';
    }

    private static int highest(FailingWork work) {
        return Arrays.stream(work.callsByCell()).max().orElse(0);
    }
}
