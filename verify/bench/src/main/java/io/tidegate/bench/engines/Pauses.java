package io.tidegate.bench.engines;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The pauses of workers that must ask again. */
final class Pauses {
    static final Duration BETWEEN_TRIES = Duration.ofMillis(1);

    private Pauses() {}

    static void untilNextTry() {
        LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
    }
}
