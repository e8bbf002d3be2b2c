package io.tidegate.reading;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What a part reported in one reading: values by measure and tags, as in {@code refused[code, AB_ERR_FULL]}. */
public final class Measures implements Reading {
    /** A time that was reported. */
    public record Time(long count, long totalNanos, long p50Nanos, long p99Nanos, long maxNanos) {}

    public final Map<String, Double> gauges = new TreeMap<>();
    public final Map<String, Long> counts = new TreeMap<>();
    public final Map<String, Time> times = new TreeMap<>();
    public final Map<String, String> states = new TreeMap<>();

    public static Measures of(Part part) {
        Measures measures = new Measures();
        part.read(measures);
        return measures;
    }

    private static String series(String measure, String... tags) {
        if (tags.length % 2 != 0) {
            throw new AssertionError(measure + ": tags " + Arrays.toString(tags) + " (expected: pairs)");
        }
        return tags.length == 0 ? measure : measure + Arrays.toString(tags);
    }

    private static <V> void put(Map<String, V> to, String series, V value) {
        if (to.put(series, value) != null) {
            throw new AssertionError(series + ": told twice");
        }
    }

    @Override
    public void gauge(String measure, double value, String... tags) {
        put(gauges, series(measure, tags), value);
    }

    @Override
    public void count(String measure, long total, String... tags) {
        put(counts, series(measure, tags), total);
    }

    @Override
    public void time(String measure, long count, long total, long p50, long p99, long max, String... tags) {
        put(times, series(measure, tags), new Time(count, total, p50, p99, max));
    }

    @Override
    public void state(String measure, String value) {
        put(states, measure, value);
    }
}
