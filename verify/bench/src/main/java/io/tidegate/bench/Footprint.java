package io.tidegate.bench;

import java.lang.ref.Reference;
import java.util.List;
import java.util.function.Supplier;

/**
 * What stays in memory of many equal things, for each of them: the difference that they make to what a full collection leaves.
 *
 * @param what one of the things
 * @param by who keeps it
 * @param things how many of them are made at once
 * @param limit how many bytes each may take; {@link Double#NaN} for no limit
 */
public record Footprint(String what, String by, int things, Supplier<Object> making, double limit) {
    /** Without a limit. */
    public Footprint(String what, String by, int things, Supplier<Object> making) {
        this(what, by, things, making, Double.NaN);
    }

    /** The lesser of two: what is shared by all, classes and keys, counts at the first time only. */
    double bytes() {
        return Math.max(0, Math.min(bytesOnce(), bytesOnce()));
    }

    private double bytesOnce() {
        long before = used();
        Object made = making.get();
        try {
            return (double) (used() - before) / things;
        } finally {
            Reference.reachabilityFence(made);
        }
    }

    private static long used() {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Weighs them all, for a table. */
    public static Experiment experiment(List<Footprint> footprints) {
        return new Experiment() {
            @Override
            public String title() {
                return "Memory";
            }

            @Override
            public String run(boolean quick) {
                return table(footprints);
            }
        };
    }

    /** A table of all, measured now. */
    static String table(List<Footprint> footprints) {
        MarkdownTable table = new MarkdownTable(List.of("kept in memory", "by", "B each", "limit", "verdict"));
        String before = "";
        for (Footprint footprint : footprints) {
            String what = footprint.what.equals(before) ? "" : footprint.what; // named once, on its first line
            table.add(footprint.line(what, footprint.bytes()));
            before = footprint.what;
        }
        return table.toString();
    }

    private List<String> line(String name, double bytes) {
        boolean limited = !Double.isNaN(limit);
        return List.of(
                name,
                by,
                Numbers.show(bytes),
                limited ? "≤ " + Numbers.show(limit) : "",
                !limited ? "" : bytes <= limit ? "met" : "MISSED");
    }
}
