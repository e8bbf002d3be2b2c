package io.tidegate;

/**
 * Receives the measures of a {@link Part}. A measure has a name, in lower case with dots, and perhaps tags: pairs of a
 * key and a value. The same name with other tags is another series of one measure. Times are in nanoseconds.
 */
public interface Reading {
    /** A value that rises and falls. */
    void gauge(String measure, double value, String... tags);

    /** A count since the part was made, which only rises. */
    void count(String measure, long total, String... tags);

    /**
     * How long something took, since the part was made or since its times were first read.
     *
     * @param count how many were timed
     * @param totalNanos all of them together
     * @param p50Nanos half of them took no longer
     * @param p99Nanos 99 of 100 took no longer
     * @param maxNanos none took longer
     */
    void time(String measure, long count, long totalNanos, long p50Nanos, long p99Nanos, long maxNanos, String... tags);

    /** One of a few named states. */
    void state(String measure, String value);
}
