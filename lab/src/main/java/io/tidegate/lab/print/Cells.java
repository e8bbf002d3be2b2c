package io.tidegate.lab.print;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.stream.IntStream;

/** What the charts have in common: time from left to right, one character for each {@link #LENGTH}. */
public final class Cells {
    public static final Duration LENGTH = Duration.ofMillis(100);

    private static final String BARS = " ▁▂▃▄▅▆▇█";
    private static final int LABEL = 18;
    private static final int PER_SECOND = (int) Duration.ofSeconds(1).dividedBy(LENGTH);

    private Cells() {}

    /** What stands in a cell. */
    public interface Cell {
        char at(int cell);
    }

    /** Returns how many cells a time has, the last one perhaps not to its end. */
    public static int count(Duration length) {
        return (int) Math.ceilDiv(length.toNanos(), LENGTH.toNanos());
    }

    /** Returns the cell of a time; what comes after the last one belongs to it. */
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

    /* Anything at all is seen. */
    public static char bar(int number, int tallest) {
        int steps = BARS.length() - 1;
        return BARS.charAt(tallest == 0 ? 0 : Math.ceilDiv(number * steps, tallest));
    }
}
