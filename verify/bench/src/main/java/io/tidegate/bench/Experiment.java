package io.tidegate.bench;

/** Something to find out that is no time of an operation. */
public interface Experiment {
    /** What is found out, as headed on the page. */
    String title();

    /**
     * Does it, and returns what came out as Markdown.
     *
     * @param quick whether a rough answer will do
     */
    String run(boolean quick);
}
