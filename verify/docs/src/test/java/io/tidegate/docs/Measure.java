package io.tidegate.docs;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of the table of measures. */
record Measure(String kind, String name, String type, String unit, Set<String> tags, String meaning) {
    static final String PAGE = "docs/measures.md";
    private static final Pattern LINE = Pattern.compile(
            "\\| `([a-z]+)` \\| `([a-z0-9.]+)` \\| (gauge|count|time|state) \\|([^|]*)\\|([^|]*)\\|([^|]+)\\|");
    private static final Pattern TAG = Pattern.compile("`([a-z.]+)`");

    /** Returns all lines of the table, in its order. */
    static List<Measure> table() {
        return Page.read(PAGE).lines().stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new Measure(
                        line.group(1),
                        line.group(2),
                        line.group(3),
                        line.group(4).strip(),
                        tags(line.group(5)),
                        line.group(6).strip()))
                .toList();
    }

    private static Set<String> tags(String column) {
        Set<String> tags = new TreeSet<>();
        TAG.matcher(column).results().forEach(tag -> tags.add(tag.group(1)));
        return tags;
    }

    /** Returns the beginning of the line in the table, without the unit and the text for readers. */
    String reported() {
        return reported(kind, name, type, tags);
    }

    static String reported(String kind, String name, String type, Set<String> tags) {
        return "| `" + kind + "` | `" + name + "` | " + type + " | … | "
                + String.join(", ", tags.stream().map(tag -> "`" + tag + "`").toList()) + " |";
    }

    /** Returns the name in Prometheus, without its suffix. */
    String prometheusName() {
        return "tidegate_" + kind + "_" + name.replace('.', '_');
    }
}
