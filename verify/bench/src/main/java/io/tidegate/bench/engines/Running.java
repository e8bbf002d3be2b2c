package io.tidegate.bench.engines;

/** Cycles that are being done in the background. */
interface Running extends AutoCloseable {
    /** Returns how many cycles are done. */
    long cycles();

    /** Returns when all cycles that have begun are done. */
    @Override
    void close();
}
