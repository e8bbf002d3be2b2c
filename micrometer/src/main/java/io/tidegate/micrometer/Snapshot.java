package io.tidegate.micrometer;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.micrometer.Series.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a part reported in one reading. Immutable.
 *
 * @param at when, by the ticker
 * @param values the numbers of each series
 * @param series the keys of the values: the very same set as in the reading before if they are equal
 * @param failed whether the part threw an exception and reported nothing
 */
record Snapshot(long at, Map<Series, double[]> values, Set<Series> series, boolean failed) {
    /** How many states are remembered; a part has a few. */
    static final int STATES_KEPT = 32;

    /** Nothing reported so far. */
    static Snapshot none(long at) {
        return new Snapshot(at, Map.of(), Set.of(), false);
    }

    /** Reads the part; throws what the part throws. */
    static Snapshot read(Part part, long at, Snapshot before) {
        ReportedValues reported = new ReportedValues();
        part.read(reported);
        reported.keepStates(before.series);
        Map<Series, double[]> values = Map.copyOf(reported.values);
        Set<Series> series = values.keySet();
        return new Snapshot(at, values, series.equals(before.series) ? before.series : series, false);
    }

    /** Returns the next reading if it failed: counts keep their values, and all other values are unknown. */
    Snapshot failed(long later) {
        Map<Series, double[]> after = new HashMap<>();
        values.forEach((of, last) -> {
            double[] now = new double[last.length];
            Arrays.fill(now, Double.NaN);
            int known = switch (of.shape()) {
                case COUNT -> 1;
                case TIME -> 2;
                case GAUGE, STATE -> 0;
            };
            System.arraycopy(last, 0, now, 0, known);
            after.put(of, now);
        });
        return new Snapshot(later, Map.copyOf(after), series, true);
    }

    /** Returns a number of a series, or NaN if it was not reported. */
    double value(Series of, int index) {
        double[] reported = values.get(of);
        return reported == null ? Double.NaN : reported[index];
    }

    /** Records what a part reports. */
    private static final class ReportedValues implements Reading {
        final Map<Series, double[]> values = new HashMap<>();
        private final Map<String, Integer> states = new HashMap<>();

        @Override
        public void gauge(String measure, double value, String... tags) {
            values.put(new Series(Shape.GAUGE, measure, pairs(tags)), new double[] {value});
        }

        @Override
        public void count(String measure, long total, String... tags) {
            // A registry may refuse to show any meter at all because one count is negative.
            values.put(new Series(Shape.COUNT, measure, pairs(tags)), new double[] {Math.max(total, 0)});
        }

        @Override
        public void time(
                String measure,
                long count,
                long totalNanos,
                long p50Nanos,
                long p99Nanos,
                long maxNanos,
                String... tags) {
            values.put(
                    new Series(Shape.TIME, measure, pairs(tags)),
                    new double[] {Math.max(count, 0), Math.max(totalNanos, 0), p50Nanos, p99Nanos, maxNanos});
        }

        @Override
        public void state(String measure, String value) {
            values.put(new Series(Shape.STATE, measure, Map.of("state", value)), new double[] {1});
            states.put(measure, 1);
        }

        /* States seen before are reported as not current, so that each always has a value. */
        void keepStates(Set<Series> before) {
            for (Series series : before) {
                Integer kept = series.shape() == Shape.STATE ? states.get(series.measure()) : null;
                if (kept != null && kept < STATES_KEPT && values.putIfAbsent(series, new double[] {0}) == null) {
                    states.put(series.measure(), kept + 1);
                }
            }
        }

        private static Map<String, String> pairs(String[] tags) {
            if (tags.length % 2 != 0) {
                throw new IllegalArgumentException(
                        "tags: " + List.of(tags) + " (expected: pairs of a key and a value)");
            }
            Map<String, String> pairs = new LinkedHashMap<>();
            for (int i = 0; i < tags.length; i += 2) {
                pairs.put(tags[i], tags[i + 1]);
            }
            return Map.copyOf(pairs);
        }
    }
}
