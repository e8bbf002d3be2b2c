package io.tidegate.bench;

/** A measurement other than the time of an operation. */
public interface Experiment {
    /** Returns the heading on the page. */
    String title();

    /**
     * Measures, and returns the result as Markdown.
     *
     * @param quick whether a rough result is enough
     */
    String run(boolean quick);
}
