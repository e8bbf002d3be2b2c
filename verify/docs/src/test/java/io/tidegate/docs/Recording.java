package io.tidegate.docs;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The recording of {@code ./tidegate lab guard --record}, which answers the dashboard's queries: for a series, for its
 * rate, and for the quotient of two. All names of parts are selected.
 */
final class Recording {
    /** The least value of Grafana's {@code $__rate_interval}: four times the time between two readings. */
    private static final int RATE_INTERVAL = 4;

    private static final Pattern SERIES = Pattern.compile("(\\w+)\\{(.*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final String ALL_NAMES = "name=~\"$name\"";
    private static final Pattern RATE = Pattern.compile("rate\\((.*)\\[\\$__rate_interval]\\)");

    private final double[] seconds;
    /** A value for each reading, by name and then by labels; NaN where nothing was reported. */
    private final Map<String, Map<Map<String, String>, double[]>> series = new LinkedHashMap<>();

    private Recording(double[] seconds) {
        this.seconds = seconds;
    }

    static Recording of(String table) {
        List<String[]> lines = table.lines().map(line -> line.split("\t", -1)).toList();
        Recording recording = new Recording(
                Arrays.stream(cells(lines.get(0))).map(millis -> millis / 1_000).toArray());
        lines.stream().skip(1).forEach(recording::add);
        return recording;
    }

    private void add(String[] line) {
        Matcher name = matcher(SERIES, line[0]);
        Map<String, String> labels = new LinkedHashMap<>();
        LABEL.matcher(name.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        series.computeIfAbsent(name.group(1), any -> new LinkedHashMap<>()).put(labels, cells(line));
    }

    /** Returns the time of each reading. */
    double[] seconds() {
        return seconds;
    }

    private static double[] cells(String[] line) {
        return Arrays.stream(line)
                .skip(1)
                .mapToDouble(cell -> cell.isEmpty() ? Double.NaN : Double.parseDouble(cell))
                .toArray();
    }

    private static Matcher matcher(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("query or series: " + text + " (expected: " + pattern + ")");
        }
        return matcher;
    }

    /** Returns the answer to a query: the values for each set of labels. */
    Map<Map<String, String>, double[]> ask(String query) {
        String[] quotient = query.split(" / ", 2);
        Map<Map<String, String>, double[]> answer = askOne(quotient[0]);
        if (quotient.length == 2) {
            Map<Map<String, String>, double[]> divisors = askOne(quotient[1]);
            answer.keySet().retainAll(divisors.keySet());
            answer.replaceAll((labels, values) -> quotient(values, divisors.get(labels)));
        }
        return answer;
    }

    private Map<Map<String, String>, double[]> askOne(String query) {
        boolean rate = query.startsWith("rate(");
        Matcher asked = matcher(SERIES, rate ? matcher(RATE, query).group(1) : query);
        if (!asked.group(2).equals(ALL_NAMES)) {
            throw new IllegalArgumentException("query: " + query + " (expected: {" + ALL_NAMES + "})");
        }
        Map<Map<String, String>, double[]> answer = new LinkedHashMap<>(series.getOrDefault(asked.group(1), Map.of()));
        if (rate) {
            answer.replaceAll((labels, values) -> rate(values));
        }
        return answer;
    }

    /* Returns the rate, which is NaN until there are two readings. */
    private double[] rate(double[] values) {
        double[] rate = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int from = Math.max(0, i - RATE_INTERVAL);
            while (from < i && Double.isNaN(values[from])) {
                from++;
            }
            rate[i] = (values[i] - values[from]) / (seconds[i] - seconds[from]);
        }
        return rate;
    }

    private static double[] quotient(double[] dividends, double[] divisors) {
        double[] quotient = new double[dividends.length];
        Arrays.setAll(quotient, i -> dividends[i] / divisors[i]);
        return quotient;
    }
}
