package io.tidegate.console;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardLayer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One reading of a part: all series and values that the part reports, in its order. */
final class PartReading extends ReadingRunner.Step implements Reading {
    /** How many series of a part are shown: the first ones that it reports. */
    static final int MOST_SERIES = 500;

    private static final int MOST_TAGS = 16;

    enum Type {
        GAUGE("gauge"),
        COUNT("count"),
        TIME("time"),
        STATE("state");

        final String word;

        Type(String word) {
            this.word = word;
        }
    }

    /** A measure with its tags. It has one value at a time. */
    record Series(String measure, Type type, List<String> tags) {
        @Nullable
        String tag(String key) {
            for (int i = 0; i + 1 < tags.size(); i += 2) {
                if (tags.get(i).equals(key)) {
                    return tags.get(i + 1);
                }
            }
            return null;
        }

        private boolean is(String otherMeasure, Type otherType, String[] otherTags) {
            return measure.equals(otherMeasure) && type == otherType && tags.equals(Arrays.asList(otherTags));
        }
    }

    record Times(long count, long total, long p50, long p99, long max) {}

    final List<Series> series;
    final List<Object> values;
    List<GuardLayer> layers = List.of();
    private final Part part;
    private final List<Series> last;

    /**
     * Reads a part that reported the series {@code last} before. A part mostly reports the same series, which the
     * readings then share.
     */
    PartReading(Part part, List<Series> last) {
        this.part = part;
        this.last = last;
        this.series = new ArrayList<>(last.size());
        this.values = new ArrayList<>(last.size());
    }

    @Override
    void run() {
        part.read(this);
        if (part instanceof Guard guard) {
            layers = guard.layers();
        }
    }

    @Override
    public void gauge(String measure, double value, String... tags) {
        put(measure, Type.GAUGE, value, tags);
    }

    @Override
    public void count(String measure, long total, String... tags) {
        put(measure, Type.COUNT, total, tags);
    }

    @Override
    public void time(
            String measure, long count, long totalNanos, long p50Nanos, long p99Nanos, long maxNanos, String... tags) {
        put(measure, Type.TIME, new Times(count, totalNanos, p50Nanos, p99Nanos, maxNanos), tags);
    }

    @Override
    public void state(String measure, String value) {
        put(measure, Type.STATE, String.valueOf(value));
    }

    private void put(String measure, Type type, Object value, String... tags) {
        int next = series.size();
        if (next == MOST_SERIES) {
            return;
        }
        boolean isKnown = next < last.size() && last.get(next).is(measure, type, tags);
        series.add(isKnown ? last.get(next) : made(measure, type, tags));
        values.add(value);
    }

    private static Series made(String measure, Type type, String[] tags) {
        if (tags.length > MOST_TAGS) {
            throw new IllegalArgumentException("tags: " + tags.length + " (expected: up to " + MOST_TAGS + ")");
        }
        return new Series(String.valueOf(measure), type, List.of(tags));
    }
}
