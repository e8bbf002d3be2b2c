package io.tidegate.remote;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/** A lock for sections of a few dozen instructions that neither wait nor run user code. Not reentrant. */
final class BackoffLock {
    /*
     * Two processors that take turns with each section spend most of their time moving cache lines. A thread that finds
     * the lock taken therefore stays away for a while, longer than a section takes and twice as long each time, so that
     * the other processor completes several sections with all lines at hand. After some tries the holder has probably
     * lost its processor, so the thread parks to leave its own one to the holder; only for a moment, because nothing
     * wakes it. A virtual thread then leaves its carrier.
     *
     * The method that took the lock frees it by a write to `state`, not by a call: at the end of the stack a call would
     * fail, and the lock would stay taken.
     */
    static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int FIRST_SPIN = 1 << 5;
    private static final int LONGEST_SPIN = 1 << 8;
    private static final long PARK_NANOS = 20_000;

    private static final AtomicIntegerFieldUpdater<BackoffLock> STATE =
            AtomicIntegerFieldUpdater.newUpdater(BackoffLock.class, "state");

    volatile int state = FREE;

    void take() {
        if (!STATE.compareAndSet(this, FREE, TAKEN)) {
            takeLater();
        }
    }

    private void takeLater() {
        int spin = FIRST_SPIN;
        do {
            if (spin <= LONGEST_SPIN) {
                spin(spin);
                spin <<= 1;
            } else {
                LockSupport.parkNanos(this, PARK_NANOS);
            }
        } while (state != FREE || !STATE.compareAndSet(this, FREE, TAKEN));
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
