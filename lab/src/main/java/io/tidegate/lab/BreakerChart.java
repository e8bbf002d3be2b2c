package io.tidegate.lab;

import static java.util.stream.Collectors.joining;

import io.tidegate.breaker.State;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/** Draws an outage over time, one character for each {@link #CELL}. */
record BreakerChart(Outage outage) {
    static final Duration CELL = Duration.ofMillis(100);

    private static final String BARS = " ▁▂▃▄▅▆▇█";
    private static final int LABEL = 18;
    private static final int CELLS_PER_SECOND = (int) Duration.ofSeconds(1).dividedBy(CELL);

    static int cells(Outage outage) {
        return (int) Math.ceilDiv(outage.end().plus(outage.after()).toNanos(), CELL.toNanos());
    }

    /** Returns the cell of a time; what comes after the last one belongs to it. */
    static int cell(Duration elapsed, int cells) {
        return (int) Math.min(elapsed.dividedBy(CELL), cells - 1);
    }

    String draw(FailingWork open, FailingWork guarded, StateLog states) {
        int tallest = Math.max(highest(open), highest(guarded));
        return line("seconds", axis())
                + line("the service", cells(this::service))
                + line("calls, unprotected", bars(open, tallest))
                + line("calls, breaker", bars(guarded, tallest))
                + line("its state", cells(cell -> state(states.during(start(cell), start(cell + 1)))))
                + String.format(Locale.ROOT, """
                        each character is %d ms; the service: . works, x fails; calls that reach it: up to %d;
                        state: H half-open at some moment, else O open at some moment, else C closed
                        """, CELL.toMillis(), tallest);
    }

    private interface Cell {
        char at(int cell);
    }

    private String cells(Cell character) {
        return IntStream.range(0, cells(outage))
                .mapToObj(cell -> String.valueOf(character.at(cell)))
                .collect(joining());
    }

    private String axis() {
        StringBuilder axis = new StringBuilder(" ".repeat(cells(outage)));
        for (int cell = 0; cell < axis.length(); cell += CELLS_PER_SECOND) {
            axis.setCharAt(cell, Character.forDigit(cell / CELLS_PER_SECOND % 10, 10));
        }
        return axis.toString();
    }

    private char service(int cell) {
        boolean fails =
                start(cell + 1).compareTo(outage.before()) > 0 && start(cell).compareTo(outage.end()) < 0;
        return fails ? 'x' : '.';
    }

    private String bars(FailingWork work, int tallest) {
        int[] calls = work.callsByCell();
        return cells(cell -> bar(calls[cell], tallest));
    }

    /* Anything at all is seen. */
    private static char bar(int calls, int tallest) {
        int steps = BARS.length() - 1;
        return BARS.charAt(tallest == 0 ? 0 : Math.ceilDiv(calls * steps, tallest));
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

    private static Duration start(int cell) {
        return CELL.multipliedBy(cell);
    }

    private static String line(String label, String cells) {
        return (label + " ".repeat(LABEL - label.length()) + " " + cells).stripTrailing() + "\n";
    }
}
