package io.tidegate.bench.engines;

/** Cycles that are being done in the background. */
interface Running extends AutoCloseable {
    /** How many have been done. */
    long cycles();

    /** Returns when all that was begun is done. */
    @Override
    void close();
}
