package io.tidegate.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Grafana's dashboard of all measures: a row for each kind, a panel for each measure. */
final class Dashboard {
    private static final int ACROSS = 3;
    private static final int WIDTH = 24 / ACROSS;
    private static final int HEIGHT = 7;
    private static final Map<String, Object> DATA_SOURCE = map("type", "prometheus", "uid", "${datasource}");
    private static final String NAMES = "label_values({__name__=~\"tidegate_.+\"}, name)";

    private final List<Object> panels = new ArrayList<>();
    private int x;
    private int y;

    private Dashboard() {}

    static String of(List<Measure> table) {
        Dashboard dashboard = new Dashboard();
        String kind = "";
        for (Measure measure : table) {
            if (!measure.kind().equals(kind)) {
                kind = measure.kind();
                dashboard.addRow(kind);
            }
            dashboard.addPanel(measure);
        }
        return Json.write(map(
                "uid",
                "tidegate",
                "title",
                "Tidegate",
                "description",
                "All measures of all parts. Made from the table of measures.",
                "tags",
                List.of("tidegate"),
                "schemaVersion",
                39,
                "editable",
                true,
                "graphTooltip",
                1,
                "refresh",
                "10s",
                "time",
                map("from", "now-30m", "to", "now"),
                "templating",
                map("list", List.of(dataSourceVariable(), nameVariable())),
                "panels",
                dashboard.panels));
    }

    private static Map<String, Object> dataSourceVariable() {
        return map("name", "datasource", "label", "Data source", "type", "datasource", "query", "prometheus");
    }

    private static Map<String, Object> nameVariable() {
        return map(
                "name",
                "name",
                "label",
                "Part",
                "type",
                "query",
                "datasource",
                DATA_SOURCE,
                "definition",
                NAMES,
                "query",
                map("query", NAMES, "refId", "names"),
                "refresh",
                2,
                "sort",
                1,
                "multi",
                true,
                "includeAll",
                true,
                "allValue",
                ".*",
                "current",
                map("text", "All", "value", "$__all"));
    }

    private void addRow(String kind) {
        if (x > 0) {
            nextLine();
        }
        panels.add(map(
                "id",
                panels.size() + 1,
                "type",
                "row",
                "title",
                kind,
                "collapsed",
                false,
                "gridPos",
                map("x", 0, "y", y, "w", 24, "h", 1),
                "panels",
                List.of()));
        y++;
    }

    private void addPanel(Measure measure) {
        boolean state = measure.type().equals("state");
        Map<String, Object> field = map("unit", unit(measure));
        if (state) {
            field.put(
                    "mappings",
                    List.of(map("type", "value", "options", map("0", map("text", "no"), "1", map("text", "yes")))));
        } else {
            field.put("min", 0);
        }
        panels.add(map(
                "id",
                panels.size() + 1,
                "type",
                state ? "state-timeline" : "timeseries",
                "title",
                measure.kind() + " " + measure.name(),
                "description",
                (measure.unit() + ": " + measure.meaning()).replace("`", "").replaceFirst("^: ", ""),
                "datasource",
                DATA_SOURCE,
                "gridPos",
                map("x", x * WIDTH, "y", y, "w", WIDTH, "h", HEIGHT),
                "fieldConfig",
                map("defaults", field, "overrides", List.of()),
                "targets",
                targets(measure)));
        x++;
        if (x == ACROSS) {
            nextLine();
        }
    }

    private void nextLine() {
        x = 0;
        y += HEIGHT;
    }

    private static String unit(Measure measure) {
        return switch (measure.type()) {
            case "time" -> "s";
            case "count" -> "ops";
            default ->
                switch (measure.unit()) {
                    case "seconds" -> "s";
                    case "ratio" -> "percentunit";
                    default -> "short";
                };
        };
    }

    private static List<Object> targets(Measure measure) {
        String name = measure.prometheusName();
        StringBuilder series = new StringBuilder("{{instance}} {{name}}");
        measure.tags()
                .forEach(tag ->
                        series.append(" {{").append(tag.replace('.', '_')).append("}}"));
        return switch (measure.type()) {
            case "gauge" -> List.of(target("A", of(name), series.toString()));
            case "count" -> List.of(target("A", rate(name + "_total"), series.toString()));
            case "state" -> List.of(target("A", of(name), series + " {{state}}"));
            case "time" ->
                List.of(
                        target("A", of(name + "_p50_seconds"), series + " p50"),
                        target("B", of(name + "_p99_seconds"), series + " p99"),
                        target("C", of(name + "_max_seconds"), series + " max"),
                        target(
                                "D",
                                rate(name + "_seconds_sum") + " / " + rate(name + "_seconds_count"),
                                series + " mean"));
            default -> throw new IllegalArgumentException("type: " + measure.type());
        };
    }

    private static String of(String name) {
        return name + "{name=~\"$name\"}";
    }

    private static String rate(String name) {
        return "rate(" + of(name) + "[$__rate_interval])";
    }

    private static Map<String, Object> target(String id, String query, String legend) {
        return map("refId", id, "datasource", DATA_SOURCE, "expr", query, "legendFormat", legend);
    }

    /** Makes a map of keys and values in turn, in this order. */
    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
