package io.tidegate.lab.print;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.stream.IntStream;

/** The time axis of all charts: time from left to right, one character for each {@link #LENGTH}. */
public final class Cells {
    public static final Duration LENGTH = Duration.ofMillis(100);

    private static final String BARS = " ▁▂▃▄▅▆▇█";
    private static final int LABEL = 18;
    private static final int PER_SECOND = (int) Duration.ofSeconds(1).dividedBy(LENGTH);

    private Cells() {}

    /** Returns the sign of a cell. */
    public interface Cell {
        char at(int cell);
    }

    /** Returns how many cells a time has; the last one may be incomplete. */
    public static int count(Duration length) {
        return (int) Math.ceilDiv(length.toNanos(), LENGTH.toNanos());
    }

    /** Returns the cell of a time; a time after the last cell belongs to it. */
    public static int at(Duration elapsed, int cells) {
        return (int) Math.min(elapsed.dividedBy(LENGTH), cells - 1);
    }

    public static int second(int cell) {
        return cell / PER_SECOND;
    }

    public static Duration start(int cell) {
        return LENGTH.multipliedBy(cell);
    }

    public static String row(String label, int cells, Cell character) {
        String text = IntStream.range(0, cells)
                .mapToObj(cell -> String.valueOf(character.at(cell)))
                .collect(joining());
        return (label + " ".repeat(LABEL - label.length()) + " " + text).stripTrailing() + "\n";
    }

    public static String seconds(int cells) {
        return row(
                "seconds",
                cells,
                cell -> cell % PER_SECOND == 0 ? Character.forDigit(cell / PER_SECOND % 10, 10) : ' ');
    }

    /* Returns a bar. Any number above zero is visible. */
    public static char bar(int number, int tallest) {
        int steps = BARS.length() - 1;
        return BARS.charAt(tallest == 0 ? 0 : Math.ceilDiv(number * steps, tallest));
    }
}
