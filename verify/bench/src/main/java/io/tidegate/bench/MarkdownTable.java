package io.tidegate.bench;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table that is also easy to read on a terminal. */
public final class MarkdownTable {
    private final List<List<String>> lines = new ArrayList<>();

    /** Makes a table without lines. */
    public MarkdownTable(List<String> header) {
        lines.add(header);
    }

    /** Adds a line, which has as many cells as the header. */
    public void add(List<String> line) {
        lines.add(line);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            append(text, line);
            if (text.indexOf("\n") == text.length() - 1) { // after the header
                appendRule(text);
            }
        }
        return text.toString();
    }

    private void append(StringBuilder text, List<String> line) {
        for (int column = 0; column < line.size(); column++) {
            String cell = line.get(column);
            String padding = " ".repeat(width(column) - cell.length());
            text.append("| ")
                    .append(isText(column) ? cell + padding : padding + cell)
                    .append(' ');
        }
        text.append("|\n");
    }

    private void appendRule(StringBuilder text) {
        for (int column = 0; column < lines.get(0).size(); column++) {
            text.append('|').append("-".repeat(width(column) + 1)).append(isText(column) ? '-' : ':');
        }
        text.append("|\n");
    }

    private int width(int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    /**
     * Whether the column is text, which is set to the left. Numbers are set to the right: in a column of numbers most
     * cells begin with one.
     */
    private boolean isText(int column) {
        List<String> cells = lines.stream()
                .skip(1)
                .map(line -> line.get(column))
                .filter(cell -> !cell.isEmpty())
                .toList();
        return 2 * cells.stream().filter(cell -> cell.matches("[~–\\d].*")).count() <= cells.size();
    }
}
