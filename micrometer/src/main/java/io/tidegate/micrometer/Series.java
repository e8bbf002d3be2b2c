package io.tidegate.micrometer;

import java.util.Map;

/**
 * One series of a measure, as a part reports it.
 *
 * @param shape how it was reported
 * @param measure the name of the measure
 * @param tags the measure's own tags; for a state, also which state it is
 */
record Series(Shape shape, String measure, Map<String, String> tags) {
    /** How a series is reported, and so which numbers it has. */
    enum Shape {
        /** The value. */
        GAUGE,
        /** The total. */
        COUNT,
        /** Count, total, median, 99th percentile and maximum, in nanoseconds. */
        TIME,
        /** 1 if it is the present state, otherwise 0. */
        STATE
    }
}
