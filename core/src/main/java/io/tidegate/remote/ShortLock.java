package io.tidegate.remote;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for a few instructions. Who finds it taken looks away for a moment, each time for longer, before giving up the
 * processor: what the lock guards then stays with one processor for several turns, rather than moving with each of them.
 */
final class ShortLock {
    private static final int LONGEST_PAUSE = 64;
    private static final int LOOKS = 16;

    private final ReentrantLock lock = new ReentrantLock();

    void enter() {
        if (!lock.tryLock()) {
            enterLater();
        }
    }

    private void enterLater() {
        int pause = 1;
        for (int i = 0; i < LOOKS; i++) {
            for (int j = 0; j < pause; j++) {
                Thread.onSpinWait();
            }
            if (lock.tryLock()) {
                return;
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
        lock.lock();
    }

    void exit() {
        lock.unlock();
    }
}
