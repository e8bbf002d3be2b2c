package io.tidegate.docs;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Draws some rows of the dashboard as SVG, with the results of its queries in a recording. */
final class DashboardPicture {
    private static final Set<String> ROWS = Set.of("bulkhead", "breaker", "guard");
    private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final List<String> COLOURS =
            List.of("#1f6fc5", "#d9690b", "#2d8f45", "#a0369a", "#c0302b", "#5f6670");
    private static final String NO_COLOUR = "#dfe3e8";

    /** Sizes of the dashboard's grid, in pixels. */
    private static final int CELL_WIDTH = 50;

    private static final int CELL_HEIGHT = 28;
    private static final int WIDTH = 24 * CELL_WIDTH;
    private static final int HEAD = 62;
    private static final int LETTER = 7;
    private static final int LEGEND_LINE = 15;

    private final Recording recording;
    private final StringBuilder svg = new StringBuilder();

    private DashboardPicture(Recording recording) {
        this.recording = recording;
    }

    /** A place in the picture, in pixels. */
    private record Box(int left, int top, int right, int bottom) {
        int width() {
            return right - left;
        }

        int height() {
            return bottom - top;
        }
    }

    static String of(String dashboard, Recording recording) {
        return new DashboardPicture(recording).draw((Map<?, ?>) Json.read(dashboard));
    }

    private String draw(Map<?, ?> dashboard) {
        text(12, 26, "font-size='18' font-weight='bold'", (String) dashboard.get("title"));
        text(
                12,
                47,
                "fill='#5f6670'",
                "Drawn from the queries of dashboard.json and a recording of ./tidegate lab guard, not by Grafana."
                        + " Readings every 100 ms, rates over 400 ms.");
        int bottom = HEAD;
        int shift = 0;
        boolean shown = false;
        for (Object each : (List<?>) dashboard.get("panels")) {
            Map<?, ?> panel = (Map<?, ?>) each;
            boolean row = panel.get("type").equals("row");
            if (row) {
                shown = ROWS.contains(panel.get("title"));
                shift = bottom - number(panel, "gridPos", "y") * CELL_HEIGHT;
            }
            if (shown) {
                Box box = box(panel, shift);
                if (row) {
                    text(12, box.bottom - 8, "font-size='15' font-weight='bold'", (String) panel.get("title"));
                } else {
                    drawPanel(panel, box);
                }
                bottom = Math.max(bottom, box.bottom);
            }
        }
        return "<svg xmlns='http://www.w3.org/2000/svg' role='img' viewBox='0 0 %1$s %2$s' width='%1$s' height='%2$s'"
                        .formatted(WIDTH, bottom + 8)
                + " font-family='Helvetica, Arial, sans-serif' font-size='11' fill='#24292f'>\n"
                + "<title>The dashboard's rows of bulkhead, breaker and guard</title>\n"
                + "<rect width='100%' height='100%' fill='#f4f5f7'/>\n" + svg + "</svg>\n";
    }

    private static Box box(Map<?, ?> panel, int shift) {
        int left = number(panel, "gridPos", "x") * CELL_WIDTH;
        int top = number(panel, "gridPos", "y") * CELL_HEIGHT + shift;
        return new Box(
                left,
                top,
                left + number(panel, "gridPos", "w") * CELL_WIDTH,
                top + number(panel, "gridPos", "h") * CELL_HEIGHT);
    }

    private static int number(Map<?, ?> of, String key, String inner) {
        return (Integer) ((Map<?, ?>) of.get(key)).get(inner);
    }

    private void drawPanel(Map<?, ?> panel, Box box) {
        add("<rect x='%s' y='%s' width='%s' height='%s' rx='3' fill='#ffffff' stroke='#d0d7de'/>"
                .formatted(box.left + 4, box.top + 3, box.width() - 8, box.height() - 6));
        text(box.left + 14, box.top + 21, "font-size='12' font-weight='bold'", (String) panel.get("title"));
        Map<String, double[]> lines = lines(panel);
        Map<?, ?> field = (Map<?, ?>) ((Map<?, ?>) panel.get("fieldConfig")).get("defaults");
        if (lines.isEmpty()) {
            String middle = "text-anchor='middle' fill='#5f6670'";
            text((box.left + box.right) / 2, (box.top + box.bottom) / 2, middle, "No data");
        } else if (panel.get("type").equals("state-timeline")) {
            drawStates(lines, field, box);
        } else {
            drawLines(lines, (String) field.get("unit"), box);
        }
    }

    /** Returns the results of the panel's queries, by their names in the legend. */
    private Map<String, double[]> lines(Map<?, ?> panel) {
        Map<String, double[]> lines = new LinkedHashMap<>();
        for (Object each : (List<?>) panel.get("targets")) {
            Map<?, ?> target = (Map<?, ?>) each;
            String legend = (String) target.get("legendFormat");
            recording
                    .ask((String) target.get("expr"))
                    .forEach((labels, values) -> lines.put(
                            LABEL.matcher(legend)
                                    .replaceAll(label -> labels.getOrDefault(label.group(1), ""))
                                    .strip(),
                            values));
        }
        return lines;
    }

    private void drawLines(Map<String, double[]> lines, String unit, Box box) {
        int legendTop = drawLegend(lines.keySet(), COLOURS, box);
        Box plot = new Box(box.left + 74, box.top + 34, box.right - 18, legendTop - 22);
        double highest = lines.values().stream()
                .flatMapToDouble(Arrays::stream)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(0);
        BigDecimal step = step(highest);
        int steps = Math.max(1, (int) Math.ceil(highest / step.doubleValue() - 1e-9));
        double top = step.doubleValue() * steps;
        for (int i = 0; i <= steps; i++) {
            int y = plot.bottom - plot.height() * i / steps;
            add("<path d='M%s %sH%s' stroke='#e6e8eb'/>".formatted(plot.left, y, plot.right));
            text(plot.left - 6, y + 4, "text-anchor='end'", tick(step.multiply(BigDecimal.valueOf(i)), top, unit));
        }
        drawTime(plot);
        int colour = 0;
        for (double[] values : lines.values()) {
            drawLine(values, top, COLOURS.get(colour++ % COLOURS.size()), plot);
        }
    }

    /* Returns the smallest step of the axis of which four are enough: 1, 2 or 5 times a power of ten. */
    private static BigDecimal step(double highest) {
        BigDecimal power = new BigDecimal("0.000001");
        while (highest > 0) {
            for (int times : new int[] {1, 2, 5}) {
                BigDecimal step = power.multiply(BigDecimal.valueOf(times));
                if (step.doubleValue() * 4 >= highest) {
                    return step;
                }
            }
            power = power.movePointRight(1);
        }
        return BigDecimal.ONE;
    }

    private static String tick(BigDecimal value, double top, String unit) {
        return switch (unit) {
            case "ops" -> plain(value) + " ops/s";
            case "percentunit" -> plain(value.movePointRight(2)) + " %";
            case "s" -> top < 1 ? plain(value.movePointRight(3)) + " ms" : plain(value) + " s";
            case "short" -> plain(value);
            default -> throw new IllegalArgumentException("unit: " + unit);
        };
    }

    private static String plain(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }

    private void drawTime(Box plot) {
        add("<path d='M%s %sV%sH%s' fill='none' stroke='#8c959f'/>"
                .formatted(plot.left, plot.top, plot.bottom, plot.right));
        for (int second = 0; second <= end(); second++) {
            text(x(second, plot), plot.bottom + 15, "text-anchor='middle'", second + " s");
        }
    }

    private double end() {
        return recording.seconds()[recording.seconds().length - 1];
    }

    private String x(double second, Box plot) {
        return pixels(plot.left + plot.width() * second / end());
    }

    private static String pixels(double value) {
        return BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP).toString();
    }

    /* Draws a line, with a gap where there is no value. */
    private void drawLine(double[] values, double top, String colour, Box plot) {
        StringBuilder path = new StringBuilder();
        boolean gap = true;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                path.append(gap ? 'M' : 'L')
                        .append(x(recording.seconds()[i], plot))
                        .append(' ')
                        .append(pixels(plot.bottom - plot.height() * values[i] / top));
            }
            gap = Double.isNaN(values[i]);
        }
        add("<path d='%s' fill='none' stroke='%s' stroke-width='1.6' stroke-linejoin='round'/>"
                .formatted(path, colour));
    }

    private void drawStates(Map<String, double[]> lines, Map<?, ?> field, Box box) {
        Map<?, ?> options = (Map<?, ?>) ((Map<?, ?>) ((List<?>) field.get("mappings")).get(0)).get("options");
        List<String> names = List.of("0", "1").stream()
                .map(value -> (String) ((Map<?, ?>) options.get(value)).get("text"))
                .toList();
        List<String> colours = List.of(NO_COLOUR, COLOURS.get(0));
        int legendTop = drawLegend(names, colours, box);
        Box plot = new Box(box.left + 110, box.top + 34, box.right - 18, legendTop - 22);
        int height = plot.height() / lines.size();
        int top = plot.top;
        for (Map.Entry<String, double[]> line : lines.entrySet()) {
            text(plot.left - 6, top + height / 2 + 4, "text-anchor='end'", line.getKey());
            drawBand(line.getValue(), colours, new Box(plot.left, top + 2, plot.right, top + height - 2));
            top += height;
        }
        drawTime(plot);
    }

    private void drawBand(double[] values, List<String> colours, Box plot) {
        int from = 0;
        for (int i = 1; i < values.length; i++) {
            boolean last = i == values.length - 1;
            if (last || Double.compare(values[i], values[from]) != 0) {
                if (!Double.isNaN(values[from])) {
                    add("<path d='M%1$s %2$sH%3$sV%4$sH%1$sz' fill='%5$s'/>"
                            .formatted(
                                    x(recording.seconds()[from], plot),
                                    plot.top,
                                    x(recording.seconds()[i], plot),
                                    plot.bottom,
                                    colours.get((int) values[from])));
                }
                from = i;
            }
        }
    }

    /** Draws the legend, which ends with the panel; returns where it begins. */
    private int drawLegend(Collection<String> names, List<String> colours, Box box) {
        List<List<String>> rows = new ArrayList<>(List.of(new ArrayList<>()));
        int used = 0;
        for (String name : names) {
            used += width(name);
            if (used > box.width() - 28) {
                rows.add(new ArrayList<>());
                used = width(name);
            }
            rows.get(rows.size() - 1).add(name);
        }
        int top = box.bottom - 10 - rows.size() * LEGEND_LINE;
        int y = top;
        int colour = 0;
        for (List<String> row : rows) {
            int left = box.left + 14;
            for (String name : row) {
                String fill = colours.get(colour++ % colours.size());
                add("<rect x='%s' y='%s' width='12' height='4' fill='%s'/>".formatted(left, y + 6, fill));
                text(left + 16, y + 12, "", name);
                left += width(name);
            }
            y += LEGEND_LINE;
        }
        return top;
    }

    private static int width(String name) {
        return name.length() * LETTER + 26;
    }

    private void text(Object x, int y, String style, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        add("<text x='%s' y='%s'%s>%s</text>".formatted(x, y, style.isEmpty() ? "" : " " + style, escaped));
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }
}
