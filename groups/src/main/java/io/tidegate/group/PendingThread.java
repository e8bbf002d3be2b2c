package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/** A thread that is to run, and may not have come to it yet: see {@link PendingThreads}. */
class PendingThread {
    final long at = System.nanoTime();
    volatile boolean begun;
    volatile @Nullable Thread held;
}
