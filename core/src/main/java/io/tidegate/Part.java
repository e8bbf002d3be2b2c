package io.tidegate;

/**
 * What every part of the library is that a user makes and that has a life of its own: it has a name and tells its
 * measures. {@link Registry} lists parts, so that whatever shows them is written once.
 */
public interface Part {
    /** The name given to the builder, or the default one. */
    String name();

    /**
     * What sort of part it is: {@code "bulkhead"}, {@code "breaker"}, {@code "remote"}, {@code "cluster"}, {@code
     * "group"}, {@code "lease"}, {@code "guard"} or {@code "rate"}.
     */
    String kind();

    /**
     * Tells the present measures, at one instant as far as the part can. Nothing about the part changes, and its
     * callers do not wait for it. May be called by many threads at once.
     */
    void read(Reading to);
}
