package io.tidegate.lab;

import java.util.ArrayList;
import java.util.List;

/** A table in plain text: labels to the left, one column for each run, numbers to the right. */
final class Table {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Starts with the headings of the runs. */
    Table(String... headings) {
        row("", headings);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if it has not one cell for each heading
     */
    Table row(String label, String... cells) {
        List<String> row = new ArrayList<>();
        row.add(label);
        row.addAll(List.of(cells));
        if (!rows.isEmpty() && row.size() != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "cells: " + cells.length + " (expected: " + (rows.get(0).size() - 1) + ")");
        }
        rows.add(row);
        return this;
    }

    String render() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(row.get(0)).append(padding(0, row));
            for (int column = 1; column < row.size(); column++) {
                line.append(GAP).append(padding(column, row)).append(row.get(column));
            }
            text.append(line).append('\n');
        }
        return text.toString();
    }

    private String padding(int column, List<String> row) {
        return " ".repeat(width(column) - row.get(column).length());
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
