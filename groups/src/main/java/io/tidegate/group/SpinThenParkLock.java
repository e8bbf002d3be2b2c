package io.tidegate.group;

import java.io.Serial;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for sections of a few instructions: a thread that finds it taken tries again for a moment before it parks. A
 * parked virtual thread leaves its carrier, as with every {@code ReentrantLock}, and {@link PendingThreads} ensures
 * that it gets one again.
 */
final class SpinThenParkLock extends ReentrantLock {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int TRIES = 64;

    static {
        new FirstWait().acquire(1);
    }

    /**
     * Waits for nothing. It initializes the JDK's classes for waiting here, because a virtual thread that needs them
     * first would wait for their initialization on its carrier.
     */
    private static final class FirstWait extends AbstractQueuedSynchronizer {
        @Serial
        private static final long serialVersionUID = 1L;

        private int refusals = 2;

        @Override
        protected boolean tryAcquire(int ignored) {
            return refusals-- <= 0;
        }
    }

    @Override
    public void lock() {
        for (int i = 0; i < TRIES; i++) {
            if (tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        PendingThread wait = Thread.currentThread().isVirtual() ? PendingThreads.ALL.tryAdd() : null;
        try {
            super.lock();
        } catch (OutOfMemoryError noRoomToPark) {
            lockWithoutMemory();
        }
        if (wait != null) {
            PendingThreads.ALL.begun(wait);
        }
    }

    /* What the caller needs the lock for, such as giving a permit back, must be done even without memory. */
    private void lockWithoutMemory() {
        while (!tryLock()) {
            PendingThreads.giveWay();
        }
    }
}
