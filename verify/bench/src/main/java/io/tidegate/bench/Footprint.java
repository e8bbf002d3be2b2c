package io.tidegate.bench;

import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jol.info.GraphLayout;

/**
 * The memory of one thing among many equal ones: the sizes of all objects that can be reached from their holder, as the
 * JVM lays them out.
 *
 * @param what the name of the thing
 * @param by the contestant that holds it
 * @param things how many of them are made at once
 * @param foreign objects that can be reached and do not count
 * @param limit how many bytes each may take; {@link Double#NaN} for no limit
 */
public record Footprint(String what, String by, int things, Supplier<Object> making, List<?> foreign, double limit) {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // JOL cannot ask records for offsets
    }

    /** Makes one with a limit and no foreign objects. */
    public Footprint(String what, String by, int things, Supplier<Object> making, double limit) {
        this(what, by, things, making, List.of(), limit);
    }

    /** Makes one without a limit. */
    public Footprint(String what, String by, int things, Supplier<Object> making) {
        this(what, by, things, making, Double.NaN);
    }

    /** Returns the same footprint without these objects. */
    public Footprint without(List<?> objects) {
        return new Footprint(what, by, things, making, objects, limit);
    }

    double bytes() {
        return (double) (size(making.get()) - size(foreign.toArray())) / things;
    }

    private static long size(Object... roots) {
        return roots.length == 0 ? 0 : GraphLayout.parseInstance(roots).totalSize();
    }

    /** Returns an experiment that weighs them all. */
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

    /** Weighs them all, and returns the table. */
    static String table(List<Footprint> footprints) {
        MarkdownTable table = new MarkdownTable(List.of("kept in memory", "by", "B each", "limit", "verdict"));
        String before = "";
        for (Footprint footprint : footprints) {
            String what = footprint.what.equals(before) ? "" : footprint.what; // the name is only on its first line
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
