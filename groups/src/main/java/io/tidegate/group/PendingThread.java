package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/** A thread that was started, and has perhaps not begun to run: see {@link PendingThreads}. */
class PendingThread {
    final long at = System.nanoTime();
    volatile boolean begun;
    volatile @Nullable Thread held;
}
