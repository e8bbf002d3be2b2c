package io.tidegate.lab.load;

/** What a service does with a request. Thread-safe. */
public interface Work {
    /** Works on one request and returns the status to answer with. */
    int answer() throws InterruptedException;

    /** Is called when the warm-up is over. */
    default void begin() {}
}
