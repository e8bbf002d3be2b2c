package io.tidegate.bench;

import java.io.Serial;

/** A benchmark threw, or gave no result. */
final class BenchmarkFailed extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    BenchmarkFailed(Case failed, String why) {
        super("failed: " + failed + " (" + failed.benchmark() + "): " + why);
    }
}
