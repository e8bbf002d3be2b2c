package io.tidegate.peers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The time of those breakers that take no other. */
final class RealTime {
    private RealTime() {}

    /** By both clocks that there are. */
    static void letPass(Duration time) {
        long start = System.nanoTime();
        long wallStart = System.currentTimeMillis();
        while (System.nanoTime() - start < time.toNanos() || System.currentTimeMillis() - wallStart < time.toMillis()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
