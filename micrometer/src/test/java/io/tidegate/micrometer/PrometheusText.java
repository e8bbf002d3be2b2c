package io.tidegate.micrometer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prometheus' text format, read as strictly as a server does. */
final class PrometheusText {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[+-]Inf|[-+0-9.eE]+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\",?");
    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* .*");

    private PrometheusText() {}

    /**
     * Returns the samples: name and sorted labels, and the value. Fails on any deviation from the format, and on a
     * repeated sample.
     */
    static Map<String, Double> parse(String text) {
        Map<String, Double> samples = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("#")) {
                require(COMMENT.matcher(line).matches(), line);
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            require(sample.matches(), line);
            String key = sample.group(1) + labels(sample.group(2) == null ? "" : sample.group(2), line);
            require(samples.put(key, Double.valueOf(sample.group(3).replace("Inf", "Infinity"))) == null, line);
        }
        return samples;
    }

    private static Map<String, String> labels(String text, String line) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(text);
        int end = 0;
        while (label.find()) {
            require(label.start() == end && labels.put(label.group(1), label.group(2)) == null, line);
            end = label.end();
        }
        require(end == text.length(), line);
        return labels;
    }

    private static void require(boolean condition, String line) {
        if (!condition) {
            throw new AssertionError("not in Prometheus' format, or twice: " + line);
        }
    }
}
