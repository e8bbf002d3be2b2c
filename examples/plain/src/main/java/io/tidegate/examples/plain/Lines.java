package io.tidegate.examples.plain;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.util.ArrayList;
import java.util.List;

/** The measures of a part, a line for each measure that is not zero. */
final class Lines implements Reading {
    private final List<String> lines = new ArrayList<>();

    private Lines() {}

    static List<String> of(Part part) {
        Lines reading = new Lines();
        reading.lines.add(part.kind() + " " + part.name());
        part.read(reading);
        return reading.lines;
    }

    @Override
    public void gauge(String measure, double value, String... tags) {
        if (value != 0) {
            add(measure, tags, String.format("%.1f", value));
        }
    }

    @Override
    public void count(String measure, long total, String... tags) {
        if (total != 0) {
            add(measure, tags, total);
        }
    }

    @Override
    public void time(String measure, long count, long total, long p50, long p99, long max, String... tags) {
        if (count != 0) {
            add(measure, tags, String.format("%d times, p50 %.1f ms, p99 %.1f ms", count, p50 / 1e6, p99 / 1e6));
        }
    }

    @Override
    public void state(String measure, String value) {
        add(measure, new String[0], value);
    }

    private void add(String measure, String[] tags, Object value) {
        lines.add("  " + measure + " " + String.join(" ", tags) + (tags.length == 0 ? "" : " ") + value);
    }
}
