package io.tidegate.lab.guard;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.lab.load.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Reads the parts of a registry again and again, and keeps their measures as a table: a line for each series, under its
 * name in Prometheus, and a column for each reading. Reading and asking for the table may happen in different threads.
 */
public final class Recorder {
    private static final Duration PERIOD = Duration.ofMillis(100);

    private final Registry registry = new Registry();
    private final Time time;
    private final List<String> millis = new ArrayList<>();
    private final Map<String, Map<Integer, Double>> series = new TreeMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("lab-recorder").factory());
    private long start;

    public Recorder(Time time) {
        this.time = time;
    }

    void add(Part part) {
        registry.add(part);
    }

    /** Reads at once, then every 100 ms, until stopped. */
    void start() {
        read();
        var unused = clock.scheduleAtFixedRate(this::read, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    void stop() {
        clock.shutdownNow();
        clock.close();
    }

    /** Reads each part once. */
    public synchronized void read() {
        long now = time.nanos();
        if (millis.isEmpty()) {
            start = now;
        }
        int column = millis.size();
        millis.add(Long.toString(TimeUnit.NANOSECONDS.toMillis(now - start)));
        registry.parts().forEach(part -> part.read(new Column(part, column)));
    }

    /** Returns the table, its cells divided by tabs; a cell is empty where the series was not reported. */
    public synchronized String table() {
        StringBuilder table = new StringBuilder("millis\t").append(String.join("\t", millis));
        series.forEach((name, values) -> {
            table.append('\n').append(name);
            for (int column = 0; column < millis.size(); column++) {
                Double value = values.get(column);
                table.append('\t').append(value == null ? "" : text(value));
            }
        });
        return table.append('\n').toString();
    }

    private static String text(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** Records one reading of one part. */
    private final class Column implements Reading {
        private final Part part;
        private final int column;

        Column(Part part, int column) {
            this.part = part;
            this.column = column;
        }

        @Override
        public void gauge(String measure, double value, String... tags) {
            keep(measure, "", value, tags);
        }

        @Override
        public void count(String measure, long total, String... tags) {
            keep(measure, "_total", (double) total, tags);
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
            keep(measure, "_seconds_count", (double) count, tags);
            keep(measure, "_seconds_sum", seconds(totalNanos), tags);
            keep(measure, "_p50_seconds", seconds(p50Nanos), tags);
            keep(measure, "_p99_seconds", seconds(p99Nanos), tags);
            keep(measure, "_max_seconds", seconds(maxNanos), tags);
        }

        /* A state that was seen before is reported as not the present one, as it is to Prometheus. */
        @Override
        public void state(String measure, String value) {
            String any = name(measure, "") + labels() + ",state=";
            series.forEach((name, values) -> {
                if (name.startsWith(any)) {
                    values.put(column, 0.0);
                }
            });
            keep(measure, "", 1, "state", value);
        }

        private void keep(String measure, String suffix, double value, String... tags) {
            series.computeIfAbsent(name(measure, suffix) + labels(tags) + "}", any -> new TreeMap<>())
                    .put(column, value);
        }

        private String name(String measure, String suffix) {
            return "tidegate_" + part.kind() + "_" + measure.replace('.', '_') + suffix;
        }

        private String labels(String... tags) {
            StringBuilder labels =
                    new StringBuilder("{name=\"").append(part.name()).append('"');
            for (int i = 0; i < tags.length; i += 2) {
                labels.append(',')
                        .append(tags[i])
                        .append("=\"")
                        .append(tags[i + 1])
                        .append('"');
            }
            return labels.toString();
        }

        private static double seconds(long nanos) {
            return nanos / 1e9;
        }
    }
}
