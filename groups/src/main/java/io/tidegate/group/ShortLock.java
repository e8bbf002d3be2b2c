package io.tidegate.group;

import java.io.Serial;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for sections of a few instructions: whoever finds it taken tries again for a moment before it parks. A parked
 * virtual thread leaves its carrier, as with every {@code ReentrantLock}.
 */
final class ShortLock extends ReentrantLock {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int TRIES = 64;

    @Override
    public void lock() {
        for (int i = 0; i < TRIES; i++) {
            if (tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        super.lock();
    }
}
