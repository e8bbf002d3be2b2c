package io.tidegate.group;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A thread that is to run, and may not have come to it yet: see {@link Starts}. */
class Start {
    private static final AtomicIntegerFieldUpdater<Start> REMOVED =
            AtomicIntegerFieldUpdater.newUpdater(Start.class, "removed");

    final long at = System.nanoTime();
    volatile boolean begun;
    volatile @Nullable Thread held;
    private volatile int removed;

    /** Whether this caller is to take it out of the queue: to look for one that is gone would take long in a long queue. */
    boolean tryRemove() {
        return REMOVED.compareAndSet(this, 0, 1);
    }
}
