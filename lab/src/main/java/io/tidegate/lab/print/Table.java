package io.tidegate.lab.print;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table in plain text: labels to the left, one column for each run, numbers to the right. */
public final class Table {
    private static final String GAP = "   ";
    private static final String NUMBER = "-?[0-9][0-9,]*(?:\\.[0-9]+)?";
    private static final Pattern QUANTITY = Pattern.compile("(" + NUMBER + ") ?([^0-9]*)");

    private final List<List<String>> rows = new ArrayList<>();

    /** Starts with the headings of the runs. */
    public Table(String... headings) {
        row("", headings);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if it has not one cell for each heading
     */
    public Table row(String label, String... cells) {
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

    public String render() {
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

    @Override
    public String toString() {
        return render();
    }

    /** Returns the rows for a machine: the value of each heading in each row; a quantity as its number and unit. */
    public List<Map<String, Object>> figures() {
        List<Map<String, Object>> figures = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            Map<String, Object> runs = new LinkedHashMap<>();
            for (int column = 1; column < row.size(); column++) {
                runs.put(rows.get(0).get(column), figure(row.get(column).strip()));
            }
            Map<String, Object> figure = new LinkedHashMap<>();
            figure.put("figure", row.get(0).strip());
            figure.put("runs", runs);
            figures.add(figure);
        }
        return figures;
    }

    private static Map<String, Object> figure(String cell) {
        Map<String, Object> figure = new LinkedHashMap<>();
        figure.put("text", cell);
        Matcher quantity = QUANTITY.matcher(cell);
        if (quantity.matches()) {
            figure.put("value", Double.parseDouble(quantity.group(1).replace(",", "")));
            figure.put("unit", quantity.group(2));
        }
        return figure;
    }

    private String padding(int column, List<String> row) {
        return " ".repeat(width(column) - row.get(column).length());
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
