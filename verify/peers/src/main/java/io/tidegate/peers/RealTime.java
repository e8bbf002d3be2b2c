package io.tidegate.peers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The time of the breakers that take no other clock. */
final class RealTime {
    private RealTime() {}

    /** Waits until both clocks of the JDK have moved on so far. */
    static void letPass(Duration time) {
        long start = System.nanoTime();
        long wallStart = System.currentTimeMillis();
        while (System.nanoTime() - start < time.toNanos() || System.currentTimeMillis() - wallStart < time.toMillis()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
