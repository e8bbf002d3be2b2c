package io.tidegate.scale;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A table of figures: a line for each figure, a column for each phase. */
public final class Figures {
    private final List<String> phases = new ArrayList<>();
    private final List<List<String>> lines = new ArrayList<>();
    private int figure;

    /** Begins a phase, for the figures that follow. All phases must have the same figures, in the same order. */
    public void phase(String name) {
        phases.add(name);
        figure = 0;
    }

    public void add(String name, String value) {
        if (figure == lines.size()) {
            lines.add(new ArrayList<>(List.of(name)));
        }
        lines.get(figure++).add(value);
    }

    public void add(String name, double value) {
        add(name, number(value));
    }

    /** Returns a number with its meaningful digits. */
    public static String number(double value) {
        return Double.isNaN(value)
                ? "-"
                : String.format(Locale.ROOT, value < 100 && value != Math.rint(value) ? "%.2f" : "%,.0f", value);
    }

    public static String percent(double part, double of) {
        return of == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * part / of);
    }

    /** Returns the value below which this share of the values lies. */
    public static double quantile(double[] sorted, double part) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, part * sorted.length)];
    }

    /** Returns the median, the 99th percentile and the maximum. */
    public static String spread(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0
                ? "-"
                : number(quantile(sorted, 0.5)) + " / " + number(quantile(sorted, 0.99)) + " / "
                        + number(sorted[sorted.length - 1]);
    }

    /** Returns a Markdown table that is also easy to read on a terminal. */
    @Override
    public String toString() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(""));
        head.addAll(phases);
        rows.add(head);
        rows.addAll(lines);
        int[] widths = new int[head.size()];
        rows.forEach(row -> {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        rows.add(1, Arrays.stream(widths).mapToObj("-"::repeat).toList());
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < row.size(); i++) {
            line.append(' ')
                    .append(row.get(i))
                    .append(" ".repeat(widths[i] - row.get(i).length() + 1))
                    .append('|');
        }
        return line.toString();
    }
}
