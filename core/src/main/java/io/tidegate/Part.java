package io.tidegate;

/**
 * A part of the library that a user makes and that has state: it has a name and reports its measures. {@link Registry}
 * lists parts, so that a view of them is written once for all kinds.
 */
public interface Part {
    /** The name given to the builder, or the default one. */
    String name();

    /**
     * The kind of the part: {@code "bulkhead"}, {@code "breaker"}, {@code "remote"}, {@code "cluster"}, {@code
     * "group"}, {@code "lease"}, {@code "guard"} or {@code "rate"}.
     */
    String kind();

    /**
     * Reports the current measures, taken at one instant where the part can do so. Changes nothing, and never makes
     * calls of the part wait. Many threads may call it at once.
     */
    void read(Reading to);
}
